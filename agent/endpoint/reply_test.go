package endpoint

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"moot/protocol"
)

func TestReplyStreamsAndCounts(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		stream(w, token("Hel"), token("lo"), finish("stop"), counted, "[DONE]")
	}
	inBubble(t, setup{}, handler, func(b *bench) {
		reply := b.mustReply("Hello")
		if !slices.Equal(b.texts, []string{"Hel", "lo"}) {
			b.Errorf("shown %q, want each piece as it came", b.texts)
		}
		if reply.PromptTokens != 100 || reply.CompletionTokens != 20 || reply.Attempts != 1 ||
			reply.Model != "gpt-test-2026" || len(reply.Notes) != 0 {
			b.Errorf("reply %+v", reply)
		}
		if want := (100*1.0 + 20*10.0) / 1e6; reply.Cost != want {
			b.Errorf("cost %v, want %v", reply.Cost, want)
		}
		if got := b.header.Get("Authorization"); got != "Bearer "+testKey {
			b.Errorf("authorization %q", got)
		}
	})
}

func TestStreamsAsServersWriteThem(t *testing.T) {
	whole := "data: " + token("fine") + "\n\ndata: " + finish("stop") + "\n\n"
	cases := map[string]string{
		"an end without [DONE], after a finish_reason":   whole,
		"[DONE] after a text, and no finish_reason":      "data: " + token("fine") + "\n\ndata: [DONE]\n\n",
		"no newline at the end":                          strings.TrimRight(whole, "\n"),
		"no blank line between events":                   strings.ReplaceAll(whole, "\n\n", "\n"),
		"CRLF":                                           strings.ReplaceAll(whole, "\n", "\r\n"),
		"no space after the colon":                       strings.ReplaceAll(whole, "data: ", "data:"),
		"a byte order mark":                              "\uFEFF" + whole,
		"event and id fields":                            "event: message\nid: 7\n" + whole,
		"more comments than the library bears":           strings.Repeat(": still here\n\n", 1000) + whole,
		"a reply in one piece, not streamed":             `{"model":"gpt-test","choices":[{"message":{"content":"fine"},"finish_reason":"stop"}]}`,
		"reasoning, which is no part of the reply":       "data: " + `{"choices":[{"delta":{"reasoning":"hm","content":null}}]}` + "\n\n" + whole,
		"reasoning_content as well":                      "data: " + `{"choices":[{"delta":{"reasoning_content":"hm"}}]}` + "\n\n" + whole,
		"content as a list of parts":                     "data: " + `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"fi"}]}}]}` + "\n\ndata: " + token("ne") + "\n\ndata: " + finish("stop"),
		"an error that is null":                          "data: " + `{"error":null,"choices":[]}` + "\n\n" + whole,
		"a chunk of nonsense after the reply was whole":  whole + "data: {\n\n",
		"the connection breaks after the reply is whole": whole + "break",
	}
	for name, body := range cases {
		t.Run(name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, _ *http.Request) {
				_, broken := strings.CutSuffix(body, "break")
				for piece := range slices.Chunk([]byte(strings.TrimSuffix(body, "break")), 97) {
					_, _ = w.Write(piece)
					w.(http.Flusher).Flush()
				}
				if broken {
					panic(http.ErrAbortHandler)
				}
			}
			inBubble(t, setup{}, handler, func(b *bench) { b.mustReply("fine") })
		})
	}
}

func TestThinkingIsToldNowAndThen(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		for range 100 {
			stream(w, `{"choices":[{"delta":{"reasoning":"`+strings.Repeat("0123456789", 2<<10)+`"}}]}`)
			sleep(r, 100*time.Millisecond)
		}
		good(w, "fine")
	}
	inBubble(t, setup{}, handler, func(b *bench) {
		b.mustReply("fine")
		if len(b.notes) != 3 || b.notes[0] != "thinking … (1064960 bytes so far)" {
			b.Errorf("notes %q, want one each two seconds once a thought is not shown any more", b.notes)
		}
	})
}

