package research

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/config"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/internal/process"
	"moot/internal/redact"
	"moot/ledger"
)

// Tools calls tools of the MCP servers that the user configured (TOOL server/tool '{"argument": 1}'), and checks what
// they say. It does not ask for permission: its callers pass only calls that the user approved. It is safe for
// concurrent use.
type Tools struct {
	options ToolOptions
	servers []*toolServer
	runner  process.Runner
	says    string
	// closing ends with Close, ending sessions over HTTP in the background.
	closing sync.WaitGroup
}

// ToolOptions say which servers there are, and what they get.
type ToolOptions struct {
	Servers []config.ToolServer
	// Environ is the environment of moot, NAME=value each. A program gets those variables of it that the user named.
	Environ []string
	// Folder is where programs run, and where their relative paths begin: that of the configuration. It is not the
	// workspace, which may hold files that a program would run or read as its own.
	Folder string
	// Redactor finds secrets in arguments and in what servers say; nil keeps them.
	Redactor *redact.Redactor
	// Version is the version of moot, which servers are told.
	Version string
}

// DepthVariable counts how many moots are above a program, since moot is not its own worker: a moot that runs below a
// tool server starts none, and serves no tools itself.
const DepthVariable = "MOOT_DEPTH"

// ToolStartTime is how long a server may take to start and to list its tools.
const ToolStartTime = 15 * time.Second

// Limits of tools.
const (
	// mostStarts is how often a server is started in a session.
	mostStarts = 3
	// maxResult is the most that a server may write in one message, in bytes.
	maxResult = 4 << 20
	// maxToolPages and maxTools bound the list of tools.
	maxToolPages = 20
	maxTools     = 500
	// maxDescribed is the maximum length of the description in prompts: what a session may record of a kind.
	maxDescribed = 1000
	// maxArguments is how many arguments of a tool are described.
	maxArguments = 6
)

// ToolKind is the name of the kind of evidence.
const ToolKind = "tool"

const toolMark = "TOOL"

// OpenTools prepares calls. Nothing is started.
func OpenTools(o ToolOptions) *Tools {
	t := &Tools{options: o, says: describeTools(nil)}
	for i := range o.Servers {
		server := &toolServer{ToolServer: o.Servers[i], tools: t, free: make(chan struct{}, 1), seen: map[string]string{}}
		server.free <- struct{}{}
		t.servers = append(t.servers, server)
	}
	return t
}

// Kind describes calls of tools.
func (t *Tools) Kind() ledger.Kind {
	return ledger.Kind{
		Name: ToolKind, Marks: toolMark, Runs: true, Says: t.says, Type: ledger.Textual,
		SourceKind: ledger.FreshResearch, Confidence: ledger.ConfidenceFetched,
		Also: strings.Join(config.ToolSources(), " "),
	}
}

// DescribedAs takes over the description that a session recorded, which its prompts have.
func (t *Tools) DescribedAs(recorded []ledger.Kind) {
	for _, kind := range recorded {
		if kind.Name == ToolKind {
			t.says = kind.Says
		}
	}
}

// Listed holds the tools of a server, or the reason why there are none.
type Listed struct {
	Server string
	Tools  []string
	// Hidden is how many tools are left out: their names are not plain words, or occur twice.
	Hidden int
	Err    error

	list *toolList
}

// List starts all servers, side by side, and lists their tools.
func (t *Tools) List(ctx context.Context) []Listed {
	all := make([]Listed, len(t.servers))
	var group sync.WaitGroup
	for i, server := range t.servers {
		group.Go(func() {
			all[i].Server = server.Name
			_, list, err := server.connect(ctx)
			if err != nil {
				all[i].Err = err
				return
			}
			all[i].list, all[i].Tools, all[i].Hidden = list, slices.Sorted(maps.Keys(list.tools)), list.hidden
		})
	}
	group.Wait()
	return all
}

// Describe starts the servers, so that prompts can name their tools, and returns notes for the user. A server that
// does not start is noted.
func (t *Tools) Describe(ctx context.Context) (notes []string) {
	all := t.List(ctx)
	t.says = describeTools(all)
	for i := range all {
		server, one := t.servers[i], &all[i]
		if one.Err != nil {
			notes = append(notes, fmt.Sprintf("tools      %s does not work, so none of its tools is offered: %s",
				one.Server, one.Err))
			continue
		}
		note := fmt.Sprintf("tools      %s: %s", one.Server, plain.Counted(len(one.Tools), "tool"))
		if one.Hidden > 0 {
			note += fmt.Sprintf("; %d more are left out: their names are not plain words, or occur twice", one.Hidden)
		}
		for _, name := range server.Tools {
			if one.list.tools[name] == nil {
				note += fmt.Sprintf("; it has no tool %s, which config.toml allows", config.Named(name))
			}
		}
		notes = append(notes, note)
	}
	return notes
}

