package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"moot/agent/endpoint"
	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
)

// fallback calls another participant if the first cannot be reached, as configured by the user. A broken reply or a
// prompt that is too long does not trigger it.
type fallback struct{ first, second protocol.Participant }

// Name implements protocol.Participant. It includes both names.
func (f *fallback) Name() string { return f.first.Name() + fallbackMark + f.second.Name() + ")" }

// Modelless implements protocol.Participant.
func (f *fallback) Modelless() bool { return f.first.Modelless() && f.second.Modelless() }

// NeedsLookups implements protocol.Participant. One of them needing lookups is enough.
func (f *fallback) NeedsLookups() bool {
	return protocol.NeedsLookups(f.first) || protocol.NeedsLookups(f.second)
}

// Estimate implements run.Priced, with the prices of the first.
func (f *fallback) Estimate(tokens int) (float64, bool) {
	if priced, ok := f.first.(run.Priced); ok {
		return priced.Estimate(tokens)
	}
	return 0, false
}

// Close closes both.
func (f *fallback) Close() error { return errors.Join(closeOf(f.first), closeOf(f.second)) }

// Aftermath implements protocol.Lingering.
func (f *fallback) Aftermath() []string {
	return append(lateReports(f.first), lateReports(f.second)...)
}

// Absent returns why the first cannot be asked, or nil if its fallback can.
func (f *fallback) Absent() error {
	if Absent(f.second) == nil {
		return nil
	}
	return Absent(f.first)
}

// Instead returns a note if it is already known that a participant's fallback will be used, or "".
func Instead(p protocol.Participant) string {
	f, ok := p.(*fallback)
	if !ok {
		return ""
	}
	why := Absent(f.first)
	if why == nil || Absent(f.second) != nil {
		return ""
	}
	return fmt.Sprintf("%v: its fallback %s answers instead", why, f.second.Name())
}

// Reply implements protocol.Participant.
func (f *fallback) Reply(
	ctx context.Context, call protocol.Call, watch func(protocol.Delta),
) (protocol.Reply, error) {
	before, err := f.first.Reply(ctx, call, watch)
	unreachable, ok := errors.AsType[*protocol.Unreachable](err)
	if !ok || ctx.Err() != nil {
		return before, err
	}
	const asking = "%s did not answer (%s): asking its fallback %s"
	why := fmt.Sprintf(asking, f.first.Name(), unreachable.What, f.second.Name())
	watch(protocol.Delta{Restart: true})
	watch(protocol.Delta{Note: why})
	// The conversation belongs to the first one.
	fresh := *call.State
	fresh.Conversations = slices.DeleteFunc(slices.Clone(fresh.Conversations),
		func(c state.SeatConversation) bool { return c.Seat == call.Ask.Seat })
	call.State = &fresh
	reply, err := f.second.Reply(ctx, call, watch)
	before.Notes = slices.Concat(before.Notes, []string{why})
	reply.Add(before)
	if also, ok := errors.AsType[*protocol.Unreachable](err); ok {
		fix := "neither does its fallback " + f.second.Name() + ": " + also.What
		if unreachable.Fix != "" {
			fix += "; " + unreachable.Fix
		}
		return reply, &protocol.Unreachable{
			Participant: f.first.Name(), What: unreachable.What, Fix: fix, Cause: unreachable.Cause,
		}
	}
	reply.Conversation = ""
	if reply.By == "" {
		reply.By = f.second.Name()
	}
	return reply, err
}

// Absent returns an error that says what an agent program, or an endpoint without its key, is missing, and what to
// do. It is nil for other participants and if the fallback can be used. Nothing is started or sent.
func Absent(p protocol.Participant) error {
	if program, ok := p.(interface{ Absent() error }); ok {
		return program.Absent()
	}
	return nil
}

// withoutKey stands for an endpoint that has a fallback but no key or address.
type withoutKey struct {
	name  string
	lacks *endpoint.MissingKeyError
}

// Name implements protocol.Participant.
func (u *withoutKey) Name() string { return u.name }

// Modelless implements protocol.Participant.
func (u *withoutKey) Modelless() bool { return false }

// Absent says what is missing and what to do.
func (u *withoutKey) Absent() error { return u.lacks }

// Reply implements protocol.Participant: nothing is sent.
func (u *withoutKey) Reply(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply, error) {
	what := "it " + u.lacks.Lack()
	return protocol.Reply{}, &protocol.Unreachable{
		Participant: u.name, What: what, Fix: u.lacks.Fix(), Cause: protocol.Cause{Kind: state.FailureLogin},
	}
}

// Priced reports whether the cost of every reply of a participant will be known.
func Priced(p protocol.Participant) bool {
	switch p := p.(type) {
	case *fallback:
		return Priced(p.first) && Priced(p.second)
	case interface{ Priced() bool }:
		return p.Priced()
	}
	return p.Modelless()
}

func closeOf(p protocol.Participant) error {
	if c, ok := p.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

func lateReports(p protocol.Participant) []string {
	if l, ok := p.(protocol.Lingering); ok {
		return l.Aftermath()
	}
	return nil
}
