package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/plain"
	"moot/queue"
	"moot/state"
)

// remote runs the sessions of a batch on other machines.
type remote interface {
	// do is a queue.Do.
	do(ctx context.Context, job queue.Job, pulse func(queue.Pulse)) (string, queue.Result)
	// follow takes what comes back until ctx ends.
	follow(ctx context.Context) error
	// lost returns the usage of calls that no session has, because another worker had taken it over.
	lost() state.Usage
	// clear removes a batch that is done from the queue.
	clear(ctx context.Context) error
	close()
}

// queueOptions say how to reach a queue of other machines.
type queueOptions struct {
	url, pin, creds, tokenFile string
	// fromEnviron is the token that the environment had, or "".
	fromEnviron string
	// listen is the address of an embedded server, or "".
	listen string
	// lease is how long a worker may be silent before its sessions go to others; 0 is the default. Tests shorten it.
	lease time.Duration
	// workspaceShared says that all workers see the same folders.
	workspaceShared bool
}

// tokenVariable holds the token of a queue. It is taken out of the environment at once.
const tokenVariable = "MOOT_QUEUE_TOKEN" //nolint:gosec // the name of a variable

// connectFlags adds the flags of a connection.
func (o *queueOptions) connectFlags(f *pflag.FlagSet) {
	f.StringVar(&o.pin, "pin", "", "the certificate of the server, as `sha256:…`; moot batch run --listen prints it")
	f.StringVar(&o.tokenFile, "token-file", "", "read the token of the server from this `file` (default "+tokenVariable+
		", or a question)")
	f.StringVar(&o.creds, "queue-creds", "", "a `file` of credentials, for a cluster of NATS servers")
}

// flags adds the flags of a batch that other machines run, if the program can do that.
func (o *queueOptions) flags(cmd *cobra.Command) {
	if !hasQueue {
		return
	}
	group(cmd, "Several machines", func(f *pflag.FlagSet) {
		f.StringVar(&o.url, "queue", "", "let workers run the sessions, through the NATS servers at this `URL`")
		f.StringVar(&o.listen, "listen", "", "let workers run the sessions, through a server in this process at this `address`, "+
			"such as :4222")
		f.BoolVar(&o.workspaceShared, "shared-workspace", false, "workers see the workspaces under the same paths; the commits are "+
			"compared")
		o.connectFlags(f)
		f.DurationVar(&o.lease, "lease", 0, "")
	})
	_ = cmd.Flags().MarkHidden("lease")
}

// used reports whether other machines run the sessions.
func (o *queueOptions) used() bool { return o.url != "" || o.listen != "" }

func (o *queueOptions) check() error {
	switch {
	case o.url != "" && o.listen != "":
		return usage("--queue uses servers that run already, and --listen starts one: choose one")
	case !o.used() && (o.workspaceShared || o.pin != "" || o.creds != "" || o.tokenFile != ""):
		return usage("--shared-workspace, --pin, --token-file and --queue-creds belong to --queue URL or --listen ADDRESS")
	case o.listen != "" && (o.pin != "" || o.creds != ""):
		return usage("--listen makes its own certificate and takes a token: leave out --pin and --queue-creds")
	}
	return nil
}

// carries returns why a session with some settings cannot run on other machines, or nil.
func (o *queueOptions) carries(s *state.Settings) error {
	switch {
	case s.NoRedact:
		return errors.New("--no-redact keeps secrets, which a queue does not carry")
	case len(s.AllowPaths) > 0:
		return errors.New("--allow-path shows files that may hold secrets, which a queue does not carry")
	case s.Workspace != "" && !o.workspaceShared:
		return fmt.Errorf("it has the workspace %s: add --shared-workspace if all workers see it under this path, or "+
			"--no-workspace", plain.Line(s.Workspace))
	}
	return nil
}

// hideToken takes the token out of the environment, before anything else is started.
func (o *queueOptions) hideToken(c *Console) {
	o.fromEnviron = strings.TrimSpace(c.Getenv(tokenVariable))
	c.Environ = slices.DeleteFunc(slices.Clone(c.Environ), func(entry string) bool {
		return strings.HasPrefix(entry, tokenVariable+"=")
	})
	_ = os.Unsetenv(tokenVariable)
}

// token returns the token of the server: from the file, from the environment or from the person, never from an argument.
// It is "" with a file of credentials, or if there is none and nobody to ask.
func (o *queueOptions) token(c *Console) (string, error) {
	switch {
	case o.tokenFile != "":
		text, err := readStart(c, o.tokenFile, 1<<12)
		if err != nil {
			return "", err
		}
		token := strings.TrimSpace(string(text))
		if token == "" {
			return "", usage("--token-file %s is empty", o.tokenFile)
		}
		return token, nil
	case o.fromEnviron != "":
		return o.fromEnviron, nil
	case o.creds != "" || !c.InTerminal:
		return "", nil
	}
	c.Say("token of the queue (enter for none):")
	line, err := c.readHidden()
	return strings.TrimSpace(line), err
}
