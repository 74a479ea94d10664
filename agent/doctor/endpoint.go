package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"moot/agent/endpoint"
	"moot/enum"
	"moot/plain"
)

// Endpoint looks at one endpoint: what it serves, and whether the model that was
// named is among it. One elsewhere is asked only where Online says so; one on this
// machine is asked with its key only then.
func (w *Where) Endpoint(ctx context.Context, config endpoint.Config) Check {
	c := Check{Part: PartParticipants, Name: quoted(config.Name)}
	here := config.IsHere()
	secret := !config.Key.IsZero() || !config.User.IsZero() || !config.Password.IsZero()
	if !w.Online && (!here || secret) {
		c.Word, c.Fix = Untried, "moot doctor --online "+plain.ShellWord(quoted(config.Name))
		c.Found = "at " + config.Base + "; nothing was sent"
		if secret && config.KeyVariable != "" {
			c.Found = config.KeyVariable + " is set, for " + config.Base + "; nothing was sent"
		}
		return c
	}
	survey, err := w.endpoint(config).Survey(ctx)
	if err != nil {
		survey = endpoint.Survey{Standing: endpoint.StandingSilent}
	}
	c.Millis = millis(survey.Took)
	switch {
	case survey.Standing == endpoint.StandingDenied && config.Key.IsZero():
		c.Word, c.Found = Missing, "it asks for a key"
		if config.KeyVariable != "" {
			c.Fix = "export " + config.KeyVariable + "=…"
		}
	case survey.Standing == endpoint.StandingDenied:
		c.Word, c.Found = Broken, "the key in "+config.KeyVariable+" is refused"
		c.Fix = "export " + config.KeyVariable + "=…"
	case survey.Standing == endpoint.StandingSilent:
		c.Word, c.Found = Broken, fmt.Sprintf("it gave no answer within %s, at %s", w.limit(), config.Base)
	case survey.Standing == endpoint.StandingAbsent && config.Start != "":
		c.Word, c.Found, c.Fix = Broken, "not running at "+config.Base, config.Start
	case survey.Standing != endpoint.StandingAnswers:
		c.Word, c.Found, c.Fix = Broken, "it "+quoted(survey.What), quoted(survey.Fix)
	default:
		w.listed(&c, config, survey.Models)
	}
	return c
}

// Models asks an endpoint for its models, with its key: the person wants them. Names that
// nobody can type are left out. The error says what to do.
func (w *Where) Models(ctx context.Context, config endpoint.Config) ([]string, error) {
	survey, err := w.endpoint(config).Survey(ctx)
	switch {
	case err != nil:
		return nil, err
	case survey.Standing != endpoint.StandingAnswers:
		return nil, fmt.Errorf("it %s; %s", quoted(survey.What), quoted(survey.Fix))
	}
	return slices.DeleteFunc(survey.Models, func(name string) bool { return !sound(name) }), nil
}

// listed says whether the model that was named is served.
func (w *Where) listed(c *Check, config endpoint.Config, models []string) {
	c.Word, c.Models = OK, len(models)
	c.Found = fmt.Sprintf("it answers at %s with %s", config.Base, plain.Counted(len(models), "model"))
	if len(models) == 0 || config.Model == "default" || slices.ContainsFunc(models, func(m string) bool {
		return m == config.Model || m == "models/"+config.Model || m == config.Model+":latest"
	}) {
		return
	}
	c.Word, c.Found = Broken, c.Found+", and "+quoted(config.Model)+" is not among them"
	if nearest := enum.Nearest(config.Model, models); nearest != "" && sound(nearest) {
		c.Found += "; did you mean " + nearest + "?"
	} else {
		c.Found += serves(models)
	}
	if config.Pull != "" {
		c.Fix = config.Pull + " " + plain.ShellWord(quoted(config.Model))
	}
}

// mostServed is how many models are named where another one was asked for.
const mostServed = 5

// serves names the first models that can be typed, "" where none can.
func serves(models []string) string {
	var named []string
	for _, m := range models {
		if len(named) < mostServed && sound(m) {
			named = append(named, m)
		}
	}
	if len(named) == 0 {
		return ""
	}
	said := "; it serves " + strings.Join(named, ", ")
	if more := len(models) - len(named); more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return said
}