func TestRetriesBeforeTheFirstToken(t *testing.T) {
	cases := map[string]http.HandlerFunc{
		"500": func(w http.ResponseWriter, _ *http.Request) { refuse(w, 500, `{"error":{"message":"oops"}}`) },
		"408": func(w http.ResponseWriter, _ *http.Request) { refuse(w, 408, "") },
		"409": func(w http.ResponseWriter, _ *http.Request) { refuse(w, 409, `{"error":"conflict"}`) },
		"429": func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, 429, `{"error":{"message":"slow down","code":null}}`)
		},
		"503": func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, "<html><title>busy</title></html>") },
		"cut off": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, `{"choices":[{"delta":{"role":"assistant"}}]}`)
			panic(http.ErrAbortHandler)
		},
		"a clean end, no finish_reason": func(w http.ResponseWriter, _ *http.Request) { stream(w, "[DONE]") },
		"an empty body":                 func(http.ResponseWriter, *http.Request) {},
		"a broken chunk":                func(w http.ResponseWriter, _ *http.Request) { stream(w, `{"choices":[`) },
		"an error in the stream":        func(w http.ResponseWriter, _ *http.Request) { stream(w, `{ "error":{"code":502,"message":"bad"}}`) },
		"an error as a string":          func(w http.ResponseWriter, _ *http.Request) { stream(w, `{"error":"bad"}`) },
		"an error field":                func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "error: {\"code\":500}\n\n") },
		"an error under a 200":          func(w http.ResponseWriter, _ *http.Request) { refuse(w, 200, `{"error":{"message":"overloaded"}}`) },
		"finish_reason error":           func(w http.ResponseWriter, _ *http.Request) { stream(w, finish("error")) },
		"no token in time":              func(_ http.ResponseWriter, r *http.Request) { untilGone(r) },
		"silence while it thinks": func(w http.ResponseWriter, r *http.Request) {
			stream(w, `{"choices":[{"delta":{"reasoning":"hm"}}]}`)
			untilGone(r)
		},
		"comments and nothing else": func(w http.ResponseWriter, r *http.Request) {
			for range 100 {
				_, _ = io.WriteString(w, ": keep-alive\n\n")
				w.(http.Flusher).Flush()
				sleep(r, 10*time.Second)
			}
		},
	}
	for name, handler := range cases {
		t.Run(name, func(t *testing.T) {
			inBubble(t, setup{}, firstly(handler), func(b *bench) {
				reply := b.mustReply("fine")
				if reply.Attempts != 2 || reply.Waited < 500*time.Millisecond || reply.Waited > 1500*time.Millisecond {
					b.Errorf("attempts %d, waited %s", reply.Attempts, reply.Waited)
				}
				told := slices.ContainsFunc(b.notes, func(note string) bool { return strings.HasSuffix(note, "(2/5)") })
				if !told {
					b.Errorf("notes %q do not tell the wait", b.notes)
				}
			})
		})
	}
}

func TestNeverAfterTheFirstToken(t *testing.T) {
	cases := map[string]func(http.ResponseWriter, *http.Request){
		"cut off":        func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a clean end":    func(http.ResponseWriter, *http.Request) {},
		"silence":        func(_ http.ResponseWriter, r *http.Request) { untilGone(r) },
		"a broken chunk": func(w http.ResponseWriter, _ *http.Request) { stream(w, `{"choices":`) },
		"a page":         func(w http.ResponseWriter, _ *http.Request) { stream(w, `<html>`) },
		"an error": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, `{"error":{"code":"server_error","message":"x"}}`)
		},
		"an overflow": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, `{"error":{"type":"exceed_context_size_error"}}`)
		},
		"a refusal of the schema": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, `{"error":{"code":400,"message":"response_format"}}`)
		},
		"finish_reason error": func(w http.ResponseWriter, _ *http.Request) { stream(w, finish("error")) },
		"a router's upstream error": func(w http.ResponseWriter, _ *http.Request) {
			stream(w, `{"choices":[{"error":{"code":502},"finish_reason":"error"}]}`)
		},
	}
	for name, then := range cases {
		t.Run(name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, r *http.Request) {
				stream(w, token("I conc"))
				then(w, r)
			}
			inBubble(t, setup{}, handler, func(b *bench) {
				broken := mustFail[*protocol.Broken](b, "openai:gpt-test", "6 bytes")
				if broken.Code != "broken" || broken.Partial != "I conc" || b.calls() != 1 {
					b.Errorf("%+v after %d calls", broken, b.calls())
				}
			})
		})
	}
}

