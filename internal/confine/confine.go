// Package confine runs a program under Landlock, the sandbox of the Linux kernel: it can use the files that a Policy
// names. A filter of system calls closes the network, since Landlock closes only a part of it. Landlock restricts the process that asks for it, so the current program starts itself as a
// helper (Wrap), which restricts itself and becomes the program (Main); there is no shell between. The first thing
// that main does is to call Main if IsHelper says so. The helper reports through a pipe what it did, so that
// the record says what held rather than what was meant to.
//
// Where the kernel has no Landlock, Supported is 0 and the caller runs the program without the helper. Start at Plan.
package confine

import (
	"cmp"
	_ "embed" // The folders are a file of their own.
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moot/internal/regular"
)

// Policy lists the files that a program may use. Files and folders that don't exist are left out.
type Policy struct {
	// Read may be read and run, Write also changed.
	Read  []string `json:"read"`
	Write []string `json:"write"`
}

// Plan is how one program runs.
type Plan struct {
	Policy Policy
	// Environ is the environment of the program.
	Environ []string
	// HomeClosed says that the workspace holds the home folder, and that what is hidden there is left out of Policy.
	HomeClosed bool
}

//go:embed folders.txt
var folders string

// NewPlan plans a run of a program, an absolute path, in a workspace: it may change that and a temporary folder, which
// becomes TMPDIR, and use what folders.txt lists. also are further files and folders to read.
func NewPlan(program, workspace, temporary string, environ, also []string) Plan {
	p := Plan{Environ: slices.Clone(environ)}
	known := environ
	variable := func(name string) string {
		for _, entry := range slices.Backward(known) {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
	home := variable("HOME")
	if person, err := user.Current(); home == "" && err == nil {
		home = person.HomeDir
	}
	// What "go env -w" has set counts unless the environment says otherwise.
	configuration := cmp.Or(variable("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	if text, err := regular.Read(filepath.Join(configuration, "go", "env"), maxGoEnv); err == nil {
		known = append(strings.Split(string(text), "\n"), environ...)
	}
	open := func(list *[]string, path string) bool {
		if !filepath.IsAbs(path) || holds(path, home) {
			return false
		}
		if _, err := os.Stat(path); err != nil {
			return false
		}
		*list = append(*list, path)
		return true
	}
	p.Environ = append(p.Environ, "TMPDIR="+temporary, "TMP="+temporary, "TEMP="+temporary)
	if variable("GOTMPDIR") != "" {
		p.Environ = append(p.Environ, "GOTMPDIR="+temporary)
	}
	p.Policy.Write = append(p.Policy.Write, temporary)
	if !holds(workspace, home) {
		p.Policy.Write = append(p.Policy.Write, workspace)
	} else {
		// Rules only add: what must stay closed inside of the workspace is not named.
		p.HomeClosed = true
		entries, _ := os.ReadDir(home)
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") && e.Type()&os.ModeSymlink == 0 {
				p.Policy.Write = append(p.Policy.Write, filepath.Join(home, e.Name()))
			}
		}
	}
	for line := range strings.Lines(folders) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		var paths []string
		cache := ""
		if words[0] == "cache" {
			cache = words[1]
			words = []string{"cache", "$" + words[1], words[2]}
		}
		for _, word := range words[1:] {
			paths = append(paths, expand(word, home, variable)...)
		}
		opened := false
		for _, path := range paths {
			list := &p.Policy.Write
			if words[0] == "read" {
				list = &p.Policy.Read
			}
			opened = open(list, path) || opened
		}
		if cache != "" && !opened {
			p.Environ = append(p.Environ, cache+"="+filepath.Join(temporary, strings.ToLower(cache)))
		}
	}
	for _, folder := range filepath.SplitList(variable("PATH")) {
		if open(&p.Policy.Read, folder) {
			// Go finds its library next to the folder of its program.
			if root, err := filepath.EvalSymlinks(filepath.Join(folder, "go")); err == nil {
				root = filepath.Dir(filepath.Dir(root))
				if info, err := os.Stat(filepath.Join(root, "src", "runtime")); err == nil && info.IsDir() {
					open(&p.Policy.Read, root)
				}
			}
		}
	}
	for _, path := range append(slices.Clip(also), program) {
		open(&p.Policy.Read, path)
	}
	return p
}

