// Package gocode knows which functions of Go code are called where, by go/packages and go/types. The code may be
// hostile, and a type checker has no limits of its own, so a process with limits (Main) makes the index: main of this
// program must call it if IsHelper says so. Nothing of the code runs: the go command only lists packages.
//
// An index is honest about what it does not know: an identifier that the type checker did not resolve, because its file
// belongs to another system or its package has errors, is listed by name. Start at Make and Index.Callers.
package gocode

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"moot/internal/process"
)

// Request says which code to read.
type Request struct {
	// Dir is the folder, and Files the Go and assembly files in it that count, with slashes.
	Dir   string   `json:"dir"`
	Files []string `json:"files"`
	// Modules are the folders in Dir with a go.mod, "." for Dir itself; without any, only declarations are listed. Work says
	// that Dir has a go.work.
	Modules []string `json:"modules"`
	Work    bool     `json:"work"`
}

// Place is a line of a file: the index of the file, and the line from 1.
type Place [2]int

// Index holds declarations and references.
type Index struct {
	Files    []string    `json:"files"`
	Declared []*Declared `json:"declared"`
	// Loose are identifiers by name that were not resolved: each may be a reference. Apart are those in files that Go
	// ignores, such as testdata.
	Loose map[string][]Place `json:"loose"`
	Apart map[string][]Place `json:"apart"`
	// Broken are the files with errors of syntax, so that Declared may lack some of theirs.
	Broken []int `json:"broken"`
	// Problems say what kept the code from being read whole.
	Problems []string `json:"problems"`
	// Checked is the number of files that the type checker saw.
	Checked int `json:"checked"`
}

// Declared is a name that a package declares.
type Declared struct {
	Name string `json:"name"`
	// Package is the name of the package and Path its import path, "" if the package was not loaded. Receiver is the type
	// of a method.
	Package  string `json:"package"`
	Path     string `json:"path"`
	Receiver string `json:"receiver"`
	// Kind is function, method, type, variable or constant.
	Kind string `json:"kind"`
	// File is an index, or -1 for a declaration outside of the files that count.
	File int `json:"file"`
	Line int `json:"line"`
	// Calls are references that are called, and Values the others.
	Calls  []Place `json:"calls"`
	Values []Place `json:"values"`
	// Through are methods of interfaces, by their index in Declared, that may stand for this method.
	Through []int `json:"through"`
}

// Limits of the helper.
const (
	// helperArgument is its only argument.
	helperArgument = "moot-go-index"
	// maxOutput bounds the size of an index, and maxRequest that of a request, in bytes.
	maxOutput  = 128 << 20
	maxRequest = 64 << 20
	// maxMemory is how much address space it may use.
	maxMemory = 4 << 30
	// maxFile is the largest file that is read, and maxProblems how many problems are kept.
	maxFile     = 16 << 20
	maxProblems = 20
)

// IsHelper reports whether the process was started to make an index; args begins with the name of the process.
func IsHelper(args []string) bool { return len(args) == 2 && args[1] == helperArgument }

// ErrNoGo says that there is no go command.
var ErrNoGo = errors.New("there is no go command on the search path")

// Make makes an index in a process of its own, which ends with the context. environ is the environment of this program.
func Make(ctx context.Context, request Request, environ []string) (*Index, error) {
	input, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	program := "/proc/self/exe" // It is this program even if its file was replaced.
	if runtime.GOOS != "linux" {
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	var output []byte
	const unlimited = 24 * time.Hour // The context is the limit.
	runner := &process.Runner{}
	defer runner.Close()
	result, err := runner.Run(ctx, process.Spec{
		Path: program, Args: []string{helperArgument}, Dir: request.Dir, Env: environment(request, environ), Stdin: input,
		Output: func(piece []byte) error { output = append(output, piece...); return nil },
		Limits: process.Limits{Total: unlimited, Silence: unlimited, TermWait: 100 * time.Millisecond, MaxOutputBytes: maxOutput},
	})
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("reading the Go packages took longer than a check may: %w", ctx.Err())
	case err != nil || result.Exit != 0:
		return nil, fmt.Errorf("the Go packages cannot be read: %w", cmp.Or(err, errors.New("they need too much memory or time")))
	}
	var answer struct {
		Index  *Index `json:"index"`
		Failed string `json:"failed"`
	}
	if err := json.Unmarshal(output, &answer); err != nil || answer.Index == nil {
		return nil, fmt.Errorf("the Go packages cannot be read: %s", cmp.Or(answer.Failed, "their index is incomplete"))
	}
	return answer.Index, nil
}

// environment returns the variables of the go command. It fetches nothing, uses no other toolchain, runs no C compiler and
// no version control, and reads no go.work outside of the folder. GOFLAGS is not empty, since an empty one would let
// the file of "go env -w" decide.
func environment(request Request, environ []string) (env []string) {
	known := []string{
		"PATH", "HOME", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "GOROOT", "GOPATH", "GOCACHE",
		"GOMODCACHE", "GOTMPDIR", "GOOS", "GOARCH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE",
		"APPDATA", "LOCALAPPDATA",
	}
	for _, entry := range environ {
		if name, _, _ := strings.Cut(entry, "="); slices.Contains(known, name) {
			env = append(env, entry)
		}
	}
	work := "off"
	if request.Work {
		work = filepath.Join(request.Dir, "go.work")
	}
	return append(env, "GOFLAGS=-buildvcs=false", "GOPROXY=off", "GONOPROXY=none", "GOPRIVATE=none", "GOSUMDB=off", "GOVCS=*:off",
		"GOTOOLCHAIN=local", "CGO_ENABLED=0", "GOPACKAGESDRIVER=off", "GO111MODULE=on", "GOWORK="+work, "GIT_TERMINAL_PROMPT=0")
}

