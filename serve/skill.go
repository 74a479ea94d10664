package serve

import (
	"bytes"
	_ "embed" // The skill is a file of its own.
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/pelletier/go-toml/v2"

	"moot/internal/regular"
)

// Skill is the text that tells a coding agent when and how to consult.
//
//go:embed skill.md
var Skill string

// Change is one file that installing or removing rewrites.
type Change struct {
	Path string
	// Before and After are its texts; an empty After removes it.
	Before, After string
}

// host is a program for coding agents, and where it looks for skills and servers.
type host struct {
	skill, config string
	// edit returns the configuration with the server, or without it if command is "".
	edit func(config, command string, variables []string) (string, error)
}

// Hosts are the programs that moot can be installed for.
func Hosts() []string { return []string{"claude", "codex", "opencode"} }

func hosts() map[string]host {
	return map[string]host{
		"claude": {
			".claude/skills/moot/SKILL.md", ".claude.json",
			func(config, command string, _ []string) (string, error) {
				return editJSON(config, []string{"mcpServers", "moot"}, command,
					`{"type":"stdio","command":%s,"args":["mcp"],"env":{}}`)
			},
		},
		"codex": {".codex/skills/moot/SKILL.md", ".codex/config.toml", editTOML},
		"opencode": {
			".config/opencode/skill/moot/SKILL.md", ".config/opencode/opencode.json",
			func(config, command string, _ []string) (string, error) {
				return editJSON(config, []string{"mcp", "moot"}, command,
					`{"type":"local","command":[%s,"mcp"],"enabled":true}`)
			},
		},
	}
}

// Install returns the changes that make a program know moot, whose command is given, in the user's folder. Variables
// are the environment variables that the server needs. With an empty command it returns the changes that undo this.
func Install(name, home, command string, variables []string) ([]Change, error) {
	const largest = 64 << 20
	h, text := hosts()[name], Skill
	if command == "" {
		text = ""
	}
	var changes []Change
	for _, file := range []string{h.skill, h.config} {
		c := Change{Path: filepath.Join(home, filepath.FromSlash(file)), After: text}
		before, err := regular.Read(c.Path, largest)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		c.Before = string(before)
		if file == h.config {
			if c.After, err = h.edit(c.Before, command, variables); err != nil {
				return nil, fmt.Errorf("%s: %w; it was left unchanged", c.Path, err)
			}
		}
		if c.Before != c.After {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// Apply makes the changes. A file is replaced as a whole.
func Apply(changes []Change) error {
	for _, c := range changes {
		if c.After == "" {
			if err := os.Remove(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			_ = os.Remove(filepath.Dir(c.Path)) // the folder of the skill, if nothing else is in it
			continue
		}
		if err := os.MkdirAll(filepath.Dir(c.Path), 0o700); err != nil {
			return err
		}
		// A link is kept: what it leads to is replaced.
		path, err := filepath.EvalSymlinks(c.Path)
		if err != nil {
			path = c.Path
		}
		draft := path + ".moot"
		err = os.WriteFile(draft, []byte(c.After), 0o600)
		if err == nil {
			err = os.Rename(draft, path)
		}
		if err != nil {
			return errors.Join(err, os.Remove(draft))
		}
	}
	return nil
}

// editTOML adds the server's tables to codex' configuration, or removes them.
func editTOML(config, command string, variables []string) (string, error) {
	const table = "[mcp_servers.moot"
	if err := toml.Unmarshal([]byte(config), &map[string]any{}); err != nil {
		return "", fmt.Errorf("it is not valid TOML (%w): fix it first", err)
	}
	var kept []string
	ours := false
	for line := range strings.Lines(config) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "[") {
			ours = strings.HasPrefix(trimmed, table+"]") || strings.HasPrefix(trimmed, table+".")
		}
		if !ours {
			kept = append(kept, line)
		}
	}
	text := strings.Join(kept, "")
	if command == "" && text == config {
		return config, nil
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		text += "\n"
	}
	if command == "" {
		return text, nil
	}
	if text != "" {
		text += "\n"
	}
	quoted := make([]string, len(variables))
	for i, name := range slices.Sorted(slices.Values(variables)) {
		quoted[i] = strconv.Quote(name)
	}
	text += fmt.Sprintf("%s]\ncommand = %s\nargs = [\"mcp\"]\nenv_vars = [%s]\ntool_timeout_sec = 120\n", table,
		strconv.Quote(command), strings.Join(quoted, ", "))
	for _, tool := range []string{"status", "result", "sessions"} {
		text += fmt.Sprintf("\n%s.tools.%s]\napproval_mode = \"approve\"\n", table, tool)
	}
	// The server may also be written in a way that was not found, such as an inline table.
	if err := toml.Unmarshal([]byte(text), &map[string]any{}); err != nil {
		return "", fmt.Errorf("the entry does not fit into it (%w): add the server by hand", err)
	}
	return text, nil
}

// editJSON sets the member that a path of names leads to, or removes it. The order of the others stays.
func editJSON(config string, path []string, command, entry string) (string, error) {
	value := jsontext.Value(nil)
	if command != "" {
		quoted, err := jsontext.AppendQuote(nil, command)
		if err != nil {
			return "", err
		}
		value = jsontext.Value(fmt.Sprintf(entry, quoted))
	}
	if strings.TrimSpace(config) == "" {
		if value == nil {
			return config, nil
		}
		config = "{}"
	}
	edited, err := setMember(jsontext.Value(config), path, value)
	if err != nil {
		return "", fmt.Errorf("it is not plain JSON (%w): add the server by hand", err)
	}
	if err := edited.Indent(jsontext.WithIndent("  ")); err != nil {
		return "", err
	}
	return string(edited) + "\n", nil
}

// setMember returns an object with a member set, or removed if the value is nil.
func setMember(object jsontext.Value, path []string, value jsontext.Value) (jsontext.Value, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(object))
	if begin, err := decoder.ReadToken(); err != nil || begin.Kind() != '{' {
		return nil, errors.Join(errors.New("not an object"), err)
	}
	var members []string
	done := false
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		member, err := decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		if key == path[0] {
			done = true
			if member, err = inner(member.Clone(), path, value); err != nil {
				return nil, err
			}
			if member == nil {
				continue
			}
		}
		quoted, err := jsontext.AppendQuote(nil, key)
		if err != nil {
			return nil, err
		}
		members = append(members, string(quoted)+":"+string(member))
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	if !done && value != nil {
		member, err := inner(jsontext.Value("{}"), path, value)
		if err != nil {
			return nil, err
		}
		members = append(members, strconv.Quote(path[0])+":"+string(member))
	}
	return jsontext.Value("{" + strings.Join(members, ",") + "}"), nil
}

func inner(member jsontext.Value, path []string, value jsontext.Value) (jsontext.Value, error) {
	if len(path) == 1 {
		return value, nil
	}
	return setMember(member, path[1:], value)
}
