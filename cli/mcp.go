package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"moot/agent"
	"moot/change"
	"moot/internal/enum"
	"moot/protocol"
	"moot/protocol/review"
	"moot/protocol/run"
	"moot/report"
	"moot/research"
	"moot/resolver"
	"moot/search"
	"moot/serve"
	"moot/state"
	"moot/state/store"
	"moot/view"
	"moot/workspace"
)

// mcpOptions are the flags of moot mcp. They open the sessions of the server.
type mcpOptions struct {
	console   *Console
	http      string
	workspace string
	trust     bool
	allow     []string
}

var _ serve.Sessions = (*mcpOptions)(nil)

func newMCP(c *Console) *cobra.Command {
	o := &mcpOptions{console: c}
	cmd := &cobra.Command{
		Use:  "mcp",
		Args: cobra.ExactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&o.http, "http", "", "listen on this `ADDRESS` of this machine, as in 127.0.0.1:8765, "+
		"instead of standard input and output; prints the token that clients send")
	cmd.Flags().StringVar(&o.workspace, "workspace", "", "the `folder` of all sessions, whatever an agent says; "+
		"default: the agent's first root, else the folder that moot is started in")
	cmd.Flags().BoolVar(&o.trust, "trust-client", false, "let the person at the agent also approve commands, in "+
		"forms that the agent's program shows")
	cmd.Flags().StringArrayVar(&o.allow, "allow-participant", nil, "a `pattern` of exec: and script: participants "+
		"and addresses that an agent may name, such as 'exec:./review*'; * matches any characters (repeatable)")
	return cmd
}

func (o *mcpOptions) run(ctx context.Context) error {
	c := o.console
	if depth := c.Getenv(research.DepthVariable); depth != "" && depth != "0" {
		return fmt.Errorf("this runs below a tool server of moot (%s=%s), and moot is not its own worker: remove it "+
			"from [tools] in config.toml", research.DepthVariable, depth)
	}
	folder := cmp.Or(o.workspace, ".")
	if err := checkFolder(c.path(folder)); err != nil {
		return usage("--workspace %s: %w", folder, err)
	}
	folder, err := filepath.EvalSymlinks(c.path(folder))
	if err != nil {
		return err
	}
	server := serve.New(o, serve.Options{
		Folder: folder, Named: o.workspace != "", Trust: o.trust, Version: version(),
	})
	defer server.Close()
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	err = o.serve(ctx, server)
	return cmp.Or(context.Cause(ctx), err)
}

// serve answers clients until the input ends or the context does.
func (o *mcpOptions) serve(ctx context.Context, server *serve.Server) error {
	if o.http == "" {
		err := server.MCP().Run(ctx, serve.Stdio(o.console.In, o.console.Out))
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	host, _, err := net.SplitHostPort(o.http)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usage("--http %s: only addresses of this machine are served, as in 127.0.0.1:8765", o.http)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.http)
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	token := rand.Text()
	if err := o.console.Print(fmt.Sprintf("url    http://%s\ntoken  %s\n", listener.Addr(), token)); err != nil {
		return errors.Join(err, listener.Close())
	}
	sessions := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server.MCP() },
		&mcp.StreamableHTTPOptions{SessionTimeout: idleTime})
	web := &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+token)) != 1 {
				http.Error(w, "the token is missing or wrong: send Authorization: Bearer TOKEN, with the token "+
					"that moot mcp printed", http.StatusUnauthorized)
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, longestBody)
			sessions.ServeHTTP(w, r)
		}),
	}
	stop := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stop()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// The limits of a connection over HTTP: how long it may be idle, and how much it may send at once.
const (
	idleTime    = 10 * time.Minute
	longestBody = 4 << 20
)

// Open implements serve.Sessions.
func (o *mcpOptions) Open(ctx context.Context, q *serve.Question, caller *serve.Caller) (*serve.Opened, error) {
	c := o.console
	format, err := c.format(cmp.Or(q.Format, c.formatNames()[0]))
	if err != nil {
		return nil, err
	}
	settings, values := format.Settings(), view.Values{}
	for _, v := range [][2]string{{"framing", q.Framing}, {"mode", q.Mode}, {"design", q.Design}} {
		if v[1] == "" {
			continue
		}
		if settings.Field(v[0]) == nil {
			return nil, fmt.Errorf("%s: the format %s has none", v[0], format.Name())
		}
		values[v[0]] = v[1]
	}
	answers, judges := settings.Required()
	d, err := c.validDefaults()
	if err != nil {
		return nil, err
	}
	named := map[state.Seat]string{answers: q.Consultee}
	if caller != nil {
		named[judges] = caller.Name()
	}
	if err := agentMayRead(ctx, q.Roots, q.Workspace); err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	notes, err := o.choose(ctx, d, named, answers, judges)
	if err != nil {
		return nil, err
	}
	if err := o.permitted(d, named[answers]); err != nil {
		return nil, fmt.Errorf("consultee: %w", err)
	}
	b := agentBuilder(c, caller)
	b.question = value{text: q.Text, from: fromAgent}
	b.format, b.values, b.seats = string(format.Name()), values, seatOptions{named: named}
	b.workspace, b.budget = workspaceOptions{dir: q.Workspace}, budgetOptions{maxCost: q.MaxCost}
	b.given = givenOptions{context: q.Context, claims: q.Facts, roots: q.Roots}
	b.notes = notes
	s, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	return s.opened(b.notes), nil
}

