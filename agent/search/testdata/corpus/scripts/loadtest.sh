#!/bin/sh
# Enqueues many jobs at once and prints how many per second were accepted.
set -eu

count="${COUNT:-10000}"
started=$(date +%s)
seq "$count" | xargs -P 16 -I{} curl -fsS -X POST "$FERRY_URL/v1/jobs" \
  -H "Authorization: Bearer $FERRY_TOKEN" -d '{"queue":"load","payload":{"n":{}}}' >/dev/null
echo "$((count / ($(date +%s) - started + 1))) jobs per second"