// Callers holds the references to a function.
type Callers struct {
	// Of is the function, or nil. Then Several have the name, or Near ones the last part of it.
	Of            *Declared
	Several, Near []*Declared
	// Calls are certain. Through are calls of interface methods that may be this method, and Loose identifiers with its
	// name that were not resolved. Values use the function without calling it. Apart is for files that Go ignores.
	Calls, Values, Through, Loose, Apart []Place
}

// Callers returns the calls of a function, a method or a variable with a function.
func (x *Index) Callers(name string) (c Callers, err error) {
	wanted, err := parseName(name)
	if err != nil {
		return c, err
	}
	var found, near []*Declared
	for _, d := range x.Declared {
		if d.Kind == "type" || d.Kind == "constant" || d.Name != wanted.name {
			continue
		}
		near = append(near, d)
		if wanted.fits(d) {
			found = append(found, d)
		}
	}
	// What the code declares comes before what it only uses.
	if here := slices.DeleteFunc(slices.Clone(found), func(d *Declared) bool { return d.File < 0 }); len(here) > 0 {
		found = here
	}
	if len(found) == 0 {
		return Callers{Near: near}, nil
	}
	c = Callers{Of: found[0], Loose: x.Loose[wanted.name], Apart: x.Apart[wanted.name]}
	for _, d := range found {
		if !x.isSame(d, c.Of) {
			return Callers{Several: found}, nil
		}
		c.Calls, c.Values = append(c.Calls, d.Calls...), append(c.Values, d.Values...)
		for _, i := range d.Through {
			c.Through = append(c.Through, x.Declared[i].Calls...)
			c.Values = append(c.Values, x.Declared[i].Values...)
		}
	}
	return c, nil
}

// isSame reports whether two declarations are one for different systems: files of one folder that are not built together.
func (x *Index) isSame(a, b *Declared) bool {
	return a == b || a.File >= 0 && b.File >= 0 && a.Receiver == b.Receiver && a.Package == b.Package && a.Kind == b.Kind &&
		path.Dir(x.Files[a.File]) == path.Dir(x.Files[b.File]) && a.File != b.File
}

// Symbols returns the declarations with a name in the files that count.
func (x *Index) Symbols(name string) ([]*Declared, error) {
	wanted, err := parseName(name)
	if err != nil {
		return nil, err
	}
	var found []*Declared
	for _, d := range x.Declared {
		if d.File >= 0 && d.Name == wanted.name && wanted.fits(d) {
			found = append(found, d)
		}
	}
	return found, nil
}

// String is the name by which a seat can cite a declaration.
func (d *Declared) String() string {
	switch {
	case d.Receiver != "":
		return "(*" + d.Package + "." + d.Receiver + ")." + d.Name
	case strings.Contains(d.Path, "/") && d.Package == "main":
		return path.Base(d.Path) + "." + d.Name
	}
	return d.Package + "." + d.Name
}

// symbolName is a name in its parts, "" for those that are not given. owner is a package or a type.
type symbolName struct{ path, owner, receiver, name string }

var symbolPart = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// parseName reads Func, pkg.Func, path/pkg.Func, Type.Method, (*Type).Method, pkg.Type.Method, pkg.(*Type).Method and
// (*pkg.Type).Method.
func parseName(text string) (n symbolName, err error) {
	wrong := fmt.Errorf("%.80q is no name: write Func, pkg.Func, (*Type).Method or (*pkg.Type).Method", text)
	rest := strings.NewReplacer("(", "", ")", "", "*", "").Replace(strings.TrimSpace(text))
	if at := strings.LastIndexByte(rest, '/'); at >= 0 {
		n.path, rest = rest[:at+1], rest[at+1:]
	}
	parts := strings.Split(rest, ".")
	if len(parts) > 3 || n.path != "" && len(parts) < 2 {
		return n, wrong
	}
	for i, part := range parts {
		if !symbolPart.MatchString(part) && (i > 0 || n.path == "") {
			return n, wrong
		}
	}
	n.name = parts[len(parts)-1]
	switch len(parts) {
	case 3:
		n.owner, n.receiver = parts[0], parts[1]
	case 2:
		n.owner = parts[0]
	}
	return n, nil
}

// fits reports whether a declaration with the same last name has the name.
func (n symbolName) fits(d *Declared) bool {
	inPackage := func() bool {
		full := n.path + n.owner
		return n.path == "" && (d.Package == n.owner || path.Base(d.Path) == n.owner) ||
			n.path != "" && (d.Path == full || strings.HasSuffix(d.Path, "/"+full))
	}
	switch {
	case n.owner == "":
		return true
	case n.receiver != "":
		return d.Receiver == n.receiver && inPackage()
	case d.Receiver == "":
		return inPackage()
	}
	return n.path == "" && d.Receiver == n.owner
}
