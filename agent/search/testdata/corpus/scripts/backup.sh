#!/bin/sh
# Takes a base backup and keeps the newest seven.
set -eu

target="${1:?usage: backup.sh FOLDER}"
name="$target/ferry-$(date -u +%Y%m%dT%H%M%SZ)"

pg_basebackup --pgdata "$name" --format tar --gzip --checkpoint fast

# The list is sorted by name, which begins with the date.
ls -d "$target"/ferry-* | head -n -7 | xargs -r rm -rf
