//go:build unix

package git

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// programSettings returns the settings of testdata/programs.txt, and those of the installed git whose names look as if
// they held a program. A setting that could matter to the commands that moot runs is alone, so that no other hides it;
// the rest, which belong to other commands, are in groups.
func programSettings(t *testing.T) (groups [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "programs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var settings []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			settings = append(settings, line)
		}
	}
	listed := len(settings)
	program := regexp.MustCompile(`(?i)(cmd|command|program|editor|pager|helper|driver|hook|hooksPath|external|textconv|clean|` +
		`smudge|process|proxy|askpass|browser|viewer|vcs|uploadpack|receivepack|fsmonitor|update|httpd|target|tunnel|file|` +
		`url|uri|insteadOf|path|filter)$`)
	for _, setting := range documented(t) {
		if program.MatchString(setting) && !slices.Contains(settings, setting) {
			settings = append(settings, setting)
		}
	}
	alone := regexp.MustCompile(`^(?:alias|core|credential|diff|extensions|fetch|filter|gpg|hook|include|includeIf|log|mailmap|` +
		`merge|pager|remote|submodule|uploadpack|url)\.`)
	var rest []string
	for i, setting := range settings {
		if alone.MatchString(setting) && i < listed || setting == "core.excludesFile" {
			groups = append(groups, []string{setting})
		} else {
			rest = append(rest, setting)
		}
	}
	return slices.AppendSeq(groups, slices.Chunk(rest, 8))
}

// documented returns the settings that the installed git describes.
func documented(t *testing.T) []string {
	t.Helper()
	list, _, _ := strings.Cut(gitIn(t, ".", "help", "--config"), "\n\n")
	return strings.Fields(list)
}

// withNames puts names into the places of a setting.
func withNames(setting string) string {
	subsection := map[string]string{
		"<driver>": "x", "<name>": "origin", "<url>": "https://example.com", "<format>": "openpgp", "<condition>": "gitdir:/",
		"<cmd>": "diff", "<base>": "/srv/", "*": "x",
	}
	parts := strings.Split(setting, ".")
	for i, part := range parts {
		if name, known := subsection[part]; known {
			parts[i] = name
		} else if strings.HasPrefix(part, "<") {
			parts[i] = "x"
		}
	}
	return strings.Join(parts, ".")
}

// planted writes settings without asking git, which refuses some.
func planted(t *testing.T, dir string, settings ...setting) {
	t.Helper()
	config := filepath.Join(dir, ".git", "config")
	text, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, append(text, writeSettings(settings)...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// attributesOfAll give each file the drivers of the settings.
const attributesOfAll = "* filter=x diff=x merge=x\n"

// trap is a repository, and a program that leaves a mark if it runs.
type trap struct{ dir, program, mark string }

// newTrap copies a repository of start, or makes one for "".
func newTrap(t *testing.T, template string) trap {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "w")
	if template == "" {
		dir = start(t)
	} else if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	trap := trap{dir, filepath.Join(filepath.Dir(dir), "program"), filepath.Join(filepath.Dir(dir), "mark")}
	script := "#!/bin/sh\necho \"$0 $*\" >>" + trap.mark + "\ncat\n"
	if err := os.WriteFile(trap.program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, dir, ".git/info/attributes", attributesOfAll)
	put(t, dir, ".gitattributes", attributesOfAll)
	return trap
}

// check does all that moot does with a repository: it must see the change, and run nothing.
func (trap trap) check(t *testing.T, dir, want string) {
	t.Helper()
	seen, err := look(t.Context(), dir)
	if ran, readErr := os.ReadFile(trap.mark); readErr == nil {
		t.Errorf("a program ran: %s", ran)
	}
	if want == "" {
		if err == nil {
			t.Errorf("no error, but:\n%s", seen)
		}
		return
	}
	if err != nil || !strings.Contains(seen, want) {
		t.Errorf("%q is not seen: %v\n%s", want, err, seen)
	}
}

const change = "-const n = 4\n+const n = 5"

// No setting of the repository that names a program has an effect.
func TestNoSettingRunsAProgram(t *testing.T) {
	t.Parallel()
	template := start(t)
	for _, names := range programSettings(t) {
		t.Run(strings.Join(names, ","), func(t *testing.T) {
			t.Parallel()
			trap := newTrap(t, template)
			var own []setting
			want := change
			for _, name := range names {
				key, value := withNames(name), trap.program
				switch {
				case strings.HasSuffix(key, ".url"), strings.HasSuffix(key, ".pushurl"):
					value = "ext::" + trap.program
				case key == "core.hooksPath":
					value = filepath.Dir(trap.program)
					for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout"} {
						put(t, trap.dir, "../"+hook, "#!/bin/sh\ntouch "+trap.mark+"\n")
						if err := os.Chmod(filepath.Join(filepath.Dir(trap.dir), hook), 0o700); err != nil {
							t.Fatal(err)
						}
					}
				case strings.HasPrefix(key, "include"):
					put(t, trap.dir, ".git/more", fmt.Sprintf("[filter \"x\"]\nclean = %s\n[diff \"x\"]\ntextconv = %s\n[core]\nfsmonitor = %s\n",
						trap.program, trap.program, trap.program))
					value = "more"
				case strings.HasPrefix(key, "gpg.") && len(names) == 1:
					own = append(own, setting{"log.showSignature", "true"})
					signed(t, trap.dir)
				case key == "core.excludesFile":
					want = ""
				}
				own = append(own, setting{key, value})
			}
			planted(t, trap.dir, own...)
			trap.check(t, trap.dir, want)
		})
	}
}

