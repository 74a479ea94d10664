package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var systems = flag.String("systems", "", "check the types of moot for these systems too, as in darwin,windows")

// TestOtherSystems checks the types of all packages for other systems, with those of their dependencies. What a build
// would refuse is found in a tenth of its time, since no code is made.
func TestOtherSystems(t *testing.T) {
	t.Parallel()
	if *systems == "" {
		t.Skip("-systems names no system")
	}
	for system := range strings.SplitSeq(*systems, ",") {
		t.Run(system, func(t *testing.T) {
			found, err := packages.Load(&packages.Config{
				Context: t.Context(),
				Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
					packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax,
				Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
			}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			if len(found) < 50 {
				t.Errorf("only %d packages", len(found))
			}
			packages.Visit(found, nil, func(p *packages.Package) {
				for _, problem := range p.Errors {
					t.Error(problem)
				}
			})
		})
	}
}
