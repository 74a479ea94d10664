module moot

go 1.26

require (
	github.com/adrg/xdg v0.5.3 // indirect
	github.com/gofrs/flock v0.13.1 // indirect
	github.com/google/jsonschema-go v0.4.3
	golang.org/x/sys v0.47.0 // indirect
)
