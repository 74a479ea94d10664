package endpoint

import "testing"

// LE7: what a server tells of its own limit is read, in the words of each.
func TestContextLimit(t *testing.T) {
	for body, want := range map[string]int{
		`{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","code":"context_length_exceeded"}}`:          8192,
		`{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`:              4096,
		`{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`:                                                             200000,
		`[{"error":{"code":400,"message":"The input token count (2000000) exceeds the maximum number of tokens allowed (1,048,576).","status":"INVALID_ARGUMENT"}}]`:            1048576,
		`{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion)."}`: 4096,
		`{"error":"The number of tokens to keep from the initial prompt is greater than the context length. The model is loaded with context length of only 2048 tokens"}`:      2048,
		`{"message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"}`:                                                  32768,
		`{"error":{"message":"context length exceeded"}}`:                       0,
		`{"error":{"message":"context length is 99999999999999999999 tokens"}}`: 0,
		`{"error":{"n_ctx":-5,"message":"no"}}`:                                 0,
		`413`:                                                                   0,
	} {
		said := parseRefusal([]byte(body))
		if got := said.contextLimit(); got != want {
			t.Errorf("%s\nsays %d, not %d", body, got, want)
		}
	}
}
