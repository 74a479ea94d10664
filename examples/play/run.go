// Package play plays written replies as OpenAI-compatible endpoints, so that an
// example can be run where no model is at hand. No language model is at work in
// it, and what it says to a prompt it says to each that holds the same words.
//
// Start at Show.Run.
package play

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"moot/cli"
	"moot/plain"
)

// Show is an example with endpoints that are played.
type Show struct {
	// Name is that of its program.
	Name string
	// Replies are what the endpoints say, as TOML; see endpoint.
	Replies []byte
	// Addresses are where they listen with -serve, in their order; otherwise they
	// take free ports.
	Addresses []string
	// Ask is what moot is told, given how the endpoints are named. The question is
	// its last word.
	Ask func(names []string) []string
}

// freeAddress is a port that is free.
const freeAddress = "127.0.0.1:0"

// patience is how long a server waits for its requests when it ends.
const patience = time.Second

// Run starts the endpoints and runs moot against them; what it tells moot it
// tells the user as well. With -serve it only serves, until ctx ends; with
// -without NAME that endpoint cannot be reached. What stands after "--" is told to
// moot, too. It returns the exit code of the process: that of moot, 1 where the
// endpoints cannot be started, 2 for other arguments.
func (s Show) Run(ctx context.Context, c *cli.Console, args []string) int {
	flags := flag.NewFlagSet(s.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	serve, without := flags.Bool("serve", false, ""), flags.String("without", "", "")
	endpoints, err := readEndpoints(s.Replies)
	if err != nil {
		c.Say("%s: %s", s.Name, err)
		return cli.ExitError
	}
	named := func(e endpoint) bool { return e.Name == *without }
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 && !slices.Contains(args, "--") || *without != "" && !slices.ContainsFunc(endpoints, named) {
		c.Say("usage: %s [-serve] [-without ENDPOINT] [-- FLAGS OF moot ask]", s.Name)
		return cli.ExitUsage
	}
	addresses := slices.Repeat([]string{freeAddress}, len(endpoints))
	if *serve {
		addresses = s.Addresses
	}
	served, err := start(ctx, endpoints, addresses, *without)
	if err != nil {
		c.Say("%s: %s", s.Name, err)
		return cli.ExitError
	}
	defer served.stop()
	play := "plays"
	if len(endpoints)-len(served.closed) != 1 {
		play = "play"
	}
	c.Say("%s on this machine %s replies that were written by hand. No model is at work.", plain.Counted(len(endpoints)-len(served.closed), "endpoint"), play)
	for _, name := range served.closed {
		c.Say("The endpoint %s does not listen.", name)
	}
	told := s.Ask(served.names)
	told = slices.Insert(told, len(told)-1, flags.Args()...)
	if *serve {
		return wait(ctx, c, told)
	}
	c.Say("moot %s\n", spelled(told))
	return cli.Run(ctx, keyless(c), told)
}

// wait serves until it is interrupted or ctx ends, and says what to type meanwhile.
func wait(ctx context.Context, c *cli.Console, told []string) int {
	c.Say("They are served until ctrl-c. In another terminal, from the same folder:\n\ngo run . %s", spelled(told))
	interrupted, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	<-interrupted.Done()
	return cli.ExitConcluded
}

// spelled is a command line as it is typed. A # would begin a comment in some
// shells, an @ means something in others.
func spelled(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if strings.ContainsAny(word, "#@ ") {
			quoted[i] = `"` + word + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// keyless takes the key for endpoints that are named by their URL from a console:
// what is played here needs none, and is to get none.
func keyless(c *cli.Console) *cli.Console {
	c.Environ = append(slices.Clone(c.Environ), "MOOT_API_KEY=")
	return c
}

// served are endpoints that listen.
type served struct {
	// names are the participants, in the order of the replies.
	names []string
	// closed are the endpoints that do not listen.
	closed  []string
	servers []*http.Server
}

// start has the endpoints listen, but for the one that is to be without.
func start(ctx context.Context, endpoints []endpoint, addresses []string, without string) (*served, error) {
	s := &served{}
	for i := range endpoints {
		e := &endpoints[i]
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addresses[i])
		if err != nil {
			s.stop()
			return nil, fmt.Errorf("start the %s endpoint: %w; end what listens there, or leave -serve out", e.Name, err)
		}
		s.names = append(s.names, fmt.Sprintf("http://%s/v1#%s", listener.Addr(), e.Model))
		if e.Name == without {
			// Its port is free again: nobody answers there.
			s.closed = append(s.closed, e.Name)
			if err := listener.Close(); err != nil {
				s.stop()
				return nil, fmt.Errorf("close the port of the %s endpoint: %w", e.Name, err)
			}
			continue
		}
		server := &http.Server{Handler: e.handler(), ReadHeaderTimeout: patience}
		go func() { _ = server.Serve(listener) }()
		s.servers = append(s.servers, server)
	}
	return s, nil
}

func (s *served) stop() {
	// The context of the run may have ended already.
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, server := range s.servers {
		if err := server.Shutdown(ctx); errors.Is(err, context.DeadlineExceeded) {
			_ = server.Close()
		}
	}
}
