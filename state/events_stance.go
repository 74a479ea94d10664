package state

import "slices"

// Requested is something that the protocol asks of seats about a point, once.
type Requested struct {
	Point string      `json:"point"`
	What  RequestKind `json:"what"`
	Of    []Seat      `json:"of"`
	By    Seat        `json:"by"`
	Text  string      `json:"text"`
	// About is the challenge that it concerns, where one is meant.
	About string `json:"about,omitempty"`
}

// Kind implements Payload.
func (*Requested) Kind() string { return "requested" }

// Fold implements Payload.
func (e *Requested) Fold(s *State) error {
	at := s.Requests.Len()
	if !s.touchPoint(e.Point, func(p *Point) { p.Asked = append(slices.Clip(p.Asked), at) }) {
		return unknown("point", e.Point)
	}
	s.Requests = s.Requests.Append(&Request{
		Point: e.Point, Kind: e.What, Of: slices.Clone(e.Of), By: e.By, Text: e.Text, About: e.About, Round: s.Round,
		Seq: s.Seq,
	})
	return nil
}

// RequestSettled ends the open requests of a kind on a point: answered, or
// passed by.
type RequestSettled struct {
	Point    string      `json:"point"`
	What     RequestKind `json:"what"`
	Answered bool        `json:"answered"`
	// By is the seat that answered, or whose window passed.
	By   Seat   `json:"by"`
	Text string `json:"text"`
	// About narrows it to the requests that concern a challenge; "" is all.
	About string `json:"about,omitempty"`
}

// Kind implements Payload.
func (*RequestSettled) Kind() string { return "request-settled" }

// Fold implements Payload.
func (e *RequestSettled) Fold(s *State) error {
	p := s.Point(e.Point)
	if p == nil {
		return unknown("point", e.Point)
	}
	for _, at := range p.Asked {
		r := s.Requests.At(at)
		if r == nil || r.Kind != e.What || !r.Open() || e.About != "" && r.About != e.About {
			continue
		}
		s.Requests = s.Requests.Update(at, func(r *Request) {
			r.Answered, r.Passed, r.Seq = e.Answered, !e.Answered, s.Seq
		})
	}
	s.touchPoint(e.Point, nil)
	return nil
}

// ConfidenceReported is a seat's number for a point (ST3).
type ConfidenceReported struct {
	Seat     Seat    `json:"seat"`
	Point    string  `json:"point"`
	Stated   float64 `json:"stated"`
	Admitted float64 `json:"admitted"`
	Cause    string  `json:"cause"`
}

// Kind implements Payload.
func (*ConfidenceReported) Kind() string { return "confidence-reported" }

// Fold implements Payload.
func (e *ConfidenceReported) Fold(s *State) error {
	if s.Point(e.Point) == nil {
		return unknown("point", e.Point)
	}
	s.Confidence = s.Confidence.Append(&Confidence{
		Seat: e.Seat, Point: e.Point, Round: s.Round, Stated: e.Stated, Admitted: e.Admitted, Cause: e.Cause,
	})
	s.Points = s.Points.Update(index(e.Point, 'P'), func(p *Point) {
		now := Score{Seat: e.Seat, Stated: e.Stated, Admitted: e.Admitted, Cause: e.Cause, Round: s.Round, Seq: s.Seq}
		p.Scores = append(slices.DeleteFunc(slices.Clone(p.Scores), func(c Score) bool { return c.Seat == e.Seat }),
			now)
	})
	return nil
}

// DriftDetected is a reversed position (ST1). Kept means that the earlier one still applies.
type DriftDetected struct {
	Seat  Seat   `json:"seat"`
	Point string `json:"point"`
	From  string `json:"from"`
	To    string `json:"to"`
	Kept  bool   `json:"kept"`
}

// Kind implements Payload.
func (*DriftDetected) Kind() string { return "drift-detected" }

// Fold implements Payload.
func (e *DriftDetected) Fold(s *State) error {
	s.Drifts = s.Drifts.Append(&Drift{
		Seat: e.Seat, Point: e.Point, Round: s.Round, From: e.From, To: e.To, Kept: e.Kept,
	})
	return nil
}
