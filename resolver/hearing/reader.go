package hearing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/enum"
	"moot/ledger"
	"moot/resolver/detect"
	"moot/resolver/jsonlines"
	"moot/state"
)

// Input is what the judge is asked by one JSON object.
type Input struct {
	Version            state.JudgeVersion
	Architect, Skeptic Side
	// Domain, Packet and Claims are what JudgeClaims decides by; the other versions do
	// not read them.
	Domain string
	Packet *ledger.Packet
	Claims []Claim
}

// Reader reads inputs, one JSON object after the other, and refuses whatever is not as
// the contract has it: unknown and repeated fields, confidences that are missing or out
// of range, packets that are not sound, facts that are in no packet. It holds one
// object at a time.
type Reader struct {
	objects *jsonlines.Reader
	domains []string
}

// NewReader returns a Reader of JSON Lines, or of one object. The domains are the
// names of those that claims may be judged in; the first is the default.
func NewReader(from io.Reader, domains []string) *Reader {
	return &Reader{jsonlines.NewReader(from), domains}
}

// Next returns the next input, or io.EOF behind the last. A *jsonlines.Error is about
// one object, and Next goes on behind it. Any other error is that of reading.
func (r *Reader) Next() (*Input, error) {
	text, err := r.objects.Next()
	if err != nil {
		//nolint:wrapcheck // it says what is wrong, and where
		return nil, err
	}
	in, at, what := r.parse(text)
	if what != "" {
		return nil, r.objects.Wrong(at, what)
	}
	return in, nil
}

// document is an object as it is written; what is nil was left out.
type document struct {
	Version   state.JudgeVersion `json:"version"`
	Architect *writtenSide       `json:"architect"`
	Skeptic   *writtenSide       `json:"skeptic"`
	Domain    string             `json:"domain"`
	Packet    jsontext.Value     `json:"packet"`
	Claims    *[]writtenClaim    `json:"claims"`
}

type writtenSide struct {
	Confidence *float64 `json:"confidence"`
	Facts      []string `json:"facts"`
}

type writtenClaim struct {
	ID         string     `json:"id"`
	By         state.Seat `json:"by"`
	Facts      []string   `json:"facts"`
	Reading    string     `json:"reading"`
	Confidence *float64   `json:"confidence"`
	Against    []string   `json:"against"`
}

// parse reads one object, and says what is wrong with it and where; what is "" if
// nothing is.
func (r *Reader) parse(text jsontext.Value) (in *Input, at jsontext.Pointer, what string) {
	d := document{Version: state.JudgeV1}
	if at, what = jsonlines.Decode(text, &d, json.UnmarshalFromFunc(versionLeftOut)); what != "" {
		return nil, at, what
	}
	in = &Input{Version: d.Version, Domain: d.Domain}
	if in.Domain == "" {
		in.Domain = r.domains[0]
	}
	for _, side := range []struct {
		seat    state.Seat
		written *writtenSide
		into    *Side
	}{{state.Architect, d.Architect, &in.Architect}, {state.Skeptic, d.Skeptic, &in.Skeptic}} {
		if side.written == nil && in.Version == state.JudgeClaims {
			continue
		}
		if at, what = side.written.read(jsontext.Pointer("/"+side.seat), side.into); what != "" {
			return nil, at, what
		}
	}
	if in.Version == state.JudgeClaims {
		at, what = r.claims(&d, in)
	}
	return in, at, what
}

// versionLeftOut takes null for a version that is left out.
func versionLeftOut(from *jsontext.Decoder, _ *state.JudgeVersion) error {
	if from.PeekKind() != jsontext.KindNull {
		return errors.ErrUnsupported
	}
	//nolint:wrapcheck // the decoder knows the place
	return from.SkipValue()
}

// read takes a side in.
func (w *writtenSide) read(field jsontext.Pointer, into *Side) (at jsontext.Pointer, what string) {
	if w == nil {
		return field, "it is missing: a side has a confidence and facts"
	}
	if what = confidence(w.Confidence, &into.Confidence); what != "" {
		return field + "/confidence", what
	}
	into.Facts = w.Facts
	return named(field+"/facts", w.Facts)
}

// confidence takes a confidence in, or says what is wrong with it.
func confidence(written, into *float64) string {
	if written == nil {
		return "the confidence is missing: it is a number from 0 to 1"
	}
	*into = *written
	if err := CheckConfidence(*written); err != nil {
		return err.Error()
	}
	return ""
}

