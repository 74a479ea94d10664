package doctor

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/agent/scrub"
	"moot/config"
	"moot/internal/enum"
	"moot/internal/plain"
	"moot/internal/process"
)

// Where says where to look, and what a check may do. The zero value looks nowhere.
type Where struct {
	// Env looks up environment variables or keyring entries. It may be nil.
	Env func(string) string
	// Environ is the environment for programs, before it is filtered.
	Environ []string
	// LookPath finds a program like exec.LookPath. It may be nil.
	LookPath func(string) (string, error)
	// Transport sends the requests; the default is a new transport.
	Transport http.RoundTripper
	// Limit is how long each check may take. If ProgramLimit is set, programs get that limit instead and run one
	// after another, so that they do not slow each other down.
	Limit        time.Duration
	ProgramLimit time.Duration
	// Folder is where programs will run, or "".
	Folder string
	// Online allows sending keys and model requests to remote services.
	Online bool
}

func (w *Where) env(name string) string {
	if w.Env == nil {
		return ""
	}
	return w.Env(name)
}

// set reports whether a variable is set.
func (w *Where) set(name string) bool { return name != "" && strings.TrimSpace(w.env(name)) != "" }

// judge asks an endpoint for its models and records the result. keyed says that the request carries a key.
func (w *Where) judge(ctx context.Context, c *Check, config *endpoint.Config, keyed bool) endpoint.Survey {
	survey := endpoint.New(*config, endpoint.Limits{Probe: w.Limit}, w.Transport, nil).Survey(ctx)
	at := "at " + config.Base
	c.Word, c.Fix = Broken, ""
	if config.KeyVariable != "" && survey.Status == endpoint.StatusDenied {
		c.Fix = "export " + config.KeyVariable + "=…"
	}
	switch survey.Status {
	case endpoint.StatusAnswers:
		c.Word, c.Found = OK, fmt.Sprintf("it answers %s with %s", at, plain.Counted(len(survey.Models), "model"))
	case endpoint.StatusAbsent:
		c.Word, c.Found, c.Fix = Missing, "not running "+at, config.Start
	case endpoint.StatusSilent:
		c.Found = fmt.Sprintf("no answer within %s %s", w.Limit, at)
	case endpoint.StatusDenied:
		c.Found = "the key in " + config.KeyVariable + " is rejected"
		if !keyed {
			c.Word, c.Found = Missing, "it answers "+at+" and asks for a key"
		}
	case endpoint.StatusForeign, endpoint.StatusFailing:
		c.Found, c.Fix = at+": it "+quoted(survey.What), quoted(survey.Fix)
	}
	return survey
}

// Endpoint checks one endpoint: which models it serves, and whether the configured model is among them. Without
// Online it only asks endpoints on this machine, without a key.
func (w *Where) Endpoint(ctx context.Context, config endpoint.Config) Check {
	c := Check{Part: PartParticipants, Name: quoted(config.Name)}
	secret := !config.Key.IsZero() || !config.User.IsZero() || !config.Password.IsZero()
	if !w.Online && (!config.IsHere() || secret) {
		c.Word, c.Fix = Untried, "moot doctor --online "+plain.ShellWord(quoted(config.Name))
		c.Found = "at " + config.Base + "; nothing was sent"
		if secret && config.KeyVariable != "" {
			c.Found = config.KeyVariable + " is set, for " + config.Base + "; nothing was sent"
		}
		return c
	}
	if survey := w.judge(ctx, &c, &config, !config.Key.IsZero()); c.Word == OK {
		listed(&c, &config, survey.Models)
	}
	return c
}

// listed reports a configured model that the endpoint does not serve.
func listed(c *Check, config *endpoint.Config, models []string) {
	const mostServed = 5
	if len(models) == 0 || config.Model == "default" || slices.ContainsFunc(models, func(m string) bool {
		return m == config.Model || m == "models/"+config.Model || m == config.Model+":latest"
	}) {
		return
	}
	c.Word, c.Found = Broken, c.Found+", and "+quoted(config.Model)+" is not among them"
	typable := slices.DeleteFunc(slices.Clone(models), func(m string) bool { return !sound(m) })
	if nearest := enum.Nearest(config.Model, typable); nearest != "" {
		c.Found += "; did you mean " + nearest + "?"
	} else if len(typable) > 0 {
		named := typable[:min(len(typable), mostServed)]
		c.Found += "; it serves " + strings.Join(named, ", ")
		if more := len(models) - len(named); more > 0 {
			c.Found += fmt.Sprintf(" and %d more", more)
		}
	}
	if config.Pull != "" {
		c.Fix = config.Pull + " " + plain.ShellWord(quoted(config.Model))
	}
}