// maxGoEnv bounds what is read of Go's settings.
const maxGoEnv = 64 << 10

// expand returns the paths of a word of folders.txt; a variable may hold a list of folders.
func expand(word, home string, variable func(string) string) []string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		if home == "" {
			return nil
		}
		return []string{filepath.Join(home, rest)}
	}
	name, ok := strings.CutPrefix(word, "$")
	if !ok {
		return []string{word}
	}
	name, rest, _ := strings.Cut(name, "/")
	var paths []string
	for _, folder := range filepath.SplitList(variable(name)) {
		paths = append(paths, filepath.Join(folder, rest))
	}
	return paths
}

// holds reports whether a folder is another one or holds it. Links are resolved.
func holds(folder, other string) bool {
	if other == "" {
		return false
	}
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	if resolved, err := filepath.EvalSymlinks(other); err == nil {
		other = resolved
	}
	inside, err := filepath.Rel(folder, other)
	return err == nil && filepath.IsLocal(inside)
}

// helperArgument is the first argument of the helper, and helperPath how the current program starts itself, also when
// its file was replaced meanwhile.
const (
	helperArgument = "moot-confined-command"
	helperPath     = "/proc/self/exe"
)

// Wrap returns the helper and its arguments for a program, an absolute path, with its name and arguments. The helper
// expects the pipe for its report as its first extra file.
func Wrap(policy Policy, program string, words []string) (path string, args []string) {
	rules, _ := json.Marshal(policy) // Strings can be written.
	return helperPath, append([]string{helperArgument, string(rules), program}, words...)
}

// IsHelper reports whether the process was started as the helper; args begins with the name of the process.
func IsHelper(args []string) bool { return len(args) > 4 && args[1] == helperArgument }

// Report says how the helper ended.
type Report struct {
	// ABI is the version of Landlock that holds, or 0.
	ABI int
	// Network says that no socket of a network can be opened.
	Network bool
	// Failed says why the program could not be confined, and Exec why the confined one did not start; else "".
	Failed, Exec string
}

const (
	reportABI     = "abi "
	reportNetwork = "network "
	reportFailed  = "failed "
	reportExec    = "exec "
)

// maxReport bounds a report. It fits the buffer of a pipe.
const maxReport = 4 << 10

// ReadReport reads the report of a helper that has become the program, or has ended.
func ReadReport(from io.Reader) (r Report, err error) {
	text, err := io.ReadAll(io.LimitReader(from, maxReport))
	if err != nil {
		return r, fmt.Errorf("read what the helper did: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if abi, ok := strings.CutPrefix(line, reportABI); ok {
			r.ABI, _ = strconv.Atoi(abi)
		} else if strings.HasPrefix(line, reportNetwork) {
			r.Network = true
		} else if why, ok := strings.CutPrefix(line, reportFailed); ok {
			r.Failed = why
		} else if why, ok := strings.CutPrefix(line, reportExec); ok {
			r.Exec = why
		}
	}
	if r.ABI == 0 && r.Failed == "" {
		return r, errors.New("the helper reported nothing")
	}
	return r, nil
}

// Words describes what was kept from a program, and what was not.
func (r Report) Words() string {
	abi, network := r.ABI, "the network is open"
	switch {
	case r.Network && abi >= 9:
		network = "no network"
	case r.Network:
		network = "no network (Unix sockets are open)"
	case abi >= 10:
		network = "no TCP or UDP (Multipath TCP is open)"
	case abi == 9:
		network = "no TCP (UDP and Multipath TCP are open)"
	case abi >= 4:
		network = "no TCP (UDP, Multipath TCP and Unix sockets are open)"
	}
	return fmt.Sprintf("confined: Landlock ABI %d, %s", abi, network)
}
