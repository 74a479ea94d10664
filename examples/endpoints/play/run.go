package play

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"moot/cli"
)

// Where the endpoints listen: with -serve at ports that the README names, else at
// free ones.
const (
	firstAddress  = "127.0.0.1:8091"
	secondAddress = "127.0.0.1:8092"
	freeAddress   = "127.0.0.1:0"
)

// patience is how long a server waits for its requests when it ends.
const patience = time.Second

// Run starts both endpoints and runs moot against them; what it tells moot it
// tells the user as well. With -serve it only serves, until ctx ends. It returns
// the exit code of the process: that of moot, 1 where the endpoints cannot be
// started, 2 for other arguments.
func Run(ctx context.Context, c *cli.Console, args []string) int {
	serve := len(args) == 1 && args[0] == "-serve"
	if len(args) > 0 && !serve {
		c.Say("usage: endpoints [-serve]")
		return cli.ExitUsage
	}
	addresses := []string{freeAddress, freeAddress}
	if serve {
		addresses = []string{firstAddress, secondAddress}
	}
	served, err := start(ctx, addresses)
	if err != nil {
		c.Say("endpoints: %s", err)
		return cli.ExitError
	}
	defer served.stop()
	c.Say("Two endpoints on this machine play replies that were written by hand. No model is at work.")
	told := ask(served.names)
	if serve {
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

// folder is where the files of the example are, from the root of the module.
const folder = "examples/endpoints/"

// ask is what moot is told.
func ask(names []string) []string {
	words := []string{
		"ask", "--headless", "--format", "dialectic", "--playbook", "infrastructure-change",
		"--proposer", names[0], "--pressure-tester", names[1], "--workspace", folder + "plan",
	}
	for _, name := range []string{"rollout", "way-back", "limits"} {
		words = append(words, "--context", folder+"plan/"+name+".md")
	}
	return append(words, "@"+folder+"question.md")
}

// spelled is a command line as it is typed. A # would begin a comment in some
// shells, an @ means something in others.
func spelled(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if strings.ContainsAny(word, "#@") {
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
	// names are the participants, in the order of replies.toml.
	names   []string
	servers []*http.Server
}

func start(ctx context.Context, addresses []string) (*served, error) {
	endpoints, err := readEndpoints()
	if err != nil {
		return nil, err
	}
	s := &served{}
	for i := range endpoints {
		e := &endpoints[i]
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addresses[i])
		if err != nil {
			s.stop()
			return nil, fmt.Errorf("start the %s endpoint: %w; end what listens there, or leave -serve out", e.Name, err)
		}
		server := &http.Server{Handler: e.handler(), ReadHeaderTimeout: patience}
		go func() { _ = server.Serve(listener) }()
		s.servers = append(s.servers, server)
		s.names = append(s.names, fmt.Sprintf("http://%s/v1#%s", listener.Addr(), e.Model))
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
