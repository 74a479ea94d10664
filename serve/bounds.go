package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/internal/plain"
)

// Hosts put each answer into a model's context. None exceeds 8,000 tokens, estimated as bytes/4, in the form that is
// sent: the parts of a turn are texts in JSON in a text in JSON. Longer prompts come in parts, and other answers name
// a resource.
const (
	longestAnswer   = 8000 * 4
	longestText     = 28000
	longestPrompt   = 18000
	longestNews     = 5000
	longestRefused  = 3000
	longestQuestion = 3000
	longestError    = 2000
	longestDecision = 2000
	// A turn with an outcome has no prompt.
	longestOutcome = longestPrompt
)

// size returns how many bytes a text takes in an answer.
func size(text string) int {
	data, err := json.Marshal(text)
	if err != nil {
		return len(text)
	}
	return len(data)
}

// sizeInside returns how many bytes a text takes within the JSON that is the text of an answer.
func sizeInside(text string) int { return size(compact(text)) }

// compact returns a value as JSON on one line.
func compact(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return plain.JSON(strings.TrimSuffix(out.String(), "\n"))
}

// newest returns the last lines that fit, and says how many did not.
func newest(lines []string, room int) []string {
	from := len(lines)
	for from > 0 && room >= sizeInside(lines[from-1]) {
		from--
		room -= sizeInside(lines[from])
	}
	if from == 0 {
		return slices.Clone(lines)
	}
	return append([]string{fmt.Sprintf("(%d earlier left out)", from)}, lines[from:]...)
}

// first returns the first lines that fit, and says how many did not.
func first(lines []string, room int, where string) []string {
	for i, line := range lines {
		if room -= sizeInside(line); room < 0 {
			return append(slices.Clone(lines[:i]), fmt.Sprintf("(%d more: %s)", len(lines)-i, where))
		}
	}
	return slices.Clone(lines)
}

// split cuts a prompt into parts that fit into an answer, between lines if it can.
func split(prompt string) (parts []string) {
	from, at, room := 0, 0, longestPrompt
	for line := range strings.Lines(prompt) {
		for cost := sizeInside(line); cost > room; cost = sizeInside(line) {
			if at > from {
				parts = append(parts, prompt[from:at])
				from, room = at, longestPrompt
				continue
			}
			n := min(len(line), room/7) // the longest escape has seven bytes
			for n > 0 && n < len(line) && !utf8.RuneStart(line[n]) {
				n--
			}
			parts = append(parts, line[:n])
			from, at, line = at+n, at+n, line[n:]
		}
		at += len(line)
		room -= sizeInside(line)
	}
	if at > from || len(parts) == 0 {
		parts = append(parts, prompt[from:])
	}
	return parts
}

// cut returns a text that fits into an answer. If lines are missing, it ends with a sentence.
func cut(text, ends string) string {
	if size(text) <= longestText {
		return text
	}
	room, kept := longestText-size(ends), 0
	for line := range strings.Lines(text) {
		if room -= size(line); room < 0 {
			break
		}
		kept += len(line)
	}
	return text[:kept] + "\n" + ends
}

// cutJSON returns an exported session as JSON that fits into an answer: the session, its answer, and of the rest what
// there is room for. Omitted names what is missing.
func cutJSON(text, resource string) (string, error) {
	var whole bytes.Buffer
	if err := json.Compact(&whole, []byte(plain.JSON(text))); err != nil {
		return "", err
	}
	if size(whole.String()) <= longestText {
		return whole.String(), nil
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(whole.Bytes(), &parts); err != nil {
		return "", err
	}
	// The answer is a part of its own here, since the outcome of a format may not fit.
	var outcome struct {
		Answer json.RawMessage `json:"answer"`
	}
	if err := json.Unmarshal(parts["outcome"], &outcome); err == nil && outcome.Answer != nil {
		parts["answer"] = outcome.Answer
	}
	short, room := map[string]any{"resource": resource}, longestText-500
	omitted := []string{}
	for _, name := range []string{
		"schema", "answer", "session", "rulings", "outcome", "baseline", "metrics", "chain",
		"state",
	} {
		value, there := parts[name]
		switch cost := size(string(value)); {
		case !there:
		case cost > room:
			omitted = append(omitted, name)
		default:
			short[name] = value
			room -= cost
		}
	}
	short["omitted"] = omitted
	return compact(short), nil
}

// structured returns the outcome of a review as JSON that fits into an answer. Findings that do not fit are left out from
// the end, which has the least severe ones, and counted; omitted names other parts that are missing.
func structured(outcome any, resource string) json.RawMessage {
	whole := json.RawMessage(compact(outcome))
	var parts map[string]json.RawMessage
	if len(whole) <= longestOutcome || json.Unmarshal(whole, &parts) != nil {
		return whole
	}
	var findings []json.RawMessage
	if err := json.Unmarshal(parts["findings"], &findings); err != nil {
		return whole
	}
	delete(parts, "findings")
	short, room, omitted := map[string]any{"resource": resource}, longestOutcome-500, []string{}
	names := slices.SortedFunc(maps.Keys(parts), func(a, b string) int {
		return cmp.Or(len(parts[a])-len(parts[b]), strings.Compare(a, b))
	})
	for _, name := range names {
		if cost := len(parts[name]) + len(name) + 4; cost > room/2 {
			omitted = append(omitted, name)
		} else {
			short[name] = parts[name]
			room -= cost
		}
	}
	kept := findings[:0:0]
	for _, f := range findings {
		if room -= len(f) + 1; room < 0 {
			break
		}
		kept = append(kept, f)
	}
	short["findings"], short["findings_left_out"], short["omitted"] = kept, len(findings)-len(kept), omitted
	return json.RawMessage(compact(short))
}

// bounded cuts what is too long in any answer to a call, since errors repeat what the client sent, and escapes the
// characters that a terminal obeys, hides or reorders by: most hosts show answers as they are.
func bounded(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			text := plain.Clip(plain.Text(err.Error()), longestError)
			wire, is := errors.AsType[*jsonrpc.Error](err)
			if !is {
				return nil, errors.New(text)
			}
			safe := &jsonrpc.Error{Code: wire.Code, Message: text}
			// The library writes the data of some errors as text that is not JSON, and could not send them.
			if len(wire.Data) <= longestError && json.Valid(wire.Data) {
				safe.Data = json.RawMessage(plain.JSON(string(wire.Data)))
			}
			return nil, safe
		}
		switch result := result.(type) {
		case *mcp.CallToolResult:
			longest := longestAnswer - 500
			if result.IsError {
				longest = longestError
			}
			for _, content := range result.Content {
				if text, is := content.(*mcp.TextContent); is {
					if text.Text = visible(text.Text); size(text.Text) > longest {
						text.Text = plain.Clip(text.Text, longest/7)
					}
				}
			}
		case *mcp.ReadResourceResult:
			for _, content := range result.Contents {
				content.Text = visible(content.Text)
			}
		case *mcp.GetPromptResult:
			for _, message := range result.Messages {
				if text, is := message.Content.(*mcp.TextContent); is {
					text.Text = visible(text.Text)
				}
			}
		}
		return result, nil
	}
}

// visible escapes hidden characters in a text. JSON keeps its meaning.
func visible(text string) string {
	if json.Valid([]byte(text)) {
		return plain.JSON(text)
	}
	return plain.Text(text)
}
