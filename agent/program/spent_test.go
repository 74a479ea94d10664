package program

import "testing"

func TestTurnsWithoutAReplyAreCounted(t *testing.T) {
	t.Parallel()
	says := `{"type":"delta","text":"yes"}` + "\n"
	th := stage(
		t, nil,
		scene{Out: startLine + says + endLine},
		scene{Out: startLine + `{"type":"failed","why":"no","status":401}` + "\n", Exit: 1},
		scene{Out: startLine + `{"type":"end","in":25,"out":5,"cost":0.25}` + "\n"},
	)
	if _, err := th.asked(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	reply, err := th.asked(t.Context(), "abc-1")
	if err == nil || reply.Attempts != 1 || reply.PromptTokens != 0 || reply.Text != "" || reply.Conversation != "" {
		t.Errorf("%+v, %v", reply, err)
	}
	reply, err = th.asked(t.Context(), "abc-1")
	if err == nil || reply.PromptTokens != 15 || reply.CompletionTokens != 1 || reply.Cost != 0.25 {
		t.Errorf("%+v, %v", reply, err)
	}
}