// here returns the keyless endpoint of a preset if it is on this machine.
func (w *Where) here(preset *endpoint.Preset) (endpoint.Config, bool) {
	config, err := endpoint.Parse(preset.Name+":"+preset.Example, func(name string) string {
		if slices.Contains(preset.Keys, name) {
			return ""
		}
		return w.env(name)
	})
	return config.Keyless(), err == nil && config.IsHere()
}

// key returns the first variable of a preset that holds a key, or "".
func (w *Where) key(preset *endpoint.Preset) string {
	if i := slices.IndexFunc(preset.Keys, w.set); i >= 0 {
		return preset.Keys[i]
	}
	return ""
}

// Servers returns the tasks that check model servers: local ones, and services that a variable redirects to this
// machine. Presets with the same address count as one server, listed under the first preset.
func (w *Where) Servers(presets []endpoint.Preset) []Task {
	var tasks []Task
	asked := map[string]bool{}
	for i := range presets {
		preset := &presets[i]
		config, ok := w.here(preset)
		if !ok || asked[config.Base] {
			continue
		}
		asked[config.Base] = true
		tasks = append(tasks, Task{
			Part: PartServers, Name: preset.Title, Configured: w.set(preset.BaseVariable),
			Run: func(ctx context.Context) []Check { return []Check{w.server(ctx, preset, config)} },
		})
	}
	return tasks
}

// server checks a server on this machine, without a key at first.
func (w *Where) server(ctx context.Context, preset *endpoint.Preset, config endpoint.Config) Check {
	c := Check{Part: PartServers, Name: preset.Title}
	key, moved := w.key(preset), w.set(preset.BaseVariable)
	survey := w.judge(ctx, &c, &config, false)
	if survey.Status == endpoint.StatusDenied && key != "" {
		keyed, err := endpoint.Parse(preset.Name+":"+preset.Example, w.env)
		if w.Online && err == nil {
			c.Configured = true
			survey = w.judge(ctx, &c, &keyed, true)
		} else {
			c.Word, c.Fix = Untried, "moot doctor --online"
			c.Found = "it answers at " + config.Base + " and asks for a key; " + key + " is set but was not sent"
			if preset.Model != "" {
				c.Candidates = served(preset, []string{preset.Model}, config.Base)
			}
		}
	}
	switch survey.Status { //nolint:exhaustive // judge handles the others
	case endpoint.StatusAnswers:
		if c.Candidates = served(preset, survey.Models, config.Base); len(c.Candidates) == 0 {
			c.Word, c.Found, c.Fix = Missing, c.Found+" that can take a seat", "load a model in "+preset.Title
			if preset.Pull != "" {
				c.Fix = preset.Pull + " " + preset.Example
			}
		}
	case endpoint.StatusAbsent:
		c.Absent = !moved
	case endpoint.StatusSilent:
		c.Fix = "stop what listens there, then: " + preset.Start
	case endpoint.StatusForeign:
		c.Word, c.Found = Missing, "something else answers "+c.Found
		c.Fix = "start " + preset.Title + " at another port, and name it http://127.0.0.1:PORT/v1#MODEL"
	}
	if c.Word != OK && moved {
		c.Configured = true
		if c.Word == Missing {
			c.Word = Broken
		}
		c.Found += " (" + preset.BaseVariable + ")"
	}
	return c
}

// served returns the first models of a server as candidates. It skips embedding models.
func served(preset *endpoint.Preset, models []string, base string) []Found {
	const mostModels = 4
	var found []Found
	cost := "free, on this machine"
	if !preset.Local {
		cost = "costs what the service behind it charges"
	}
	for _, model := range models {
		if len(found) < mostModels && sound(model) && !strings.Contains(strings.ToLower(model), "embed") {
			found = append(found, Found{
				Name: preset.Name + ":" + model, Title: preset.Title, Vendor: preset.Name,
				Why: "it answers at " + base, Cost: cost, Usable: true, Local: true,
			})
		}
	}
	return found
}

// Services returns the tasks that check remote services: whether a key is set and, with Online, whether it is
// accepted.
func (w *Where) Services(presets []endpoint.Preset) []Task {
	var tasks []Task
	for i := range presets {
		preset := &presets[i]
		if _, here := w.here(preset); here {
			continue
		}
		key := w.key(preset)
		configured := key != "" && !preset.SharedKey || w.set(preset.BaseVariable)
		tasks = append(tasks, Task{
			Part: PartServices, Name: preset.Title, Configured: configured,
			Run: func(ctx context.Context) []Check {
				c := Check{Part: PartServices, Name: preset.Title, Configured: configured}
				w.service(ctx, &c, preset, key)
				return []Check{c}
			},
		})
	}
	return tasks
}