func TestRepliesThatAreNone(t *testing.T) {
	cases := map[string]struct {
		events []string
		code   string
	}{
		"the limit of tokens":        {[]string{token("AGREE"), finish("length")}, "length"},
		"all tokens spent thinking":  {[]string{finish("length")}, "length"},
		"a content filter":           {[]string{token("The"), finish("content_filter")}, "filtered"},
		"not a word":                 {[]string{token(" \n"), finish("stop")}, "empty"},
		"a refusal of the model":     {[]string{`{"choices":[{"delta":{"refusal":"I cannot"}}]}`, finish("stop")}, "refused"},
		"longer than the limit":      {[]string{token(strings.Repeat("x", 600)), token(strings.Repeat("x", 600)), finish("stop")}, "oversized"},
		"a line without end":         {[]string{strings.Repeat(" ", 1<<17) + "{}"}, "oversized"},
		"a generation that was none": {[]string{`{"error":{"code":"json_validate_failed","message":"does not match the schema","failed_generation":"{"}}`}, "broken"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, _ *http.Request) { stream(w, c.events...) }
			inBubble(t, setup{limits: Limits{MaxReplyBytes: 1000}}, handler, func(b *bench) {
				if broken := mustFail[*protocol.Broken](b, "openai:gpt-test"); broken.Code != c.code || b.calls() != 1 {
					b.Errorf("%+v after %d calls, want the code %q", broken, b.calls(), c.code)
				}
			})
		})
	}
}

func TestTheCapOnAReplyIsNamed(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) { stream(w, token("AGREE"), finish("length")) }
	config := Config{Name: "x", Base: "http://127.0.0.1:8080/v1", Model: "m"}
	config.MaxTokens = 40
	inBubble(t, setup{config: config}, handler, func(b *bench) {
		mustFail[*protocol.Broken](b, "x reached the cap of 40 tokens on a reply (max-tokens), or the end of its context; the 5 bytes received do not count")
	})
}

func TestConnectionErrors(t *testing.T) {
	dials := 0
	down := func(context.Context, string, string) (net.Conn, error) {
		dials++
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	config := Config{Name: "ollama:qwen3", Base: "http://127.0.0.1:11434/v1", Model: "qwen3", Local: true, Start: "ollama serve"}
	inBubble(t, setup{config: config, dial: down, limits: Limits{Attempts: 3}}, nil, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "ollama:qwen3 gives no answer: it refused the connection", "tried 3 times",
			"is the server running at http://127.0.0.1:11434/v1? start it with `ollama serve`")
		if dials != 3 || len(b.notes) != 2 || !strings.HasPrefix(b.notes[0], "connection refused, retrying in ") {
			b.Errorf("%d dials, notes %q", dials, b.notes)
		}
	})
	hangs := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	inBubble(t, setup{dial: hangs, limits: Limits{Attempts: 2}}, nil, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "no connection in 10 s", "tried 2 times")
	})
}

func TestRetryAfterIsObeyed(t *testing.T) {
	cases := map[string]struct {
		header func() http.Header
		least  time.Duration
	}{
		"seconds": {func() http.Header { return http.Header{"Retry-After": {"12"}} }, 12 * time.Second},
		"a date, by the server's clock": {func() http.Header {
			ahead := time.Now().Add(time.Hour).UTC()
			return http.Header{
				"Date": {ahead.Format(http.TimeFormat)}, "Retry-After": {ahead.Add(30 * time.Second).Format(http.TimeFormat)},
			}
		}, 30 * time.Second},
		"milliseconds": {func() http.Header { return http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"2"}} }, 1500 * time.Millisecond},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			busy := func(w http.ResponseWriter, _ *http.Request) {
				for name, values := range c.header() {
					w.Header()[name] = values
				}
				refuse(w, 429, "{}")
			}
			inBubble(t, setup{}, firstly(busy), func(b *bench) {
				began := time.Now()
				reply := b.mustReply("fine")
				if took := time.Since(began); took < c.least || took > c.least*11/10 || reply.Waited != took {
					b.Errorf("took %s, waited %s, want %s and at most a tenth more", took, reply.Waited, c.least)
				}
				if !strings.HasPrefix(b.notes[0], "429, retrying in 1") && !strings.HasPrefix(b.notes[0], "429, retrying in 3") {
					b.Errorf("note %q", b.notes[0])
				}
			})
		})
	}
	long := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		refuse(w, 429, "{}")
	}
	inBubble(t, setup{}, long, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "asks to wait 1 h,", "the limit is 2 min", "continue after")
		if b.calls() != 1 {
			b.Errorf("%d calls: a server that wants an hour must be left alone", b.calls())
		}
	})
}

