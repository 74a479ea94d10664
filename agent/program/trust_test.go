package program

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/protocol"
)

// The longest key that covers a folder decides. Without certainty, the program is left to decide.
func TestUntrusted(t *testing.T) {
	t.Parallel()
	a, err := builtIn("gemini-cli")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	work := filepath.Join(home, "work", "project")
	if err := os.MkdirAll(work, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(home, "link")
	if err := os.Symlink(work, link); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(home, ".gemini"), 0o700); err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string {
		return filepath.ToSlash(filepath.Join(append([]string{home}, parts...)...))
	}
	for name, c := range map[string]struct {
		folders, settings string
		env               []string
		folder            string
		trusted           bool
	}{
		"no file":           {folder: work},
		"no workspace":      {trusted: true},
		"the folder":        {folders: `{"` + at("work", "project") + `":"TRUST_FOLDER"}`, folder: work, trusted: true},
		"a folder above":    {folders: `{"` + at("work") + `":"TRUST_FOLDER"}`, folder: work, trusted: true},
		"beside it":         {folders: `{"` + at("work", "proj") + `":"TRUST_FOLDER"}`, folder: work},
		"below it":          {folders: `{"` + at("work", "project", "a") + `":"TRUST_FOLDER"}`, folder: work},
		"parent of a key":   {folders: `{"` + at("work", "other") + `":"TRUST_PARENT"}`, folder: work, trusted: true},
		"the longest":       {folders: `{"` + at() + `":"TRUST_FOLDER","` + at("work", "project") + `":"DO_NOT_TRUST"}`, folder: work},
		"distrusted above":  {folders: `{"` + at("work", "project") + `":"TRUST_FOLDER","` + at() + `":"DO_NOT_TRUST"}`, folder: work, trusted: true},
		"through a link":    {folders: `{"` + at("work", "project") + `":"TRUST_FOLDER"}`, folder: link, trusted: true},
		"another word":      {folders: `{"` + at("work") + `":"MAYBE"}`, folder: work},
		"switched off":      {settings: `{"security":{"folderTrust":{"enabled":false}}}`, folder: work, trusted: true},
		"switched on":       {settings: `{"security":{"folderTrust":{"enabled":true}}}`, folder: work},
		"comments":          {folders: "{ // mine\n}", folder: work, trusted: true},
		"settings unread":   {settings: "{ // mine\n}", folder: work, trusted: true},
		"a variable":        {env: []string{"GEMINI_CLI_TRUST_WORKSPACE=true"}, folder: work, trusted: true},
		"an empty variable": {env: []string{"GEMINI_CLI_TRUST_WORKSPACE="}, folder: work},
		"hostile":           {folders: `{"":"TRUST_PARENT","..":"TRUST_FOLDER","` + strings.Repeat("/", 9000) + `x":1,"a":[{}]}`, folder: work},
	} {
		for file, text := range map[string]string{"trustedFolders.json": c.folders, "settings.json": c.settings} {
			path := filepath.Join(home, ".gemini", file)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if text == "" {
				continue
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		what, fix := a.Untrusted(c.folder, append(c.env, "HOME="+home))
		if (what == "") != c.trusted || (fix == "") != c.trusted {
			t.Errorf("%s: %q", name, what)
		}
		if !c.trusted && (!strings.Contains(what, c.folder) || !strings.Contains(fix, "run `gemini`") || !strings.Contains(fix, "--no-workspace")) {
			t.Errorf("%s: %q; %q", name, what, fix)
		}
	}
}

// A program that would refuse to run is not started.
func TestUntrustedIsNotStarted(t *testing.T) {
	t.Parallel()
	good := scene{Out: startLine + `{"type":"delta","text":"yes"}` + "\n" + endLine}
	folders := filepath.Join(t.TempDir(), "trusted.json")
	trust := func(o *Options) {
		o.Adapter.Trust = Trust{Folders: folders, Fix: "trust it"}
	}
	th := stage(t, trust, good)
	_, err := th.asked(t.Context(), "")
	unreachable, is := errors.AsType[*protocol.Unreachable](err)
	if !is || unreachable.Fix != "trust it" || !strings.Contains(unreachable.What, th.options.Workspace) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(th.file + ".seen"); !os.IsNotExist(err) {
		t.Error("it was started")
	}
	if err := th.Absent(); err == nil || !strings.Contains(err.Error(), "trust it") {
		t.Errorf("before the session: %v", err)
	}
	if err := os.WriteFile(folders, []byte(`{"`+filepath.ToSlash(th.options.Workspace)+`":"TRUST_FOLDER"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if reply, err := th.asked(t.Context(), ""); err != nil || reply.Text != "yes" || th.Absent() != nil {
		t.Errorf("%+v %v", reply, err)
	}
}