// The traps work: git itself, started in such a repository, runs the program.
func TestTraps(t *testing.T) {
	t.Parallel()
	for key, args := range map[string][]string{
		"filter.x.clean": {"diff"}, "core.fsmonitor": {"status"}, "diff.external": {"diff"}, "diff.x.textconv": {"diff"},
		"alias.x": {"x"},
	} {
		trap := newTrap(t, "")
		value := trap.program
		if key == "alias.x" {
			value = "!" + value
		}
		planted(t, trap.dir, setting{key, value})
		gitIn(t, trap.dir, args...)
		if _, err := os.Stat(trap.mark); err != nil {
			t.Errorf("%s: git %v runs no program: %v", key, args, err)
		}
	}
}

// signed makes HEAD a commit with a signature.
func signed(t *testing.T, dir string) {
	t.Helper()
	text := gitIn(t, dir, "cat-file", "commit", "HEAD")
	head, message, _ := strings.Cut(text, "\n\n")
	put(t, dir, "../commit", head+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----\n\n"+message+"\n")
	gitIn(t, dir, "update-ref", "HEAD", gitIn(t, dir, "hash-object", "-w", "-t", "commit", "../commit"))
}

// All settings that git describes, in one repository, change nothing of what is seen.
func TestAllSettingsAtOnce(t *testing.T) {
	t.Parallel()
	trap := newTrap(t, "")
	plain, err := look(t.Context(), trap.dir)
	if err != nil {
		t.Fatal(err)
	}
	valid := regexp.MustCompile(`^[A-Za-z0-9-]+(\..+)?\.[A-Za-z][A-Za-z0-9-]*$`)
	for _, name := range documented(t) {
		key := strings.ToLower(withNames(name))
		section, _, _ := strings.Cut(key, ".")
		// These say how the repository is kept, and have tests of their own.
		if slices.Contains(formatKeys, key) || section == "extensions" || key == "core.worktree" || key == "core.excludesfile" ||
			section == "branch" || strings.HasPrefix(key, "remote.origin.fetch") || !valid.MatchString(withNames(name)) {
			continue
		}
		planted(t, trap.dir, setting{withNames(name), trap.program})
	}
	trap.check(t, trap.dir, change)
	if seen, err := look(t.Context(), trap.dir); err != nil || seen != plain {
		t.Errorf("%v\n%s\nwithout the settings:\n%s", err, seen, plain)
	}
}

// Nothing else that lies in a folder runs a program or leads git to another place.
func TestNoOtherVectorRunsAProgram(t *testing.T) {
	t.Parallel()
	monitor := func(trap trap) []setting {
		return []setting{{"core.fsmonitor", trap.program}, {"filter.x.clean", trap.program}, {"diff.external", trap.program}}
	}
	for name, prepare := range map[string]func(t *testing.T, trap trap) (dir, want string){
		"hooks": func(t *testing.T, trap trap) (string, string) {
			for _, hook := range []string{
				"post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout", "pre-auto-gc", "post-rewrite",
			} {
				put(t, trap.dir, ".git/hooks/"+hook, "#!/bin/sh\ntouch "+trap.mark+"\n")
				if err := os.Chmod(filepath.Join(trap.dir, ".git/hooks", hook), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			return trap.dir, change
		},
		"a bare repository in a folder": func(t *testing.T, trap trap) (string, string) {
			bare := filepath.Join(trap.dir, "bare")
			gitIn(t, ".", "clone", "-q", "--bare", trap.dir, bare)
			put(t, bare, "config", string(writeSettings(append(monitor(trap), setting{"core.bare", "false"}, setting{"core.worktree", ".."}))))
			return bare, change
		},
		"a git file that names a bare repository in a folder": func(t *testing.T, trap trap) (string, string) {
			bare := filepath.Join(trap.dir, "bare")
			gitIn(t, ".", "clone", "-q", "--bare", trap.dir, bare)
			put(t, bare, "config", string(writeSettings(monitor(trap))))
			put(t, trap.dir, "in/.git", "gitdir: ../bare\n")
			return filepath.Join(trap.dir, "in"), ""
		},
		"the configuration of a submodule": func(t *testing.T, trap trap) (string, string) {
			outer := filepath.Join(filepath.Dir(trap.dir), "outer")
			gitIn(t, ".", "init", "-q", "-b", "main", outer)
			gitIn(t, outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", trap.dir, "m")
			gitIn(t, outer, "commit", "-qm", "with m")
			put(t, outer, ".git/modules/m/config", string(writeSettings(append(monitor(trap), setting{"core.worktree", "../../../m"}))))
			planted(t, outer, setting{"diff.submodule", "diff"}, setting{"submodule.recurse", "true"}, setting{"diff.ignoreSubmodules", "none"})
			put(t, outer, "m/a.go", "package a\n\nconst n = 5\n")
			return outer, "withheld m: it is a submodule"
		},
		"a repository inside of another": func(t *testing.T, trap trap) (string, string) {
			in := filepath.Join(trap.dir, "in")
			gitIn(t, ".", "clone", "-q", trap.dir, in)
			planted(t, in, monitor(trap)...)
			return trap.dir, "withheld in: it is a repository of its own"
		},
		"config.worktree": func(t *testing.T, trap trap) (string, string) {
			planted(t, trap.dir, setting{"extensions.worktreeConfig", "true"})
			put(t, trap.dir, ".git/config.worktree", string(writeSettings(monitor(trap))))
			return trap.dir, change
		},
		"a promisor remote": func(t *testing.T, trap trap) (string, string) {
			id := gitIn(t, trap.dir, "rev-parse", "HEAD:a.go")
			planted(t, trap.dir, setting{"core.repositoryFormatVersion", "1"}, setting{"extensions.partialClone", "origin"},
				setting{"remote.origin.url", "ext::" + trap.program}, setting{"remote.origin.promisor", "true"},
				setting{"remote.origin.uploadpack", trap.program}, setting{"core.sshCommand", trap.program},
				setting{"protocol.allow", "always"}, setting{"protocol.ext.allow", "always"})
			if err := os.Remove(filepath.Join(trap.dir, ".git", "objects", id[:2], id[2:])); err != nil {
				t.Fatal(err)
			}
			return trap.dir, "withheld a.go: its contents are not in this clone"
		},
		"a missing tree of a promisor remote": func(t *testing.T, trap trap) (string, string) {
			id := gitIn(t, trap.dir, "rev-parse", "HEAD:sub")
			planted(t, trap.dir, setting{"core.repositoryFormatVersion", "1"}, setting{"extensions.partialClone", "origin"},
				setting{"remote.origin.url", trap.dir}, setting{"remote.origin.promisor", "true"},
				setting{"remote.origin.uploadpack", trap.program})
			if err := os.Remove(filepath.Join(trap.dir, ".git", "objects", id[:2], id[2:])); err != nil {
				t.Fatal(err)
			}
			return trap.dir, ""
		},
		"a program named git in the folder": func(t *testing.T, trap trap) (string, string) {
			put(t, trap.dir, "git", "#!/bin/sh\ntouch "+trap.mark+"\n")
			if err := os.Chmod(filepath.Join(trap.dir, "git"), 0o700); err != nil {
				t.Fatal(err)
			}
			return trap.dir, change
		},
		"an index that names a folder behind a link": func(t *testing.T, trap trap) (string, string) {
			outside := filepath.Join(filepath.Dir(trap.dir), "outside")
			put(t, outside, "b.txt", "private\n")
			if err := errors.Join(os.RemoveAll(filepath.Join(trap.dir, "sub")), os.Symlink(outside, filepath.Join(trap.dir, "sub"))); err != nil {
				t.Skip(err)
			}
			return trap.dir, " -> sub/b.txt 100644 -> \n"
		},
		"refs behind a link": func(t *testing.T, trap trap) (string, string) {
			heads := filepath.Join(trap.dir, ".git", "refs", "heads")
			outside := filepath.Join(filepath.Dir(trap.dir), "outside")
			if err := errors.Join(os.Rename(heads, outside), os.Symlink(outside, heads)); err != nil {
				t.Skip(err)
			}
			return trap.dir, ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trap := newTrap(t, "")
			dir, want := prepare(t, trap)
			trap.check(t, dir, want)
		})
	}
}

// The environment of a hook, in which moot may run, leads nowhere.
func TestEnvironmentOfAHook(t *testing.T) {
	trap := newTrap(t, "")
	for _, name := range []string{
		"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND",
		"GIT_ASKPASS", "GIT_EDITOR", "GIT_TEMPLATE_DIR", "GIT_CONFIG_PARAMETERS", "GIT_ATTR_SOURCE",
	} {
		t.Setenv(name, trap.program)
	}
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
	t.Setenv("GIT_CONFIG_VALUE_0", trap.program)
	if _, err := look(t.Context(), trap.dir); err != nil {
		t.Error(err)
	}
	if ran, err := os.ReadFile(trap.mark); err == nil {
		t.Errorf("a program ran: %s", ran)
	}
}

// The programs of the user's own configuration do not run either, but what it ignores stays ignored.
func TestConfigurationOfTheUser(t *testing.T) {
	trap := newTrap(t, "")
	home := t.TempDir()
	put(t, home, ".gitconfig", fmt.Sprintf("[filter \"x\"]\n\tclean = %s\n\trequired\n[diff]\n\texternal = %s\n[core]\n\tfsmonitor = %s\n"+
		"\texcludesFile = ~/ignored\n", trap.program, trap.program, trap.program))
	put(t, home, "ignored", "*.secret\n")
	put(t, trap.dir, "a.secret", "x\n")
	put(t, trap.dir, "a.shown", "x\n")
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig"))
	seen, err := look(t.Context(), trap.dir)
	if err != nil || strings.Contains(seen, "a.secret") || !strings.Contains(seen, "a.shown") {
		t.Errorf("%v\n%s", err, seen)
	}
	if ran, err := os.ReadFile(trap.mark); err == nil {
		t.Errorf("a program ran: %s", ran)
	}
}

// Pipes in the place of files of git are not waited for.
func TestPipes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"HEAD", "config", "index", "packed-refs", "info/exclude", "commondir", "shallow", "refs/heads/main", "objects/info/alternates",
		"refs/heads/other", "../.gitignore",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := start(t)
			file := filepath.Join(dir, ".git", filepath.FromSlash(name))
			_ = os.Remove(file)
			if out, err := exec.CommandContext(t.Context(), "mkfifo", file).CombinedOutput(); err != nil {
				t.Skipf("%v: %s", err, out)
			}
			seen, err := look(t.Context(), dir)
			if name == "refs/heads/other" {
				if err != nil {
					t.Error(err)
				}
			} else if err == nil {
				t.Errorf("no error:\n%s", seen)
			}
		})
	}
}