// named refuses facts without an id.
func named(field jsontext.Pointer, ids []string) (at jsontext.Pointer, what string) {
	if i := slices.Index(ids, ""); i >= 0 {
		return field + jsontext.Pointer("/"+strconv.Itoa(i)), "the id of the fact is empty"
	}
	return "", ""
}

// claims reads what JudgeClaims decides by.
func (r *Reader) claims(d *document, in *Input) (at jsontext.Pointer, what string) {
	switch {
	case d.Packet == nil || d.Packet.Kind() == jsontext.KindNull:
		return "/packet", "the packet is missing: version claims judges claims by the facts of a packet"
	case d.Claims == nil:
		return "/claims", "the claims are missing: version claims judges them; where nobody made any, write an empty list"
	}
	if _, err := enum.Parse("domain", in.Domain, r.domains); err != nil {
		return "/domain", err.Error()
	}
	packet, err := ledger.ReadPacket(bytes.NewReader(d.Packet), "")
	if wrong, is := errors.AsType[*ledger.PacketError](err); is {
		return packetPlace(wrong)
	}
	if err != nil {
		return "/packet", err.Error()
	}
	in.Packet = packet
	for i := range *d.Claims {
		written := &(*d.Claims)[i]
		field := jsontext.Pointer("/claims/" + strconv.Itoa(i))
		if at, what = in.claim(written, field, i); what != "" {
			return at, what
		}
	}
	return "", ""
}

// packetPlace is the place within the object of what is wrong with its packet.
func packetPlace(wrong *ledger.PacketError) (at jsontext.Pointer, what string) {
	at = "/packet"
	if wrong.Index >= 0 {
		at += jsontext.Pointer("/facts/" + strconv.Itoa(wrong.Index))
	}
	if wrong.Field != "" {
		at = at.AppendToken(wrong.Field)
	}
	if wrong.Packet == "" {
		return at, wrong.What
	}
	about := *wrong
	about.Line, about.Field = 0, ""
	return at, about.Error()
}

// claim takes a claim in. Those without an id are numbered.
func (in *Input) claim(w *writtenClaim, field jsontext.Pointer, place int) (at jsontext.Pointer, what string) {
	c := Claim{ID: w.ID, By: w.By, Facts: w.Facts, Reading: w.Reading, Against: w.Against}
	if c.ID == "" {
		c.ID = "C" + strconv.Itoa(place+1)
	}
	if slices.ContainsFunc(in.Claims, func(other Claim) bool { return other.ID == c.ID }) {
		return field + "/id", fmt.Sprintf("there is another claim %q: each has an id of its own (a claim without one is called C and its number)", c.ID)
	}
	if c.By != state.Architect && c.By != state.Skeptic {
		return field + "/by", fmt.Sprintf("%q makes no claims in a hearing: architect and skeptic do", c.By)
	}
	if what = confidence(w.Confidence, &c.Confidence); what != "" {
		return field + "/confidence", what
	}
	for _, cited := range []struct {
		name string
		ids  []string
	}{{"/facts", c.Facts}, {"/against", c.Against}} {
		for i, id := range cited.ids {
			if !in.Packet.Has(id) {
				return field + jsontext.Pointer(cited.name+"/"+strconv.Itoa(i)), fmt.Sprintf("there is no fact %q in packet %q", id, in.Packet.ID())
			}
		}
	}
	in.Claims = append(in.Claims, c)
	return "", ""
}

// Answer judges an input and writes the verdict as one line of JSON. The detector is
// that of a domain; it is asked for where claims are judged.
func (in *Input) Answer(to io.Writer, detector func(domain string) (*detect.Detector, error)) error {
	var verdict any
	if in.Version == state.JudgeClaims {
		d, err := detector(in.Domain)
		if err != nil {
			return err
		}
		if verdict, err = JudgeClaims(d, in.Packet, in.Claims); err != nil {
			return err
		}
	} else {
		var err error
		if verdict, err = Judge(in.Version, in.Architect, in.Skeptic); err != nil {
			return err
		}
	}
	text, err := json.Marshal(verdict, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode the verdict: %w", err)
	}
	if _, err := to.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("write the verdict: %w", err)
	}
	return nil
}
