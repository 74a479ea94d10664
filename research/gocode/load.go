package gocode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"moot/internal/regular"
)

// Main reads a request from standard input, and writes the index to standard output.
func Main(in io.Reader, out io.Writer) int {
	limitMemory()
	debug.SetGCPercent(400) // It is short-lived.
	debug.SetMemoryLimit(maxMemory / 2)
	var request Request
	var answer struct {
		Index  *Index `json:"index"`
		Failed string `json:"failed"`
	}
	err := json.NewDecoder(io.LimitReader(in, maxRequest)).Decode(&request)
	if err == nil {
		answer.Index, err = load(context.Background(), request)
	}
	if err != nil {
		answer.Failed = err.Error()
	}
	if json.NewEncoder(out).Encode(answer) != nil {
		return 1
	}
	return 0
}

// source is a file that was read.
type source struct {
	name string // in the folder, or ""
	file int    // in Index.Files, or -1
	data []byte
	ast  *ast.File
	// broken says that it has errors of syntax, and checked that the type checker saw it.
	broken, checked bool
}

// loader makes an index.
type loader struct {
	request Request
	root    *os.Root
	fset    *token.FileSet
	mutex   sync.Mutex
	sources map[string]*source // by absolute path
	index   *Index
	// declared finds declarations by their position. Variants of a package, such as the one for its tests, share their
	// files and so their positions. methods are the objects of a declaration, one for each variant.
	declared map[token.Pos]int
	methods  map[int][]*types.Func
	// embedded are the positions of types that are embedded in others, which get their methods.
	embedded map[token.Pos]bool
	typed    map[string]*types.Package // by ID
}

func load(ctx context.Context, request Request) (*Index, error) {
	l := &loader{
		request: request, fset: token.NewFileSet(), sources: map[string]*source{}, declared: map[token.Pos]int{},
		methods: map[int][]*types.Func{}, embedded: map[token.Pos]bool{},
		index: &Index{Loose: map[string][]Place{}, Apart: map[string][]Place{}},
	}
	var err error
	if l.root, err = os.OpenRoot(request.Dir); err != nil {
		return nil, err
	}
	defer l.root.Close() //nolint:errcheck // it was only read
	var paths []string
	for i, name := range request.Files {
		full := filepath.Join(request.Dir, filepath.FromSlash(name))
		l.sources[full] = &source{name: name, file: i}
		paths = append(paths, full)
	}
	l.index.Files = request.Files
	l.read(paths)
	l.declare()
	if _, err := exec.LookPath("go"); err != nil && len(request.Modules) > 0 {
		l.problem(ErrNoGo.Error())
	} else {
		for _, module := range request.Modules {
			if err := l.module(ctx, module); err != nil {
				l.problem(module + ": " + err.Error())
			}
		}
	}
	l.connect()
	l.rest()
	return l.index, nil
}

func (l *loader) problem(text string) {
	text, _, _ = strings.Cut(strings.TrimSpace(strings.ReplaceAll(text, l.request.Dir+string(filepath.Separator), "")), "\n")
	if len(l.index.Problems) < maxProblems && !slices.Contains(l.index.Problems, text) {
		l.index.Problems = append(l.index.Problems, text)
	}
}

// read reads and parses files that are not read yet.
func (l *loader) read(paths []string) {
	next := make(chan string)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for full := range next {
				l.mutex.Lock()
				s := l.sources[full]
				if s == nil {
					s = &source{file: -1}
					l.sources[full] = s
				}
				l.mutex.Unlock()
				if s.ast != nil || s.data != nil || s.broken {
					continue
				}
				if err := l.parse(full, s); err != nil {
					s.broken = true
				}
			}
		})
	}
	for _, full := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		next <- full
	}
	close(next)
	group.Wait()
}

// parse reads a file, and parses it if it is one of Go.
func (l *loader) parse(full string, s *source) (err error) {
	if s.file >= 0 {
		s.data, err = readFile(func() (*os.File, error) { return l.root.OpenFile(s.name, regular.Flags, 0) })
	} else {
		s.data, err = readFile(func() (*os.File, error) { return os.OpenFile(full, regular.Flags, 0) })
	}
	if err != nil || !strings.HasSuffix(full, ".go") {
		return err
	}
	s.ast, err = parser.ParseFile(l.fset, full, s.data, parser.SkipObjectResolution)
	if s.file < 0 {
		s.data = []byte{}
	}
	return err
}