// unnamed stands for a model that the user must name.
const unnamed = "MODEL"

func (w *Where) service(ctx context.Context, c *Check, preset *endpoint.Preset, key string) {
	config, err := endpoint.Parse(preset.Name+":"+preset.Example, w.env)
	missing, lacks := errors.AsType[*endpoint.MissingKeyError](err)
	switch {
	case key == "" && !w.set(preset.BaseVariable):
		c.Word, c.Found, c.Absent = Missing, "no key", true
		if len(preset.Keys) > 0 {
			c.Found, c.Fix = "no key: "+preset.Keys[0]+" is not set", "export "+preset.Keys[0]+"=…"
		}
		return
	case lacks:
		c.Word, c.Found, c.Fix = Missing, missing.Variables[0]+" is not set", "export "+missing.Variables[0]+"=…"
		return
	case err != nil:
		c.Word, c.Found = Broken, quoted(err.Error())
		return
	}
	c.Found = key + " is set"
	if key == "" {
		c.Found = preset.BaseVariable + " is set"
	}
	// A shared key was often set for another tool.
	if model := cmp.Or(preset.Model, preset.Example); !preset.SharedKey && model != unnamed {
		c.Candidates = []Found{{
			Name: preset.Name + ":" + model, Title: preset.Title, Vendor: preset.Name, Why: c.Found,
			Cost: price(config), Usable: true,
		}}
	}
	if !w.Online {
		c.Word, c.Fix = Untried, "moot doctor --online"
		c.Found += "; nothing was sent"
		return
	}
	survey := w.judge(ctx, c, &config, key != "")
	if c.Word == OK {
		if offered := served(preset, survey.Models, config.Base); len(c.Candidates) == 0 && !preset.SharedKey &&
			len(offered) > 0 {
			one := &offered[0]
			one.Why, one.Cost, one.Local = key+" is set", "costs money; see its price list", false
			c.Candidates = offered[:1]
		}
		return
	}
	c.Word = Broken
	for i := range c.Candidates {
		c.Candidates[i].Usable, c.Candidates[i].Why = false, c.Found
	}
}

// price estimates the cost of a typical session: 40,000 tokens in, 8,000 out.
func price(config endpoint.Config) string {
	price, known := endpoint.New(config, endpoint.Limits{}, nil, nil).Price()
	dollars := price.Cost(40_000, 8_000)
	switch {
	case !known:
		return "costs money; see its price list"
	case dollars < 0.01:
		return "costs money, under $0.01 a session"
	}
	return fmt.Sprintf("costs money, about $%.2f a session", dollars)
}

//go:embed logins.toml
var loginFile []byte

// login describes the traces of a program's login; logins.toml explains the fields.
type login struct {
	Program   string   `toml:"program"`
	Vendor    string   `toml:"vendor"`
	Variables []string `toml:"variables"`
	Files     []string `toml:"files"`
	Hidden    []string `toml:"hidden"`
}

func logins() ([]login, error) {
	var file struct {
		Login []login `toml:"login"`
	}
	if err := config.Strict(loginFile, &file); err != nil {
		return nil, fmt.Errorf("read the built-in table of logins: %w", err)
	}
	return file.Login, nil
}

