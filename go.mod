module moot

go 1.26

require (
	github.com/adrg/xdg v0.5.3 // indirect
	github.com/gofrs/flock v0.13.1 // indirect
	golang.org/x/sys v0.47.0 // indirect
)