func readFile(open func() (*os.File, error)) ([]byte, error) {
	file, err := open()
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, errors.New("it is not a regular file, or too large")
	}
	return io.ReadAll(io.LimitReader(file, maxFile))
}

// declare lists what the files that count declare, in whichever build they take part.
func (l *loader) declare() {
	for i, name := range l.request.Files {
		s := l.sources[filepath.Join(l.request.Dir, filepath.FromSlash(name))]
		if s.broken && !isApart(name) {
			l.index.Broken = append(l.index.Broken, i)
		}
		if s.ast == nil || isApart(name) {
			continue
		}
		add := func(id *ast.Ident, kind, receiver string) {
			if id.Name == "_" {
				return
			}
			l.declared[id.Pos()] = len(l.index.Declared)
			l.index.Declared = append(l.index.Declared, &Declared{
				Name: id.Name, Package: s.ast.Name.Name, Kind: kind, Receiver: receiver, File: i, Line: l.fset.Position(id.Pos()).Line,
			})
		}
		for _, d := range s.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || len(d.Recv.List) == 0 {
					add(d.Name, "function", "")
				} else {
					add(d.Name, "method", receiverName(d.Recv.List[0].Type))
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name, "type", "")
						if contract, is := spec.Type.(*ast.InterfaceType); is {
							for _, method := range contract.Methods.List {
								for _, id := range method.Names {
									add(id, "method", spec.Name.Name)
								}
							}
						}
					case *ast.ValueSpec:
						kind := map[bool]string{true: "constant", false: "variable"}[d.Tok == token.CONST]
						for _, id := range spec.Names {
							add(id, kind, "")
						}
					}
				}
			}
		}
	}
}

// receiverName is the name of the type of a receiver.
func receiverName(expr ast.Expr) string {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return "?"
		}
	}
}

// module lists the packages of a module, checks their types and records the references.
func (l *loader) module(ctx context.Context, dir string) error {
	roots, err := packages.Load(&packages.Config{
		Context: ctx, Dir: filepath.Join(l.request.Dir, filepath.FromSlash(dir)), Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule |
			packages.NeedForTest,
	}, "./...")
	if err != nil {
		return err
	}
	var all []*packages.Package
	var paths []string
	packages.Visit(roots, nil, func(p *packages.Package) {
		all = append(all, p)
		paths = append(paths, p.GoFiles...)
		if l.counts(p) {
			for _, e := range p.Errors {
				l.problem(e.Error())
			}
		}
	})
	l.read(paths)
	// A file belongs to one variant of its package: to that with the tests, if there is one.
	owner := map[string]*packages.Package{}
	for _, wanted := range []bool{true, false} {
		for _, p := range all {
			for _, file := range p.GoFiles {
				isTest := p.ForTest != "" && strings.TrimSuffix(p.PkgPath, "_test") == p.ForTest
				if s := l.sources[file]; s.file >= 0 && !s.checked && owner[file] == nil && isTest == wanted {
					owner[file] = p
				}
			}
		}
	}
	l.typed = map[string]*types.Package{}
	for _, p := range all {
		if p.PkgPath == "unsafe" {
			l.typed[p.ID] = types.Unsafe
			continue
		}
		l.check(p, owner)
	}
	return nil
}

// counts reports whether a package has a file that counts.
func (l *loader) counts(p *packages.Package) bool {
	return slices.ContainsFunc(slices.Concat(p.GoFiles, p.IgnoredFiles), func(file string) bool {
		s := l.sources[file]
		return s != nil && s.file >= 0
	})
}

