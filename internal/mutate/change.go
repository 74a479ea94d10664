package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// variable selects the active change in a test program, by its number.
const variable = "MOOT_MUTANT"

// change is one way to change a condition.
type change struct {
	// id counts from 1 within a group.
	id int
	// at is "file:line", rule the rule or function, what describes the change with the text of the condition.
	at, rule, what string
}

func (c change) String() string { return c.at + "  " + c.rule + "  " + c.what }

// mutator rewrites files so that each change can be activated. The rewritten conditions call functions of helper.
type mutator struct {
	changes []change
	// swaps are statements that swap two rows of a table.
	swaps []string

	files  *token.FileSet
	source []byte
	name   string
	rule   string
}

// file returns the text of a file with all its changes, and the name of its package.
func (m *mutator) file(name string, source []byte) (text []byte, pkg string, err error) {
	m.files, m.name, m.source = token.NewFileSet(), name, source
	parsed, err := parser.ParseFile(m.files, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, "", err
	}
	// Directives such as go:embed are part of the program. Other comments could end up inside a changed condition.
	parsed.Comments = slices.DeleteFunc(parsed.Comments, func(c *ast.CommentGroup) bool {
		return !strings.HasPrefix(c.List[0].Text, "//go:")
	})
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				m.rule = d.Name.Name
				m.visit(d.Body)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR && len(v.Values) == 1 {
					m.rule = v.Names[0].Name
					m.table(v.Names[0].Name, v.Values[0])
				}
			}
		}
	}
	var out bytes.Buffer
	if err := format.Node(&out, m.files, parsed); err != nil {
		return nil, "", err
	}
	return out.Bytes(), parsed.Name.Name, nil
}

// table visits a variable. The rows of a table of rules are also swapped with their successors.
func (m *mutator) table(name string, value ast.Expr) {
	m.visit(value)
	rows, ok := value.(*ast.CompositeLit)
	if !ok {
		return
	}
	last := ""
	for i, row := range rows.Elts {
		rule := nameOf(row)
		if i > 0 && last != "" && rule != "" {
			m.rule = last
			id := m.add(rows.Elts[i-1], "swapped with the row after it, "+rule)
			m.swaps = append(m.swaps, fmt.Sprintf("if mutantIs(%d) {\n%s[%d], %s[%d] = %s[%d], %s[%d]\n}\n",
				id, name, i-1, name, i, name, i, name, i-1))
		}
		last = rule
	}
}

// nameOf returns the name of a rule that a row of a table holds, or "".
func nameOf(row ast.Node) string {
	lit, ok := row.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	for _, e := range lit.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return ""
		}
		key, _ := pair.Key.(*ast.Ident)
		value, _ := pair.Value.(*ast.BasicLit)
		if key != nil && key.Name == "Rule" && value != nil {
			name, _ := strconv.Unquote(value.Value)
			return name
		}
	}
	return ""
}

// visit changes the conditions below a node, in place.
func (m *mutator) visit(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if name := nameOf(n); name != "" {
				m.rule = name
			}
			for i, e := range n.Elts {
				n.Elts[i] = m.element(e)
			}
		case *ast.IfStmt:
			n.Cond = m.condition(n.Cond)
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, s := range n.Body.List {
					m.each(s.(*ast.CaseClause).List)
				}
			}
		case *ast.ReturnStmt:
			m.results(n.Results)
		case *ast.AssignStmt:
			m.results(n.Rhs)
		case *ast.CallExpr:
			if !isCall(n) {
				m.results(n.Args)
			}
		}
		return true
	})
}

// element changes an element of a literal: a condition of a row is dropped, and a sign replaced.
func (m *mutator) element(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.KeyValueExpr:
		f, ok := e.Value.(*ast.FuncLit)
		if key, named := e.Key.(*ast.Ident); ok && named && key.Name == "When" {
			id := m.add(e, "never applies")
			f.Body.List = append([]ast.Stmt{&ast.IfStmt{
				Cond: call("mutantIs", id),
				Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{ast.NewIdent("nil")}}}},
			}}, f.Body.List...)
		}
	case *ast.BasicLit:
		opposite := map[string][2]string{
			`"≥"`: {"<", ">"}, `">"`: {"≤", "≥"}, `"<"`: {"≥", "≤"}, `"≤"`: {">", "<"},
		}[e.Value]
		if opposite[0] == "" {
			return e
		}
		return &ast.CallExpr{Fun: ast.NewIdent("mutantSign"), Args: []ast.Expr{
			&ast.BasicLit{Kind: token.STRING, Value: e.Value},
			number(m.add(e, "is "+opposite[0])), &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(opposite[0])},
			number(m.add(e, "is "+opposite[1])), &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(opposite[1])},
		}}
	}
	return e
}

