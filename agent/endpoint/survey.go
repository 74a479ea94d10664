package endpoint

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// Standing is how an endpoint stands that was asked for its models.
type Standing string

// The standings.
const (
	// StandingAnswers is that of one that told its models.
	StandingAnswers Standing = "answers"
	// StandingAbsent is that of one at whose address nothing listens.
	StandingAbsent Standing = "absent"
	// StandingSilent is that of one that gave nothing within Limits.Probe.
	StandingSilent Standing = "silent"
	// StandingDenied is that of one that wants a key, or another one.
	StandingDenied Standing = "denied"
	// StandingForeign is that of something else at its address: what it gave is no
	// list of models.
	StandingForeign Standing = "foreign"
	// StandingFailing is that of one that fails in another way.
	StandingFailing Standing = "failing"
)

// Survey is what asking for the models told of an endpoint.
type Survey struct {
	Standing Standing
	// Models are those that it serves, in its order.
	Models []string
	// Took is the time from the request to the end of the answer.
	Took time.Duration
	// What says in a sentence without its subject what went wrong, Fix what to do;
	// "" where it answers. Neither holds a secret, or a control character.
	What, Fix string
}

// Survey asks the endpoint for its models, once and within Limits.Probe, and says
// how it stands. No model is asked anything. An endpoint that gives no list of its
// models answers with none. The error is the context's.
func (e *Endpoint) Survey(ctx context.Context) (Survey, error) {
	begun := time.Now()
	var models []string
	var shown error
	err := e.get(ctx, modelsAddress(e.config.Base), func(body []byte) (ok bool) {
		if models, ok = parseModels(body); !ok {
			shown = noModels(body)
		}
		return ok || e.config.NoModels
	})
	s := Survey{Standing: StandingAnswers, Models: models, Took: time.Since(begun)}
	if gone := ctx.Err(); gone != nil {
		return Survey{}, gone
	}
	var said *refusal
	if errors.As(err, &said) && e.config.NoModels && said.status == http.StatusNotFound {
		err = nil
	}
	if err == nil {
		return s, nil
	}
	if shown != nil {
		err = shown
	}
	failed := (&run{Endpoint: e}).classify(ctx, err)
	if failed.fix == "" {
		failed.fix = e.addressFix()
	}
	s.Standing, s.What, s.Fix = standing(err), failed.what, failed.fix
	return s, nil
}

// noModels says what stands in the place of a list of models.
func noModels(body []byte) error {
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("<")) {
		return &foreignError{what: "a page that is no list of models", title: pageTitle(body)}
	}
	return &foreignError{what: "no list of models"}
}

// standing is what an error of a survey says of the endpoint.
func standing(err error) Standing {
	var said *refusal
	var stall *stallError
	var foreign *foreignError
	var dns *net.DNSError
	switch {
	case errors.As(err, &said):
		switch {
		case said.status == http.StatusUnauthorized || said.status == http.StatusForbidden:
			return StandingDenied
		case said.page || said.status < 500:
			return StandingForeign
		}
		return StandingFailing
	case errors.As(err, &stall):
		return StandingSilent
	case errors.As(err, &foreign), strings.Contains(err.Error(), "malformed HTTP"):
		return StandingForeign
	case errors.Is(err, syscall.ECONNREFUSED), errors.As(err, &dns):
		return StandingAbsent
	}
	return StandingFailing
}

// IsHere reports that the endpoint is on this machine.
func (c Config) IsHere() bool { return isLoopback(c.Base) }

// Keyless is the config without anything that is secret: what is asked with it tells
// nobody a key.
func (c Config) Keyless() Config {
	c.Key, c.User, c.Password, c.Headers = Secret{}, Secret{}, Secret{}, nil
	return c
}

// Structured is how a structured reply is asked for by now: what the server
// refused is not asked for again.
func (e *Endpoint) Structured() Structure {
	e.memory.Lock()
	defer e.memory.Unlock()
	return e.memory.ability.structure
}