// Review implements serve.Sessions.
func (o *mcpOptions) Review(ctx context.Context, q *serve.Review, caller *serve.Caller) (*serve.Opened, error) {
	c := o.console
	d, err := c.validDefaults()
	if err != nil {
		return nil, err
	}
	// The whole repository is read, so all of it has to be the client's.
	folder := workspace.WorkTree(q.Workspace)
	if err := agentMayRead(ctx, q.Roots, folder); err != nil {
		return nil, fmt.Errorf("workspace: a review reads the whole repository, and %w", err)
	}
	b := agentBuilder(c, caller)
	b.question, b.format = value{from: fromAgent}, string(review.Format{}.Name())
	b.workspace.dir, b.values = folder, view.Values{}
	if q.Gate != "" {
		b.values["gate"] = q.Gate
	}
	if err := b.review(ctx, change.Options{Revision: strings.TrimSpace(q.Range), Folder: folder}); err != nil {
		return nil, err
	}
	defer b.reviewed.Close()
	if b.seats.named, b.notes, err = o.reviewers(ctx, d, q, caller); err != nil {
		return nil, err
	}
	s, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	return s.opened(b.notes), nil
}

// reviewers names the participants of a review, with notes on those that the agent did not name: the calling agent if it
// takes a seat, and the reviewers that it named, else those of the configuration, else those that work.
func (o *mcpOptions) reviewers(
	ctx context.Context, d *defaults, q *serve.Review, caller *serve.Caller,
) (named map[state.Seat]string, notes []string, err error) {
	format := review.Format{}
	settings := format.Settings()
	seats := seatOptions{named: map[state.Seat]string{}}
	group := seatGroup(seatNames(format), string(review.Reviewer))
	switch {
	case caller == nil:
	case q.Role == serve.RoleAuthor:
		seats.named[review.Author] = caller.Name()
	default:
		seats.named[review.Reviewer] = caller.Name()
	}
	for _, name := range q.Reviewers {
		if err = o.permitted(d, name); err == nil {
			err = seats.name(group, name)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("reviewers: %w", err)
		}
	}
	first, second := settings.Required()
	if len(q.Reviewers) > 0 {
		if seats.named[second] == "" {
			return nil, nil, errors.New("reviewers: a review needs two; name another one, or none for those that the " +
				"user configured")
		}
		return seats.named, nil, nil
	}
	for _, s := range d.seats {
		if !slices.Contains(group, s.name) {
			continue
		}
		note := fmt.Sprintf("%s (%s)", s.text, s.place)
		if seats.name(group, s.text) != nil {
			note += " does not review: you have its seat"
		}
		notes = append(notes, "reviewer: "+note)
	}
	more, err := o.choose(ctx, d, seats.named, first, second)
	return seats.named, append(notes, more...), err
}

// agentBuilder builds the sessions of a coding agent, which may take a seat itself.
func agentBuilder(c *Console, caller *serve.Caller) *builder {
	b := &builder{console: c, front: frontOptions{agent: true}}
	if caller != nil {
		b.own = map[string]protocol.Participant{caller.Name(): caller}
	}
	return b
}

func (s *session) opened(notes []string) *serve.Opened {
	return &serve.Opened{
		State: s.state, Notes: notes, Close: s.close,
		Runner: func(watch func(protocol.Notice)) (*run.Session, error) { return s.runner(watch) },
	}
}

