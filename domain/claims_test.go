package domain_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"moot/resolver/hearing"
	"moot/state"
)

// stolen is a packet by hand: the store of credentials is read and much goes out (f1,
// f2); nothing is asked for (f3). f4 and f5 are ordinary.
func stolen() []string {
	return []string{
		`10:05 | dc-2 | CommandLine | "ntdsutil ifm create full C:\\Windows\\Temp\\x" | process_list`,
		`10:20 | dc-2 -> 203.0.113.9 | bytes_out | 7340221440 | netflow`,
		`11:00 | dc-2 | owner_statement | "nobody has worked on dc-2, no ticket" | manual`,
		`09:00 | dc-2 | uptime_days | 41 | syslog`,
		`09:10 | ups-2 | battery_charge | 100 | syslog`,
	}
}

// ordered is the same act, accounted for by a change (f3) and a check (f4).
func ordered() []string {
	return []string{
		stolen()[0],
		`10:20 | dc-2 -> dc-9 | bytes_out | 7340221440 | netflow`,
		`09:00 | dc-2 | change_ticket | {"what":"install from media: ntdsutil ifm on dc-2 for dc-9","by":"adm-k","state":"approved","from":"2026-03-02T10:00Z","to":"2026-03-02T12:00Z"} | manual`,
		`11:00 | dc-9 | check | "verified: dc-9 promoted from media of dc-2, as ordered" | manual`,
	}
}

func claim(by state.Seat, confidence float64, facts ...string) hearing.Claim {
	return hearing.Claim{ID: string(by) + strings.Join(facts, ""), By: by, Facts: facts, Confidence: confidence}
}

// Claims are ruled by what their facts say: no confidence and no word makes one stand.
func TestJudgeClaims(t *testing.T) {
	d := security(t)
	for _, c := range []struct {
		name     string
		facts    []string
		claims   []hearing.Claim
		outcome  state.Outcome
		supports []state.Support
		rule     string
	}{
		{
			"acts that nothing accounts for", stolen(),
			[]hearing.Claim{claim(state.Architect, 0.6, "f1", "f2"), claim(state.Architect, 0.5, "f3"), claim(state.Skeptic, 0.9, "f4")},
			state.Confirmed,
			[]state.Support{state.Supported, state.Supported, state.Weak},
			"claims.1",
		},
		{
			"acts that a change accounts for, though the architect is sure", ordered(),
			[]hearing.Claim{claim(state.Architect, 1, "f1", "f2"), claim(state.Skeptic, 0.3, "f3", "f4")},
			state.Dismissed,
			[]state.Support{state.Weak, state.Supported},
			"claims.2",
		},
		{
			"what accounts for an act counts though the skeptic does not cite it", ordered(),
			[]hearing.Claim{claim(state.Architect, 1, "f1")},
			state.Inconclusive,
			[]state.Support{state.Weak},
			hearing.Else,
		},
		{
			"words about ordinary facts win nothing", stolen(),
			[]hearing.Claim{claim(state.Architect, 1, "f4"), claim(state.Skeptic, 0.2, "f5")},
			state.Inconclusive,
			[]state.Support{state.Weak, state.Unsupported},
			hearing.Else,
		},
		{
			"no fact, no support", stolen(),
			[]hearing.Claim{claim(state.Architect, 1)},
			state.Inconclusive,
			[]state.Support{state.Unsupported},
			hearing.Else,
		},
		{"no claim at all", stolen(), nil, state.Inconclusive, nil, hearing.Else},
		{
			"what is missing keeps acts from deciding",
			append(stolen()[:1], `10:10 | dc-2 | wef_forwarding | "last event 10:05" | syslog`, `10:30 | dc-2 | collector_gap | "no events 10:05-12:00" | syslog`, `11:00 | adm-k | reply | "none yet, in flight" | manual`),
			[]hearing.Claim{claim(state.Architect, 0.9, "f1"), claim(state.Skeptic, 0.5, "f2", "f3", "f4")},
			state.Inconclusive,
			[]state.Support{state.Supported, state.Supported},
			hearing.Else,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := hearing.JudgeClaims(d, packetOf(t, c.facts...), c.claims)
			if err != nil {
				t.Fatal(err)
			}
			var supports []state.Support
			for _, one := range v.Claims {
				supports = append(supports, one.Support)
			}
			if v.Outcome != c.outcome || v.Rule != c.rule || !slices.Equal(supports, c.supports) {
				t.Errorf("%s by %s, %v, want %s by %s, %v: %s", v.Outcome, v.Rule, supports, c.outcome, c.rule, c.supports, v.Sentence)
			}
			for _, n := range []float64{v.Confidence, v.Architect, v.Skeptic, v.Neither} {
				if n < 0 || n > 1 || math.IsNaN(n) {
					t.Errorf("a number of %+v is not from 0 to 1", v)
				}
			}
			if !strings.HasPrefix(v.Sentence, "THREAT_"+string(c.outcome)) || len([]rune(v.Sentence)) > 400 {
				t.Errorf("the sentence is %q", v.Sentence)
			}
		})
	}
}

// The sentence names what decides, with its facts.
func TestClaimsSentence(t *testing.T) {
	d := security(t)
	v, err := hearing.JudgeClaims(d, packetOf(t, stolen()...), []hearing.Claim{claim(state.Architect, 0.6, "f1", "f2")})
	if err != nil || !strings.Contains(v.Sentence, "credential access (f1)") || !strings.Contains(v.Sentence, "nothing accounts for it") {
		t.Errorf("%q, %v", v.Sentence, err)
	}
	v, err = hearing.JudgeClaims(d, packetOf(t, ordered()...), []hearing.Claim{claim(state.Architect, 1, "f1"), claim(state.Skeptic, 0.3, "f3")})
	if err != nil || !strings.Contains(v.Sentence, "an approved change or request (f3)") || !strings.Contains(v.Sentence, "credential access (f1): accounted for by") {
		t.Errorf("%q, %v", v.Sentence, err)
	}
}

// Facts that the other side cites against a claim take from it what no rule could read.
func TestFactsCitedAgainst(t *testing.T) {
	d, p := security(t), packetOf(t, stolen()...)
	bare := claim(state.Architect, 1, "f4")
	met := bare
	met.Against = []string{"f5", "f4"}
	a, err := hearing.JudgeClaims(d, p, []hearing.Claim{bare})
	if err != nil {
		t.Fatal(err)
	}
	b, err := hearing.JudgeClaims(d, p, []hearing.Claim{met})
	if err != nil || b.Claims[0].Weight != a.Claims[0].Weight/2 {
		t.Errorf("%v, then %v: %v", a.Claims[0].Weight, b.Claims[0].Weight, err)
	}
}

// What cannot be judged is refused, with the claim and what is wrong with it.
func TestJudgeClaimsRefuses(t *testing.T) {
	d, p := security(t), packetOf(t, stolen()...)
	for want, c := range map[string]hearing.Claim{
		"not from 0 to 1": claim(state.Architect, 1.5, "f1"),
		`"f77"`:           claim(state.Architect, 0.5, "f77"),
		"makes no claims": claim(state.Oracle, 0.5, "f1"),
	} {
		if _, err := hearing.JudgeClaims(d, p, []hearing.Claim{c}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), c.ID) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := hearing.JudgeClaims(d, p, []hearing.Claim{claim(state.Skeptic, math.NaN(), "f1")}); err == nil {
		t.Error("a confidence that is no number is taken")
	}
}
