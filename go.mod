module moot

go 1.26