func TestWaitsGrowAndEnd(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, `{"error":{"message":"Loading model"}}`) }
	inBubble(t, setup{limits: Limits{Attempts: 6, MaxWait: 4 * time.Second}}, handler, func(b *bench) {
		reply, err := b.ask(b.Context())
		var gone *protocol.Unreachable
		if !errors.As(err, &gone) || !strings.Contains(gone.What, "503: Loading model (tried 6 times)") {
			b.Fatalf("error %v", err)
		}
		if reply.Attempts != 6 || len(b.notes) != 5 || reply.Waited < 7500*time.Millisecond || reply.Waited > 23*time.Second {
			b.Errorf("attempts %d, waited %s, notes %q", reply.Attempts, reply.Waited, b.notes)
		}
	})
	inBubble(t, setup{limits: Limits{Total: 3 * time.Second, BaseWait: time.Minute}}, handler, func(b *bench) {
		began := time.Now()
		mustFail[*protocol.Unreachable](b, "within 3 s", "Loading model")
		if took := time.Since(began); took != 3*time.Second {
			b.Errorf("took %s", took)
		}
	})
}

func TestTheTotalTimeEndsAStream(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			stream(w, token("x"))
			sleep(r, time.Second)
		}
	}
	inBubble(t, setup{limits: Limits{Total: 10*time.Second + time.Millisecond}}, handler, func(b *bench) {
		began := time.Now()
		broken := mustFail[*protocol.Broken](b, "did not finish within 10 s")
		if len(broken.Partial) != 11 || time.Since(began).Round(time.Second) != 10*time.Second {
			b.Errorf("%q after %s", broken.Partial, time.Since(began))
		}
	})
	silent := func(_ http.ResponseWriter, r *http.Request) { untilGone(r) }
	inBubble(t, setup{limits: Limits{Total: 10 * time.Second}}, silent, func(b *bench) {
		mustFail[*protocol.Unreachable](b, "did not finish within 10 s; allow more time")
	})
}

func TestAStreamLeftOpenDoesNotHoldTheReply(t *testing.T) {
	cases := map[string]struct {
		events []string
		most   time.Duration
	}{
		"after [DONE]":          {[]string{token("fine"), finish("stop"), counted, "[DONE]"}, drainWait},
		"after a finish_reason": {[]string{token("fine"), finish("stop")}, tailWait},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, r *http.Request) {
				stream(w, c.events...)
				untilGone(r)
			}
			inBubble(t, setup{}, handler, func(b *bench) {
				if reply := b.mustReply("fine"); reply.Took > c.most {
					b.Errorf("took %s", reply.Took)
				}
			})
		})
	}
}

// TestDoneWithoutAReason: that a server announces the end says that the text before it is
// whole, and that the model declined; what it thought alone is no reply.
func TestDoneWithoutAReason(t *testing.T) {
	done := func(chunks ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { stream(w, append(chunks, "[DONE]")...) }
	}
	inBubble(t, setup{}, done(token("Hel"), token("lo"), counted), func(b *bench) {
		if reply := b.mustReply("Hello"); reply.Attempts != 1 || reply.PromptTokens != 100 {
			b.Errorf("reply %+v, want the text and its counts at the first attempt", reply)
		}
	})
	inBubble(t, setup{}, done(`{"choices":[{"delta":{"refusal":"I cannot"}}]}`), func(b *bench) {
		if broken := mustFail[*protocol.Broken](b, "I cannot"); broken.Code != "refused" {
			b.Errorf("%+v, want what it declined with", broken)
		}
	})
	inBubble(t, setup{}, firstly(done(`{"choices":[{"delta":{"reasoning":"hm"}}]}`)), func(b *bench) {
		if reply := b.mustReply("fine"); reply.Attempts != 2 {
			b.Errorf("%d attempts, want another one where it only thought", reply.Attempts)
		}
	})
}
