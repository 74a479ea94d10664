package cli_test

import (
	"context"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// coverageServer is a tool server for the scripts.
func coverageServer() {
	server := mcp.NewServer(&mcp.Implementation{Name: "coverage", Version: "1"}, nil)
	type arguments struct {
		File string `json:"file"`
	}
	for name, tool := range map[string]struct {
		says     string
		readOnly bool
	}{
		"query": {"61% of the statements of ", true}, "estimate": {"about 40% of the bugs are in ", true},
		"reset": {"reset ", false},
	} {
		mcp.AddTool(server, &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: tool.readOnly}},
			func(_ context.Context, _ *mcp.CallToolRequest, in arguments) (*mcp.CallToolResult, any, error) {
				if log := os.Getenv("COVERAGE_LOG"); log != "" {
					if err := os.WriteFile(log, []byte(name), 0o600); err != nil {
						return nil, nil, err
					}
				}
				return &mcp.CallToolResult{Content: []mcp.Content{
					&mcp.TextContent{Text: tool.says + in.File + os.Getenv("COVERAGE_NOTE")},
				}}, nil, nil
			})
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}