// check checks the types of a package, whose imports are checked, and records the references in the files that it owns.
func (l *loader) check(p *packages.Package, owner map[string]*packages.Package) {
	var files []*ast.File
	var owned []*source
	for _, name := range p.GoFiles {
		s := l.sources[name]
		if s == nil || s.ast == nil {
			continue
		}
		files = append(files, s.ast)
		if owner[name] == p && !s.broken {
			owned = append(owned, s)
		}
	}
	info := &types.Info{}
	if len(owned) > 0 {
		info.Defs, info.Uses = map[*ast.Ident]types.Object{}, map[*ast.Ident]types.Object{}
	}
	errs := 0
	config := types.Config{
		Importer: importer(func(name string) (*types.Package, error) {
			if imported := p.Imports[name]; imported != nil && l.typed[imported.ID] != nil {
				return l.typed[imported.ID], nil
			}
			return nil, fmt.Errorf("no package %s", name)
		}),
		Sizes: types.SizesFor("gc", runtime.GOARCH), IgnoreFuncBodies: len(owned) == 0, FakeImportC: true,
		Error: func(err error) {
			if errs++; errs == 1 && len(owned) > 0 {
				l.problem(err.Error())
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	checked, _ := config.Check(p.PkgPath, l.fset, files, info) // Error has the first error.
	l.typed[p.ID] = checked
	for _, s := range owned {
		s.checked = true
		l.index.Checked++
		l.record(s, info)
	}
	for _, object := range info.Defs {
		if object == nil || object.Pkg() == nil {
			continue
		}
		if field, is := object.(*types.Var); is && field.Embedded() {
			if named := namedType(field.Type()); named != nil {
				l.embedded[named.Obj().Pos()] = true
			}
		}
		if i, known := l.declared[object.Pos()]; known {
			d := l.index.Declared[i]
			d.Package, d.Path = object.Pkg().Name(), strings.TrimSuffix(object.Pkg().Path(), "_test")
		}
	}
	// Methods of every variant are kept, since types of different variants do not implement each other's interfaces.
	if l.counts(p) && checked != nil {
		l.keepMethods(checked)
	}
}

type importer func(name string) (*types.Package, error)

func (f importer) Import(name string) (*types.Package, error) { return f(name) }

// keepMethods notes the methods of the types of a package.
func (l *loader) keepMethods(p *types.Package) {
	for _, name := range p.Scope().Names() {
		named, is := p.Scope().Lookup(name).(*types.TypeName)
		if !is {
			continue
		}
		switch t := named.Type().(type) {
		case *types.Named:
			for method := range t.Methods() {
				if i, known := l.declared[method.Pos()]; known {
					l.methods[i] = append(l.methods[i], method)
				}
			}
		default:
		}
	}
}

// record records the references in a file.
func (l *loader) record(s *source, info *types.Info) {
	called := map[*ast.Ident]bool{}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is {
			if id := calledName(call.Fun); id != nil {
				called[id] = true
			}
		}
		return true
	})
	ast.Inspect(s.ast, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is || id == s.ast.Name || id.Name == "_" {
			return true
		}
		place := Place{s.file, l.fset.Position(id.Pos()).Line}
		object, used := info.Uses[id]
		if !used {
			if _, defines := info.Defs[id]; !defines {
				l.index.Loose[id.Name] = append(l.index.Loose[id.Name], place)
			}
			return true
		}
		d := l.referred(object)
		switch {
		case d == nil:
		case called[id]:
			d.Calls = append(d.Calls, place)
		default:
			d.Values = append(d.Values, place)
		}
		return true
	})
}

// calledName is the identifier that a call calls, or nil.
func calledName(expr ast.Expr) *ast.Ident {
	for {
		switch e := expr.(type) {
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.SelectorExpr:
			return e.Sel
		case *ast.Ident:
			return e
		default:
			return nil
		}
	}
}

// referred is the declaration of a function, a method or a variable of a package, or nil.
func (l *loader) referred(object types.Object) *Declared {
	kind, receiver := "variable", ""
	switch o := object.(type) {
	case *types.Func:
		o = o.Origin()
		object, kind = o, "function"
		if recv := o.Signature().Recv(); recv != nil {
			kind, receiver = "method", typeName(recv.Type())
			if types.IsInterface(recv.Type()) {
				defer func() {
					if i, known := l.declared[o.Pos()]; known && !slices.Contains(l.methods[i], o) {
						l.methods[i] = append(l.methods[i], o)
					}
				}()
			}
		}
	case *types.Var:
		if o.IsField() || o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
			return nil
		}
	default:
		return nil
	}
	if !object.Pos().IsValid() || object.Pkg() == nil {
		return nil
	}
	i, known := l.declared[object.Pos()]
	if !known {
		i = len(l.index.Declared)
		l.declared[object.Pos()] = i
		l.index.Declared = append(l.index.Declared, &Declared{
			Name: object.Name(), Package: object.Pkg().Name(), Path: object.Pkg().Path(), Receiver: receiver, Kind: kind, File: -1,
		})
	}
	return l.index.Declared[i]
}