// sign returns the variable or file that proves a login, or "".
func (w *Where) sign(l *login) string {
	if i := slices.IndexFunc(l.Variables, w.set); i >= 0 {
		return l.Variables[i]
	}
	for _, file := range l.Files {
		head, rest, _ := strings.Cut(file, "/")
		if variable, is := strings.CutPrefix(head, "$"); is {
			head = w.env(variable)
		} else if head == "~" {
			head = w.env("HOME")
			if runtime.GOOS == "windows" {
				head = w.env("USERPROFILE")
			}
		}
		path := filepath.Join(head, filepath.FromSlash(rest))
		if info, err := os.Stat(path); head != "" && err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// Programs returns the tasks that check agent programs.
func (w *Where) Programs(adapters []program.Adapter) []Task {
	var tasks []Task
	for i := range adapters {
		a := &adapters[i]
		tasks = append(tasks, Task{
			Part: PartPrograms, Name: a.Name, Configured: a.File != "", Limit: w.ProgramLimit,
			Run: func(ctx context.Context) []Check { return []Check{w.program(ctx, a)} },
		})
	}
	return tasks
}

// program finds a program and asks for its version. A program that the user configured must work.
func (w *Where) program(ctx context.Context, a *program.Adapter) Check {
	c := Check{Part: PartPrograms, Name: a.Name, Configured: a.File != "", Fix: a.Fix.Install}
	path, ok := w.find(a.Command)
	if !ok {
		c.Word, c.Found = Missing, quoted(a.Command)+" is not on the PATH"
		return c
	}
	const cost = "costs what your plan or key charges"
	candidate := Found{Name: a.Name, Title: a.Title, Vendor: a.Name, Local: true, Program: true, Cost: cost}
	table, _ := logins() // the file is built in and tested
	at := slices.IndexFunc(table, func(l login) bool { return l.Program == a.Name })
	if at >= 0 {
		candidate.Vendor = table[at].Vendor
	}
	version, slow := "", false
	if arguments := a.Version.Arguments; len(arguments) > 0 {
		said, err := w.output(ctx, path, arguments)
		if errors.Is(err, errSlow) {
			err, slow = nil, true
		} else if version = program.VersionIn(said); err == nil && version == "" {
			err = errors.New(`reports no version, but "` + quoted(said) + `"`)
		}
		if err != nil {
			c.Word = Broken
			asked := strings.TrimSpace(a.Command + " " + strings.Join(arguments, " "))
			c.Found = fmt.Sprintf("%s does not work: %s %s", quoted(path), quoted(asked), err)
			candidate.Why = c.Found
			c.Candidates = []Found{candidate}
			return c
		}
	}
	c.Word, c.Found, c.Fix = OK, strings.TrimSpace(version+" at "+quoted(path)), ""
	candidate.Usable, candidate.Why = true, "it is installed"
	if slow {
		asked := strings.TrimSpace(a.Command + " " + strings.Join(a.Version.Arguments, " "))
		c.Word = Slow
		c.Found += fmt.Sprintf(": %s did not answer within %s, which need not mean that it is broken", quoted(asked),
			cmp.Or(w.ProgramLimit, w.Limit))
		candidate.Why += ", and slow to start"
	}
	if version != "" {
		candidate.Why = "version " + version + " is installed"
	}
	if untried := a.Untried(version); untried != "" {
		c.Found += "; " + untried
	} else if version != "" {
		c.Found += ", a tested version"
	}
	if at >= 0 { // a program without a login cannot answer
		switch sign := w.sign(&table[at]); {
		case sign != "":
			c.Found += "; found a login (" + quoted(sign) + ")"
			if what, fix := a.Untrusted(w.Folder, w.Environ); what != "" {
				c.Found, c.Fix = c.Found+"; it does not trust the current folder", fix
			}
		case slices.Contains(table[at].Hidden, runtime.GOOS):
			c.Found += "; moot cannot see whether you are logged in"
		default:
			c.Word, c.Found, c.Fix = Missing, c.Found+"; no login was found", a.Fix.Login
			candidate.Usable, candidate.Why = false, candidate.Why+", and no login was found"
		}
	}
	c.Candidates = []Found{candidate}
	return c
}

func (w *Where) find(name string) (path string, ok bool) {
	if w.LookPath == nil {
		return "", false
	}
	path, err := w.LookPath(name)
	return path, err == nil
}

// errSlow reports that a program did not answer in time.
var errSlow = errors.New("did not answer in time")

// output runs a program without input and without the user's keys, and returns its standard output. The error is
// errSlow, or a phrase without a subject such as "exits with 1".
func (w *Where) output(ctx context.Context, path string, arguments []string) (string, error) {
	// patience is the part of the limit reserved for the program's processes to end.
	const patience = 200 * time.Millisecond
	most := cmp.Or(w.ProgramLimit, w.Limit)
	environ, err := scrub.Environment(w.Environ, nil)
	if err != nil {
		return "", err
	}
	runner := &process.Runner{}
	said, result, err := program.AskVersion(ctx, runner, process.Spec{
		Path: path, Args: arguments, Env: environ,
		Limits: process.Limits{
			Total: max(most-patience, most/2), TermWait: patience / 2, Linger: patience / 2,
		},
	})
	err = errors.Join(err, runner.Close())
	var limit *process.LimitError
	switch {
	case errors.As(err, &limit) && limit.Limit == process.Output:
		return "", errors.New("does not stop writing")
	case errors.As(err, &limit), ctx.Err() != nil:
		return "", errSlow
	case err != nil:
		return "", fmt.Errorf("could not be run: %s", quoted(err.Error()))
	case result.Exit != 0:
		what := "ended " + result.Ending()
		if text := quoted(result.Stderr); text != "" {
			what += fmt.Sprintf(" (%s)", text)
		}
		return "", errors.New(what)
	}
	return said, nil
}
