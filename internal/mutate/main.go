// Command mutate finds rules that no test protects. It negates, drops or swaps one condition of a rule at a time and
// runs the scenarios and the tests beside the rule: a change that no test notices is a survivor, and the rule it
// changes could be wrong without anybody missing it.
//
//	go run ./internal/mutate                    every table of rules
//	go run ./internal/mutate -group AC          the acceptance of points
//	go run ./internal/mutate -only AC8,R3       the rules, or functions, with these names
//	go run ./internal/mutate -sample 40         40 changes of each group, spread evenly
//
// All changes are compiled into the test programs at once, and an environment variable selects one of them. It exits
// with 1 if there are survivors.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// group is a set of rules and the tests that protect them.
type group struct {
	name string
	// files hold the rules.
	files []string
	// tests run in this order until one fails.
	tests []suite
}

// suite is some tests of a package.
type suite struct {
	folder, run, skip string
	// flags are further flags of the test program.
	flags []string
}

// groups returns the tables of rules.
func groups() []group {
	const gates = "protocol/dialectic/gates"
	scenarios := func(folder string) suite { return suite{folder: folder, run: "^TestScenarios$"} }
	// The random sessions take much longer than the scenarios and the other tests together.
	others := func(folder string) suite {
		return suite{folder: folder, run: ".", skip: "^Test(Scenarios|Invariants|Sentences|EveryCourse)$"}
	}
	return []group{
		{
			"AC",
			[]string{"resolver/acceptance.go", "resolver/kind.go"},
			[]suite{
				others(
					"resolver",
				), scenarios("protocol/claims"), scenarios("protocol/consult"), scenarios("protocol/panel"),
				scenarios(
					"protocol/council",
				), others("protocol/claims"), others("protocol/consult"), others("protocol/council"),
			},
		},
		{
			"CV",
			[]string{"protocol/council/rulings.go"},
			[]suite{others("protocol/council"), scenarios("protocol/council")},
		},
		{
			"PN",
			[]string{"protocol/panel/rulings.go", "protocol/panel/evidence.go"},
			[]suite{others("protocol/panel"), scenarios("protocol/panel")},
		},
		{
			"R",
			[]string{gates + "/resolve.go"},
			[]suite{scenarios(gates), others(gates), scenarios("protocol/dialectic")},
		},
		{
			"G",
			[]string{gates + "/gates.go", gates + "/invention.go"},
			[]suite{scenarios(gates), others(gates), scenarios("protocol/dialectic")},
		},
		{
			"D",
			[]string{"protocol/dialectic/rulings.go", "protocol/dialectic/requests.go"},
			[]suite{others("protocol/dialectic"), scenarios("protocol/dialectic")},
		},
		{
			"judge",
			[]string{"protocol/hearing/judge/judge.go"},
			[]suite{others("protocol/hearing/judge"), scenarios("protocol/hearing")},
		},
	}
}

// options are the flags.
type options struct {
	group, only string
	sample      int
	timeout     time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.group, "group", "", "only this group: AC, CV, PN, R, G, D or judge")
	flag.StringVar(&o.only, "only", "", "only the rules or functions with these names, separated by commas")
	flag.IntVar(&o.sample, "sample", 0, "at most this many changes of each group")
	flag.DurationVar(
		&o.timeout,
		"timeout",
		2*time.Minute,
		"how long the tests of one change may take; more is a failure",
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	survivors, err := mutate(ctx, os.Stdout, groups(), &o)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	case survivors > 0:
		os.Exit(1)
	}
}

// mutate prints the survivors of the chosen groups and returns their number.
func mutate(ctx context.Context, to io.Writer, chosen []group, o *options) (survivors int, err error) {
	if _, err := os.Stat("go.mod"); err != nil {
		return 0, errors.New("run it from the root of the project")
	}
	if o.group != "" {
		chosen = slices.DeleteFunc(chosen, func(g group) bool { return g.name != o.group })
	}
	if len(chosen) == 0 {
		return 0, fmt.Errorf("there is no group %q", o.group)
	}
	work, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	for _, g := range chosen {
		changes, err := g.build(ctx, work, o)
		if err != nil {
			return survivors, fmt.Errorf("%s: %w", g.name, err)
		}
		if len(changes) == 0 {
			continue
		}
		if at, output := g.noticed(ctx, work, 0, o.timeout); at >= 0 {
			return survivors, fmt.Errorf("%s: the tests fail without any change:\n%s", g.name, output)
		}
		noticed, err := g.try(ctx, to, work, changes, o.timeout)
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return survivors, err
		}
		alive, parts := len(changes), make([]string, len(g.tests))
		for i, t := range g.tests {
			alive -= noticed[i]
			parts[i] = strings.TrimSuffix(fmt.Sprintf("%d in %s %s", noticed[i], t.folder, t.run), " .")
		}
		if _, err := fmt.Fprintf(to, "%s: the tests notice %d of %d changes: %s\n", g.name, len(changes)-alive, len(changes),
			strings.Join(parts, ", ")); err != nil {
			return survivors, err
		}
		survivors += alive
	}
	return survivors, nil
}