// Allowed returns the calls that the configuration allows without asking, as patterns of commands. A tool that its
// server calls read-only is one of them if the user trusts the server, once the server was listed.
func (t *Tools) Allowed() (patterns []string) {
	for _, server := range t.servers {
		names := slices.Clone(server.Tools)
		if server.Trust {
			names = append(names, server.readOnly()...)
		}
		for _, name := range names {
			pattern, err := ledger.ParseCommandPattern(toolMark + " " + server.Name + "/" + name + " ...")
			if text := pattern.String(); err == nil && !slices.Contains(patterns, text) {
				patterns = append(patterns, text)
			}
		}
	}
	return patterns
}

// NeedsList reports whether a server must list its tools before it is known which calls are allowed.
func (t *Tools) NeedsList() bool {
	return slices.ContainsFunc(t.servers, func(s *toolServer) bool { return s.Trust })
}

// Close ends the servers and all that they started.
func (t *Tools) Close() error {
	var group sync.WaitGroup
	for _, server := range t.servers {
		group.Go(server.close)
	}
	group.Wait()
	err := t.runner.Close()
	t.closing.Wait()
	return err
}

// describeTools tells a seat how to call the tools. Descriptions are left out, since anything may stand in them.
func describeTools(all []Listed) string {
	const longest = 60
	example := ""
	var calls []string
	for i := range all {
		for _, name := range all[i].Tools {
			arguments := all[i].list.tools[name].arguments
			call := all[i].Server + "/" + name
			calls = append(calls, call+"("+strings.Join(arguments, ", ")+")")
			if example == "" && len(call) <= longest && len(arguments) > 0 && arguments[0] != "…" {
				example = call + ` '{"` + strings.TrimSuffix(arguments[0], "?") + `": "VALUE"}'`
			}
		}
	}
	example = cmp.Or(example, `SERVER/TOOL '{"ARGUMENT": "VALUE"}'`)
	says := `If a tool of the user would settle a point, propose a call as a citation: reference "TOOL ` + example +
		`", with the arguments as one JSON object in single quotes, and as quote what you expect: output has "61%" (has, ` +
		`lacks or matches), or exit 0 if the tool must report no error, several separated by ; characters. In lines, ` +
		`write: CITE P1 supports TOOL ` + example + ` => exit 0. It counts only if the expectation is met.`
	if len(calls) == 0 {
		return says + " No tool is known to work now."
	}
	says += " The tools, with the names of their arguments (? is optional): "
	for i, call := range calls {
		more := ""
		if left := len(calls) - i - 1; left > 0 {
			more = fmt.Sprintf(", and %d more", left)
		}
		if len(says)+len(call)+len(", and 500 more")+2 > maxDescribed {
			return strings.TrimSuffix(says, ", ") + fmt.Sprintf(", and %d more.", len(calls)-i)
		}
		if says += call; more != "" {
			says += ", "
		}
	}
	return says + "."
}

// toolCall is a call that a reference names.
type toolCall struct {
	server *toolServer
	tool   string
	// arguments are a JSON object.
	arguments json.RawMessage
}

// Check calls a tool, and compares what it says with the expectation (ledger.ParseExpectation): its text is the output,
// and exit 0 means that it reported no error. Failures are findings, too.
//
// A finding on a tool that answered is textual. Excerpt holds the answer, at most MaxKept bytes: its beginning, its end
// and the expected text. Digest covers the whole answer.
func (t *Tools) Check(ctx context.Context, reference, expected string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference)}
	command, err := t.Kind().Command(reference)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	finding.Reference = t.Kind().Reference(command)
	call, err := t.parse(command.Words())
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	expectation, err := ledger.ParseExpectation(expected)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	began := time.Now()
	result, err := call.server.call(ctx, call)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	text, err := resultText(result)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	finding.Digest = ledger.Digest([]byte(text))
	finding.SourceKind = ledger.SourceKind(call.server.SourceOf(call.tool))
	text = call.server.hide(text)
	ended, said := ledger.Ended{Stdout: []byte(text)}, "answered"
	if result.IsError {
		ended.Code, said = 1, "reported an error"
	}
	took := time.Since(began)
	finding.Run = &ledger.Run{
		ExitCode: ended.Code, Milliseconds: int(took / time.Millisecond), OutputBytes: len(text),
	}
	met, compared := "met", expectation
	if unmet := expectation.Unmet(ended); len(unmet) > 0 {
		met, compared = "not met", unmet
	}
	finding.Verified, finding.Unmet = met == "met", met != "met"
	finding.Reason = fmt.Sprintf("the tool %s after %s; expected and %s: %s", said, lasted(took), met, compared)
	output, left := excerpt(ended, expectation, MaxKept)
	if left > 0 {
		finding.Reason += fmt.Sprintf("; %d bytes of its answer are left out here", left)
	}
	if finding.Verified {
		finding.Excerpt = output
	} else {
		finding.Nearest, finding.NearestReference = output, finding.Reference
	}
	return finding
}

