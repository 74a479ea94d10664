package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/report"
)

const sessionURI = "moot://sessions/"

// resources are the sessions of the server's folder, as Markdown and JSON.
func (s *Server) resources() {
	for _, r := range []struct {
		template, name string
		form           report.Form
	}{
		{sessionURI + "{id}", "session", report.FormMarkdown},
		{sessionURI + "{id}.json", "session as JSON", report.FormJSON},
	} {
		s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: r.template, Name: r.name, Title: "A moot " + r.name, MIMEType: r.form.MediaType(),
			Description: "the result of a session of this workspace",
		}, s.read)
	}
}

func (s *Server) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	result, err := s.resource(ctx, req)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	return result, nil
}

func (s *Server) resource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	id, asJSON := strings.CutSuffix(strings.TrimPrefix(req.Params.URI, sessionURI), ".json")
	st, err := s.sessions.Read(id)
	if err != nil || st.ID != id {
		return nil, unknownSession(id)
	}
	// A client of the newest protocol is asked for its roots by its calls of tools; until then it has none.
	call := &mcp.CallToolRequest{Session: req.Session, Params: &mcp.CallToolParamsRaw{}}
	roots, err := s.place(ctx, call)
	if _, asks := errors.AsType[needsInput](err); asks {
		roots, err = s.allowed(nil)
	}
	if err != nil {
		return nil, err
	}
	if st, err = s.visible(roots, st); err != nil {
		return nil, err
	}
	form := report.FormMarkdown
	if asJSON {
		form = report.FormJSON
	}
	text, err := s.sessions.Render(st, form)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: req.Params.URI, MIMEType: form.MediaType(), Text: text},
	}}, nil
}

// prompts adds the prompts that a person can pick in the agent's program.
func (s *Server) prompts() {
	s.prompt("consult", "Put a question to another model", "question", "the question",
		"Consult another model through moot on this question: %s\n\nCall the tool consult with it, take the "+
			"orchestrator's seat, and judge each claim on its evidence: look up what is cited before you agree. "+
			"At the end call result, and tell me the answer with what was agreed, what was dismissed and what is open.")
	s.prompt("review", "Have a change reviewed", "range", "a branch, commit or range; by default what is not pushed yet",
		"Have this change reviewed through moot: %s\n\nCall the tool review with it as range (leave range out for what is not "+
			"pushed yet). Take the role author if you made the change, and answer each finding FIXED, INTENDED or WRONG; "+
			"else observe. At the end tell me the decision, the findings that were agreed with their lines, and what is "+
			"unresolved: I rule on that, not you.")
}

func (s *Server) prompt(name, title, argument, about, text string) {
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: name, Title: title, Description: title,
		Arguments: []*mcp.PromptArgument{{Name: argument, Description: about, Required: argument == "question"}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		value := req.Params.Arguments[argument]
		if value == "" && argument == "question" {
			return nil, fmt.Errorf("the argument %s is missing", argument)
		}
		value = cmp.Or(value, "what is not pushed yet, with the working tree")
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
			{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf(text, value)}},
		}}, nil
	})
}