// typeName is the name of a type without its package, its pointer and its arguments.
func typeName(t types.Type) string {
	if named := namedType(t); named != nil {
		return named.Obj().Name()
	}
	return "interface"
}

// namedType is a type, or the one that it points to, if it has a name.
func namedType(t types.Type) *types.Named {
	if pointer, is := types.Unalias(t).(*types.Pointer); is {
		t = pointer.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// connect finds the interface methods that may stand for a method.
func (l *loader) connect() {
	contracts := map[string][]int{}
	for i, all := range l.methods {
		if types.IsInterface(all[0].Signature().Recv().Type()) {
			contracts[all[0].Name()] = append(contracts[all[0].Name()], i)
		}
	}
	for i, all := range l.methods {
		if types.IsInterface(all[0].Signature().Recv().Type()) {
			continue
		}
		d := l.index.Declared[i]
		for _, j := range contracts[d.Name] {
			if slices.ContainsFunc(all, func(m *types.Func) bool {
				return slices.ContainsFunc(l.methods[j], func(contract *types.Func) bool { return l.mayBe(m, contract) })
			}) {
				d.Through = append(d.Through, j)
			}
		}
		slices.Sort(d.Through)
	}
}

// mayBe reports whether a call of an interface method may call a method. A type that is embedded may have the others from
// elsewhere.
func (l *loader) mayBe(method, contract *types.Func) bool {
	receiver, wanted := namedType(method.Signature().Recv().Type()), contract.Signature().Recv().Type()
	contractType, is := wanted.Underlying().(*types.Interface)
	if named := namedType(wanted); !is || receiver == nil || receiver.TypeParams().Len() > 0 ||
		named != nil && named.TypeParams().Len() > 0 {
		return true
	}
	full := func(f *types.Func) string { return types.TypeString(f.Signature(), nil) }
	return types.Implements(types.NewPointer(receiver), contractType) ||
		l.embedded[receiver.Obj().Pos()] && full(method) == full(contract)
}

// isApart reports whether the go command ignores a file, by its name or that of a folder.
func isApart(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return part == "testdata" || part[0] == '_' || part[0] == '.'
	})
}

var (
	directive = regexp.MustCompile(`(?m)^//(?:go:linkname|export)[ \t]+(.*)$`)
	word      = regexp.MustCompile(`[\pL_][\pL\pN_]*`)
)

// rest lists the identifiers of the files that the type checker did not see, and the names in directives, by which code
// in other languages and packages can call a function.
func (l *loader) rest() {
	for i, name := range l.request.Files {
		s := l.sources[filepath.Join(l.request.Dir, filepath.FromSlash(name))]
		list := l.index.Loose
		if isApart(name) {
			list = l.index.Apart
		}
		note := func(word string, line int) {
			places := list[word]
			if place := (Place{i, line}); len(places) == 0 || places[len(places)-1] != place {
				list[word] = append(places, place)
			}
		}
		if s.data == nil {
			l.problem(name + ": the file cannot be read, or is over 16 MiB")
			continue
		}
		if !strings.HasSuffix(name, ".go") {
			for n, line := range strings.Split(string(s.data), "\n") {
				if strings.HasPrefix(line, "TEXT") { // It gives a function its body.
					continue
				}
				for _, w := range word.FindAllString(line, -1) {
					note(w, n+1)
				}
			}
			continue
		}
		for _, m := range directive.FindAllSubmatchIndex(s.data, -1) {
			for _, w := range word.FindAllString(string(s.data[m[2]:m[3]]), -1) {
				note(w, 1+strings.Count(string(s.data[:m[0]]), "\n"))
			}
		}
		if s.checked {
			continue
		}
		file := token.NewFileSet().AddFile(name, -1, len(s.data))
		var scan scanner.Scanner
		scan.Init(file, s.data, func(token.Position, string) {}, 0)
		var before token.Token
		for {
			pos, tok, text := scan.Scan()
			if tok == token.EOF {
				break
			}
			// The name of a function or package is not a reference.
			if tok == token.IDENT && before != token.FUNC && before != token.PACKAGE {
				note(text, file.Line(pos))
			}
			before = tok
		}
	}
}