// parse reads the words of a call, and refuses arguments that hold a secret.
func (t *Tools) parse(words []string) (call toolCall, err error) {
	const form = `a call is TOOL server/tool and its arguments as one JSON object in quotes: TOOL db/query '{"id": 7}'`
	if words[0] != toolMark || len(words) < 2 || len(words) > 3 {
		return call, errors.New(form)
	}
	name, tool, _ := strings.Cut(words[1], "/")
	at := slices.IndexFunc(t.servers, func(s *toolServer) bool { return s.Name == name })
	switch {
	case !config.IsToolName(tool):
		return call, fmt.Errorf("%s is no tool: %s", plain.Short(plain.Line(words[1])), form)
	case at < 0 && len(t.servers) == 0:
		return call, errors.New("config.toml has no tool servers")
	case at < 0:
		names := lists.Map(t.servers, func(s *toolServer) string { return s.Name })
		return call, fmt.Errorf("there is no tool server %s in config.toml, which has %s", config.Named(name),
			strings.Join(names, ", "))
	}
	call = toolCall{server: t.servers[at], tool: tool, arguments: json.RawMessage("{}")}
	if len(words) == 3 {
		call.arguments = json.RawMessage(strings.TrimSpace(words[2]))
	}
	if !json.Valid(call.arguments) || call.arguments[0] != '{' {
		return call, fmt.Errorf("the arguments of the tool are no JSON object: %s", form)
	}
	if t.options.Redactor != nil {
		if _, secrets := t.options.Redactor.Text(string(call.arguments)); len(secrets) > 0 {
			return call, fmt.Errorf("the tool was not called, since its arguments seem to hold a secret (%s)",
				secrets[0].Reason)
		}
	}
	return call, nil
}

// resultText writes the answer of a tool as text: its texts, the texts of resources, and its structured content as
// JSON. Images, audio and other data are named by type and size.
func resultText(result *mcp.CallToolResult) (string, error) {
	if result.InputRequests != nil {
		return "", errors.New("the tool asks for input, which it does not get")
	}
	var parts []string
	structured := result.StructuredContent
	for _, content := range result.Content {
		switch c := content.(type) {
		case *mcp.TextContent:
			parts = append(parts, c.Text)
			var same any
			if structured != nil && json.Unmarshal([]byte(c.Text), &same) == nil && reflect.DeepEqual(same, structured) {
				structured = nil // Servers repeat it as text.
			}
		case *mcp.EmbeddedResource:
			parts = append(parts, resourceText(c.Resource))
		case *mcp.ResourceLink:
			parts = append(parts, fmt.Sprintf("[a link to %s]", plain.Short(plain.Line(c.URI))))
		case *mcp.ImageContent:
			parts = append(parts, notText("an image", c.MIMEType, len(c.Data)))
		case *mcp.AudioContent:
			parts = append(parts, notText("audio", c.MIMEType, len(c.Data)))
		default:
			parts = append(parts, "[content of a kind that moot does not know]")
		}
	}
	if structured != nil {
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(structured); err != nil {
			return "", fmt.Errorf("the structured content of the tool cannot be written: %w", err)
		}
		parts = append(parts, strings.TrimSuffix(out.String(), "\n"))
	}
	return strings.Join(parts, "\n"), nil
}

func resourceText(r *mcp.ResourceContents) string {
	switch {
	case r == nil:
		return "[an empty resource]"
	case r.Blob != nil:
		return notText("a resource", r.MIMEType, len(r.Blob))
	}
	return r.Text
}

func notText(what, kind string, size int) string {
	return fmt.Sprintf("[%s, %s, %d bytes, is not shown]", what, cmp.Or(plain.Clip(plain.Line(kind), 60), "of no type"), size)
}