// build compiles the test programs of a group with all its changes, and returns those to try.
func (g *group) build(ctx context.Context, work string, o *options) ([]change, error) {
	m := &mutator{}
	overlay := map[string]string{}
	helpers := map[string]string{}
	for i, name := range g.files {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text, pkg, err := m.file(name, source)
		if err != nil {
			return nil, fmt.Errorf("change %s: %w", name, err)
		}
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		changed := filepath.Join(work, fmt.Sprintf("%s-%d.go", g.name, i))
		if err := os.WriteFile(changed, text, 0o600); err != nil { //nolint:gosec // the names are those of groups
			return nil, err
		}
		overlay[path] = changed
		helpers[filepath.Dir(path)] = pkg
	}
	for dir, pkg := range helpers {
		added := filepath.Join(work, g.name+"-"+pkg+".go")
		if err := os.WriteFile(added, []byte(m.helper(pkg)), 0o600); err != nil {
			return nil, err
		}
		overlay[filepath.Join(dir, "active_mutant.go")] = added
	}
	encoded, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(work, g.name+".json")
	if err := os.WriteFile(list, encoded, 0o600); err != nil {
		return nil, err
	}
	for i := range g.tests {
		build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", list, "-o", g.program(work, i),
			"./"+g.tests[i].folder)
		if output, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build the tests of %s: %w\n%s", g.tests[i].folder, err, output)
		}
		// A property that fails must not leave a file in testdata, where the tests of the next change would find it.
		noFile := []string{"-rapid.nofailfile"}
		if exec.CommandContext(ctx, g.program(work, i), append(noFile, "-test.run", "^$")...).Run() == nil {
			g.tests[i].flags = noFile
		}
	}
	return chosen(m.changes, o), nil
}

// chosen returns the changes that the flags select.
func chosen(all []change, o *options) []change {
	if o.only != "" {
		names := strings.Split(o.only, ",")
		all = slices.DeleteFunc(all, func(c change) bool { return !slices.Contains(names, c.rule) })
	}
	if o.sample <= 0 || len(all) <= o.sample {
		return all
	}
	spread := make([]change, o.sample)
	for i := range spread {
		spread[i] = all[i*len(all)/o.sample]
	}
	return spread
}

// program returns the path of a test program.
func (g *group) program(work string, i int) string {
	return filepath.Join(work, fmt.Sprintf("%s-%d.test", g.name, i))
}

// try tries the changes, on all processors, and counts for each suite those that it notices first. It prints each
// change that no test notices as soon as that is known.
func (g *group) try(
	ctx context.Context, to io.Writer, work string, changes []change, timeout time.Duration,
) (noticed []int, err error) {
	noticed = make([]int, len(g.tests))
	next := make(chan change)
	var workers sync.WaitGroup
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for c := range next {
				at, _ := g.noticed(ctx, work, c.id, timeout)
				mu.Lock()
				if at >= 0 {
					noticed[at]++
				} else {
					_, printed := fmt.Fprintf(to, "survives  %s\n", c)
					err = cmp.Or(err, printed)
				}
				mu.Unlock()
			}
		})
	}
	for _, c := range changes {
		next <- c
	}
	close(next)
	workers.Wait()
	return noticed, err
}

// noticed returns the first suite that fails with the change of the number id, or -1. With 0, nothing is changed.
func (g *group) noticed(ctx context.Context, work string, id int, timeout time.Duration) (at int, output []byte) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for i, t := range g.tests {
		run := exec.CommandContext(
			ctx,
			g.program(work, i),
			append([]string{"-test.failfast", "-test.run", t.run, "-test.skip", t.skip}, t.flags...)...)
		run.Dir = t.folder
		run.Env = append(os.Environ(), variable+"="+strconv.Itoa(id))
		if output, err := run.CombinedOutput(); err != nil {
			return i, output
		}
	}
	return -1, nil
}