func (m *mutator) each(list []ast.Expr) {
	for i := range list {
		list[i] = m.condition(list[i])
	}
}

// results changes those of several values that are conditions by their form.
func (m *mutator) results(list []ast.Expr) {
	for i, e := range list {
		if conditional(e) {
			list[i] = m.condition(e)
		}
	}
}

// conditional reports whether an expression is a condition by its form.
func conditional(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return conditional(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		switch e.Op { //nolint:exhaustive // the others have other values
		case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		}
	}
	return false
}

// condition returns a condition that can be negated, and whose parts can be dropped.
func (m *mutator) condition(e ast.Expr) ast.Expr {
	if isCall(e) {
		return e // It was changed as a part of something else.
	}
	from, to := e.Pos(), e.End()
	m.parts(e)
	return call("mutantNot", m.addSpan(from, to, "negated"), e)
}

// parts makes the operands of && and || droppable.
func (m *mutator) parts(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		m.parts(e.X)
	case *ast.BinaryExpr:
		drop := map[token.Token]string{token.LAND: "mutantTrue", token.LOR: "mutantFalse"}[e.Op]
		if drop == "" {
			return
		}
		for _, operand := range []*ast.Expr{&e.X, &e.Y} {
			b, _ := (*operand).(*ast.BinaryExpr)
			from, to := (*operand).Pos(), (*operand).End()
			m.parts(*operand)
			if b == nil || b.Op != e.Op {
				// Parts of a chain are dropped one by one.
				*operand = call(drop, m.addSpan(from, to, "dropped"), *operand)
			}
		}
	}
}

// add records a change of a node.
func (m *mutator) add(n ast.Node, what string) (id int) { return m.addSpan(n.Pos(), n.End(), what) }

// addSpan records a change of the text between two places. A node whose parts were changed has lost its places.
func (m *mutator) addSpan(start, end token.Pos, what string) (id int) {
	from, to := m.files.Position(start), m.files.Position(end)
	text := ""
	if from.IsValid() && to.IsValid() && from.Offset < to.Offset && to.Offset <= len(m.source) {
		text = strings.Join(strings.Fields(string(m.source[from.Offset:to.Offset])), " ")
	}
	if runes := []rune(text); len(runes) > 80 {
		text = string(runes[:80]) + "…"
	}
	id = len(m.changes) + 1
	m.changes = append(m.changes, change{
		id: id, at: fmt.Sprintf("%s:%d", m.name, from.Line), rule: m.rule, what: what + ": " + text,
	})
	return id
}

// isCall reports whether an expression is already changed.
func isCall(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := c.Fun.(*ast.Ident)
	return ok && strings.HasPrefix(f.Name, "mutant")
}

func number(id int) ast.Expr { return &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(id)} }

func call(name string, id int, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: ast.NewIdent(name), Args: append([]ast.Expr{number(id)}, args...)}
}

// helper returns the file that a package gets: the functions that activate a change.
func (m *mutator) helper(pkg string) string {
	return `package ` + pkg + `

import (
	"os"
	"strconv"
)

var activeMutant, _ = strconv.Atoi(os.Getenv("` + variable + `"))

func mutantIs(id int) bool { return id == activeMutant }

func mutantNot(id int, ok bool) bool { return ok != mutantIs(id) }

func mutantTrue(id int, ok bool) bool { return ok || mutantIs(id) }

func mutantFalse(id int, ok bool) bool { return ok && !mutantIs(id) }

func mutantSign(sign string, opposite int, other string, edge int, close string) string {
	switch activeMutant {
	case opposite:
		return other
	case edge:
		return close
	}
	return sign
}

func init() {
	` + strings.Join(m.swaps, "\t") + `}
`
}
