package domain_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"moot/domain"
	"moot/resolver/detect"
	"moot/resolver/hearing"
	"moot/state"
)

// Shares add up to 1, and a side has the more the more it cites of what speaks for it;
// what it leaves out speaks for neither, and nothing for the other side.
func TestSums(t *testing.T) {
	for _, name := range domain.Names() {
		d, err := domain.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		ready, err := detect.Compile(&d)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(r *rapid.T) {
			p := packetOf(t, facts().Draw(r, "facts")...)
			c := ready.Find(p)
			weigh := func(architect, skeptic []string) detect.Sums {
				s := c.Weigh(architect, skeptic)
				for _, n := range []float64{s.Architect, s.Skeptic, s.Neither} {
					if n < 0 || n > 1 || math.IsNaN(n) {
						r.Fatalf("%+v", s)
					}
				}
				if !same(s.Architect+s.Skeptic+s.Neither, 1) {
					r.Fatalf("%+v comes to %v", s, s.Architect+s.Skeptic+s.Neither)
				}
				return s
			}
			ids := make([]string, p.Len())
			for i := range ids {
				ids[i] = p.At(i).ID
			}
			order := rapid.Permutation(ids).Draw(r, "order")
			all, before := weigh(nil, nil), weigh([]string{}, []string{})
			for i := range order {
				cited := order[:i+1]
				for _, now := range []detect.Sums{weigh(cited, []string{}), weigh([]string{}, cited), weigh(cited, cited)} {
					if now.Architect < before.Architect-1e-9 || now.Skeptic < before.Skeptic-1e-9 || now.Architect > all.Architect+1e-9 || now.Skeptic > all.Skeptic+1e-9 {
						r.Fatalf("who cites %v has %+v, without these %+v, and by everything %+v", cited, now, before, all)
					}
				}
				both, alone := weigh(cited, cited), weigh(cited, []string{})
				if !same(both.Architect, alone.Architect) {
					r.Fatalf("what the skeptic cites changes the architect's share from %v to %v", alone.Architect, both.Architect)
				}
				fewer := weigh(order[:i], order[:i])
				if both.Architect < fewer.Architect-1e-9 || both.Skeptic < fewer.Skeptic-1e-9 {
					r.Fatalf("%s takes from a share: %+v, then %+v", order[i], fewer, both)
				}
			}
			if whole := weigh(order, order); !same(whole.Architect, all.Architect) || !same(whole.Skeptic, all.Skeptic) {
				r.Fatalf("who cites everything has %+v, and not %+v", whole, all)
			}
		})
	}
}

// Who cites more of what speaks for a side has more of its share, up to what counts as all
// of it: strong facts soon do.
func TestSharesGrow(t *testing.T) {
	c := security(t).Find(packetOf(t, stolen()...))
	nothing, all := c.Weigh([]string{}, nil), c.Weigh(nil, nil)
	before := nothing.Architect
	for _, cited := range [][]string{{"f4"}, {"f4", "f5"}, {"f4", "f5", "f1"}} {
		now := c.Weigh(cited, nil)
		if now.Architect <= before || now.Skeptic != all.Skeptic {
			t.Errorf("who cites %v has %+v, without the last %v", cited, now, before)
		}
		before = now.Architect
	}
	if nothing.Architect != 0 || before != all.Architect {
		t.Errorf("from nothing, %+v, to everything, %+v, by way of %v", nothing, all, before)
	}
	if nothing.Neither <= all.Neither {
		t.Errorf("what is left out speaks for somebody: %+v, %+v", nothing, all)
	}
}

// Where nobody cites anything the verdict is INCONCLUSIVE, whatever the facts come to.
func TestNobodyCites(t *testing.T) {
	d := security(t)
	rapid.Check(t, func(r *rapid.T) {
		c := d.Find(packetOf(t, facts().Draw(r, "facts")...))
		claims := []hearing.Claim{claim(state.Architect, 1), claim(state.Skeptic, 1)}[:rapid.IntRange(0, 2).Draw(r, "claims")]
		v, err := hearing.JudgeFound(c, claims)
		if err != nil || v.Outcome != state.Inconclusive || v.Rule != hearing.Else {
			r.Fatalf("%+v, %v", v, err)
		}
	})
}