// A repository of another user is refused unless safe.directory permits it. If it is above a folder that the user owns,
// it is ignored.
func TestRepositoryOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	dir := start(t)
	put(t, dir, "mine/a.txt", "a\n")
	put(t, dir, "theirs/a.txt", "a\n")
	const nobody = 65534
	for _, name := range []string{".", ".git", "theirs"} {
		if err := os.Chown(filepath.Join(dir, name), nobody, nobody); err != nil {
			t.Skip(err)
		}
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("SUDO_UID", "")
	global := filepath.Join(t.TempDir(), "config")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	var failed *Error
	for name, wantForeign := range map[string]bool{".": true, "theirs": true, "mine": false} {
		_, err := Find(filepath.Join(dir, name))
		if !errors.As(err, &failed) || failed.Foreign != wantForeign || failed.NoRepository == wantForeign {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("%s: the reason is missing: %v", name, err)
		}
	}
	put(t, filepath.Dir(global), "config", "[safe]\n\tdirectory = "+dir+"\n")
	if _, err := Find(dir); err != nil {
		t.Error(err)
	}
	put(t, filepath.Dir(global), "config", "")
	t.Setenv("SUDO_UID", "65534")
	if _, err := Find(dir); err != nil {
		t.Errorf("under sudo: %v", err)
	}
}