// choose names the participants of the seats that nobody was named for: those of the configuration, else those that
// work and are the least like each other and the calling agent. It returns notes that say whom it chose.
func (o *mcpOptions) choose(
	ctx context.Context, d *defaults, named map[state.Seat]string, answers, judges state.Seat,
) (notes []string, err error) {
	set := func(seat state.Seat, name, why string) {
		if named[seat] == "" {
			named[seat] = name
			notes = append(notes, fmt.Sprintf("%s: %s (%s)", seat, name, why))
		}
	}
	for _, seat := range []state.Seat{answers, judges} {
		if s := d.seat(string(seat)); s != nil {
			set(seat, s.text, s.place)
		}
	}
	if named[answers] != "" && named[judges] != "" {
		return notes, nil
	}
	found := agent.Discover(ctx, o.console.discovery(false, d))
	pair := agent.Pair{Orchestrator: named[judges], Consultee: named[answers]}
	for _, name := range []*string{&pair.Orchestrator, &pair.Consultee} {
		for _, f := range found {
			if serve.IsCaller(*name) && strings.Contains(*name, f.Name) {
				*name = f.Name // claude for claude-code
			}
		}
	}
	proposal := agent.Propose(found, pair, false, true)
	if len(proposal.Pairs) == 0 {
		return nil, errors.New(
			"no model is available: name a participant, or let the user set a default in moot config edit",
		)
	}
	set(answers, proposal.Consultee, proposal.Why)
	set(judges, proposal.Orchestrator, proposal.Why)
	return notes, nil
}

// permitted refuses participants that an agent may not name.
func (o *mcpOptions) permitted(d *defaults, name string) error {
	choice, err := d.book.Parse(name)
	switch {
	case err != nil:
		return err
	case choice.Has(agent.KindPerson):
		return errors.New("me is the user at a terminal; an agent cannot name them")
	case slices.Contains(d.book.Names(), name):
		return nil
	}
	local := strings.Contains(name, "exec:") || strings.Contains(name, "script:")
	if !local && !elsewhere(choice.Spec.Name) {
		return nil
	}
	for _, pattern := range o.allow {
		quoted := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, "(?s:.*)")
		if matches, err := regexp.MatchString("^"+quoted+"$", name); matches && err == nil {
			return nil
		}
	}
	what := "runs a program or reads a file of the user"
	if !local {
		what = "is an address that would get the question and the files"
	}
	return fmt.Errorf("%s %s: an agent may name it only if it is in the configuration, or with "+
		"moot mcp --allow-participant PATTERN", clip(name), what)
}

