package program

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/agent/program/process"
	"moot/plain"
)

// versionTime is how long a program may take to tell its version.
const versionTime = 20 * time.Second

// mostOfVersion is how much a program may say of its version, in bytes.
const mostOfVersion = 64 << 10

// versionPattern finds a version, which no digit or dot stands before.
var versionPattern = regexp.MustCompile(`(?:^|[^0-9.])(\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:[-+.][0-9A-Za-z.-]{1,30})?)`)

// VersionIn is the first version in what a program says of itself: "0.169.0" of
// "codex-cli 0.169.0"; "" for none.
func VersionIn(said string) string {
	if found := versionPattern.FindStringSubmatch(plain.Line(said)); found != nil {
		return found[1]
	}
	return ""
}

// AskVersion runs a program for its version, and returns what it wrote on standard
// output. Errors are those of the runner.
func AskVersion(ctx context.Context, runner *process.Runner, asked process.Spec) (string, process.Result, error) {
	var said strings.Builder
	asked.Limits.MaxOutputBytes = mostOfVersion
	asked.Output = func(piece []byte) error {
		said.Write(piece)
		return nil
	}
	result, err := runner.Run(ctx, asked)
	return said.String(), result, err
}

// AskVersion runs the program for its version, "" where it tells none. The error
// is that of a program that does not run at all.
func (a *Adapter) AskVersion(ctx context.Context, runner *process.Runner, env []string) (string, error) {
	if len(a.Version.Arguments) == 0 {
		_, err := process.Find(a.Command)
		return "", err
	}
	said, _, err := AskVersion(ctx, runner, process.Spec{
		Path: a.Command, Args: a.Version.Arguments, Env: env, Limits: process.Limits{Total: versionTime},
	})
	return VersionIn(said), err
}

// WasTried reports whether a version is among those that were tried.
func (a *Adapter) WasTried(version string) bool {
	return slices.ContainsFunc(a.Version.Tried, func(tried string) bool {
		return version == tried || strings.HasPrefix(version, tried+".") || strings.HasPrefix(version, tried+"-")
	})
}

// Untried is what is said of a version that was not tried, "" of one that was or
// that is not known: "codex 0.171.0 is newer than what it was tried with (0.169)".
func (a *Adapter) Untried(version string) string {
	if version == "" || len(a.Version.Tried) == 0 || a.WasTried(version) {
		return ""
	}
	than := "older"
	for _, tried := range a.Version.Tried {
		if compareVersions(version, tried) > 0 {
			than = "newer"
		}
	}
	return fmt.Sprintf("%s %s is %s than what moot was tried with (%s)", a.Name, version, than, strings.Join(a.Version.Tried, ", "))
}

// compareVersions compares numbers between dots.
func compareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		m, _ := strconv.Atoi(x) // What is no number counts as 0.
		n, _ := strconv.Atoi(y)
		return cmp.Compare(m, n)
	})
}

// learnVersion asks for the version once, and says where it was not tried.
func (p *Program) learnVersion(ctx context.Context) (note string, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.asked {
		return "", nil
	}
	version, err := p.adapter.AskVersion(ctx, &p.runner, p.env)
	if err != nil {
		return "", err
	}
	p.asked, p.version = true, version
	return p.adapter.Untried(version), nil
}

// versioned is the program with its version: "codex 0.169.0".
func (p *Program) versioned() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.version == "" {
		return p.adapter.Name
	}
	return p.adapter.Name + " " + p.version
}