// elsewhere reports whether a participant is an address of another machine. One of this machine reaches no further than
// the presets of local model servers, which an agent may name.
func elsewhere(name string) bool {
	if !strings.Contains(name, "://") {
		return false
	}
	u, err := url.Parse(name)
	if err != nil || u.User != nil {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}

// Decide implements serve.Sessions.
func (o *mcpOptions) Decide(id string, move protocol.UserMove) (*state.State, error) {
	if err := decide(o.console, id, move); err != nil {
		return nil, err
	}
	return o.Read(id)
}

// Resume implements serve.Sessions.
func (o *mcpOptions) Resume(id string, caller *serve.Caller) (*serve.Opened, error) {
	path, err := find(o.console, id)
	if err != nil {
		return nil, err
	}
	s, notes, err := agentBuilder(o.console, caller).reopen(path)
	if err != nil {
		return nil, err
	}
	return s.opened(notes), nil
}

// Read implements serve.Sessions.
func (o *mcpOptions) Read(id string) (*state.State, error) {
	s, err := read(o.console, id)
	if err != nil {
		return nil, err
	}
	return s.state, nil
}

// Render implements serve.Sessions.
func (o *mcpOptions) Render(s *state.State, form report.Form) (string, error) {
	head := ""
	if kept, err := read(o.console, s.ID); err == nil && kept.state.Seq == s.Seq {
		head = kept.head
	}
	return form.Write(report.Input{
		State: s, Rulings: resolver.Rule(s), Head: head, ExitCode: protocol.SessionExitCode(s, false),
	})
}

// List implements serve.Sessions.
func (o *mcpOptions) List(ctx context.Context, workspace, query string, limit int) ([]serve.Earlier, bool, error) {
	if strings.TrimSpace(query) != "" {
		return o.search(ctx, workspace, query, limit)
	}
	all, err := listSessions(o.console)
	if err != nil {
		return nil, false, err
	}
	var found []serve.Earlier
	for i := range all {
		s := &all[i]
		if s.Workspace == workspace && len(found) < limit {
			found = append(found, serve.Earlier{
				ID: s.ID, Question: s.Question, Format: string(s.Format), State: string(s.Status()),
				Updated: s.UpdatedAt.Format(time.RFC3339),
			})
		}
	}
	return found, false, nil
}

// search returns the sessions in a folder that have words, the best first.
func (o *mcpOptions) search(ctx context.Context, workspace, words string, limit int) ([]serve.Earlier, bool, error) {
	// An agent does not wait long for an answer.
	const patience, perSession = 10 * time.Second, 3
	result, err := o.console.search(ctx, search.Query{
		Words: words, Workspace: workspace, Limit: limit * perSession, PerSession: perSession, Patience: patience,
	})
	switch {
	case err != nil:
		return nil, false, err
	case result.NoWords:
		return nil, false, errors.New("query has no letter and no digit to search for")
	case result.Problem != "":
		return nil, false, errors.New(result.Problem)
	}
	var found []serve.Earlier
	for i := range result.Hits {
		h := &result.Hits[i]
		at := slices.IndexFunc(found, func(e serve.Earlier) bool { return e.ID == h.Session })
		if at < 0 && len(found) == limit {
			continue
		}
		if at < 0 {
			at = len(found)
			found = append(found, serve.Earlier{
				ID: h.Session, Question: h.Question, Format: string(h.Format), State: string(h.Status),
				Updated: h.UpdatedAt.Format(time.RFC3339),
			})
		}
		found[at].Places = append(found[at].Places, serve.EarlierPlace{ID: h.Place, Kind: h.Kind, Text: h.Snippet})
	}
	return found, result.Missing > 0, nil
}

// newSkill prints the skill for coding agents, or installs moot for one.
func newSkill(c *Console) *cobra.Command {
	var install, remove string
	yes := false
	cmd := &cobra.Command{
		Use:  "skill",
		Args: cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error {
			switch {
			case install != "" && remove != "":
				return usage("--install and --remove exclude each other")
			case install == "" && remove == "":
				return c.Print(serve.Skill)
			}
			return c.installSkill(cmp.Or(install, remove), install != "", yes)
		},
	}
	for flag, into := range map[string]*string{"install": &install, "remove": &remove} {
		help := "make this `program` know moot: " + strings.Join(serve.Hosts(), ", ") + "; shows the change first"
		if flag == "remove" {
			help = "undo --install for this `program`"
		}
		cmd.Flags().Func(flag, help, func(text string) error {
			var err error
			*into, err = enum.Parse("program", text, serve.Hosts())
			return err
		})
		completeWords(cmd, flag, serve.Hosts()...)
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "write without asking")
	return cmd
}

func (c *Console) installSkill(program string, install, yes bool) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	command := ""
	if install {
		if command, err = os.Executable(); err != nil {
			return err
		}
	}
	changes, err := serve.Install(program, home, command, c.serverVariables())
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		if install {
			c.Say("unchanged  %s knows moot already", program)
		} else {
			c.Say("unchanged  %s does not know moot", program)
		}
		return nil
	}
	for _, change := range changes {
		c.Say("%s", difference(change))
	}
	if !yes {
		if confirmed, err := c.confirm("Make these changes?"); err != nil || !confirmed {
			return err
		}
	}
	if err := serve.Apply(changes); err != nil {
		return err
	}
	for _, change := range changes {
		done := "wrote"
		if change.After == "" {
			done = "removed"
		}
		c.Say("%-10s %s", done, change.Path)
	}
	return nil
}

// serverVariables are the environment variables that moot mcp needs of this environment: the keys that are set, the
// addresses that belong to them, and where moot keeps its files. A key never travels without its address, also one that
// is in the keyring, and also if the address is set later.
func (c *Console) serverVariables() []string {
	set := func(name string) bool { return strings.TrimSpace(c.Getenv(name)) != "" }
	names := map[string]bool{}
	for _, use := range agent.KeyUses(c.readDefaults().book) {
		travels := set(use.Variable)
		names[use.Variable] = travels
		for _, address := range use.Addresses {
			names[address] = names[address] || travels || set(address)
		}
		// Agent programs that moot starts know addresses that moot does not, such as ANTHROPIC_BASE_URL.
		for _, ending := range []string{"_BASE_URL", "_API_BASE", "_ENDPOINT"} {
			address := strings.TrimSuffix(use.Variable, "_API_KEY") + ending
			names[address] = names[address] || set(address)
		}
	}
	for _, name := range []string{
		ConfigVariable, store.StateVariable, "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
		"DBUS_SESSION_BUS_ADDRESS",
	} {
		names[name] = set(name)
	}
	maps.DeleteFunc(names, func(_ string, travels bool) bool { return !travels })
	return slices.Sorted(maps.Keys(names))
}

// difference shows the lines that a change removes and adds.
func difference(change serve.Change) string {
	before, after := strings.Split(change.Before, "\n"), strings.Split(change.After, "\n")
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	text := change.Path
	for _, line := range before {
		text += "\n  - " + line
	}
	for _, line := range after {
		text += "\n  + " + line
	}
	return text
}
