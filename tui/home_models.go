package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/plain"
)

// modelsName is the option behind which an endpoint is chosen, and one of its models.
const modelsName = "a model of…"

// offerModels adds the option to choose a model, where there are endpoints to ask.
func offerModels(names []choice, endpoints []Endpoint) []choice {
	if len(endpoints) == 0 {
		return names
	}
	return append(names, choice{
		value: modelsName, help: "one of those that an endpoint lists",
		opens: func(f *fieldForm, one *field) perform { return f.openEndpoints(one, endpoints) },
	})
}

// openEndpoints asks whose models are to be listed.
func (f *fieldForm) openEndpoints(one *field, endpoints []Endpoint) perform {
	return func(m *Model) tea.Cmd {
		m.push(f)
		p := newPicker("Whose models?", func() []pick {
			var list []pick
			for _, e := range endpoints {
				detail := e.Title + ": " + e.Why
				if !e.Here {
					detail += "; asked only if you choose it"
				}
				list = append(list, pick{
					id: e.Name, name: e.Name, detail: detail, why: e.Missing,
					do: func(m *Model) tea.Cmd { return m.openModels(f, one, e, "") },
				})
			}
			return list
		})
		p.typed = func(query string) []pick {
			e, model, ok := typedEndpoint(query)
			if !ok {
				return nil
			}
			return []pick{{name: e.Name, detail: e.Why, do: func(m *Model) tea.Cmd { return m.openModels(f, one, e, model) }}}
		}
		p.empty = "no endpoint is called that; any other is named by its address, http://…"
		m.push(p)
		return nil
	}
}

// typedEndpoint is the endpoint of an address, and what was typed of a model behind it.
func typedEndpoint(text string) (e Endpoint, model string, ok bool) {
	address, model, _ := strings.Cut(text, "#")
	if !isAddress(address) {
		return Endpoint{}, "", false
	}
	return Endpoint{Name: address, Title: address, Why: "the endpoint at this address"}, model, true
}

// isAddress reports whether an endpoint is named by its address.
func isAddress(name string) bool {
	scheme, rest, parted := strings.Cut(name, "://")
	return parted && rest != "" && (scheme == "http" || scheme == "https")
}

// participant is one of its models as a participant.
func (e *Endpoint) participant(model string) string {
	if isAddress(e.Name) {
		return e.Name + "#" + strings.ReplaceAll(model, "%", "%25")
	}
	return e.Name + ":" + model
}

// complete lists the models of the endpoint whose name is typed, or is nil.
func (f *fieldForm) complete(one *field) perform {
	e, typed, ok := typedEndpoint(one.input.Value())
	if !ok {
		word, behind, parted := strings.Cut(one.input.Value(), ":")
		i := slices.IndexFunc(f.endpoints, func(e Endpoint) bool { return e.Name == word && e.Missing == "" })
		if !parted || i < 0 {
			return nil
		}
		e, typed = f.endpoints[i], behind
	}
	return func(m *Model) tea.Cmd {
		m.push(f)
		return m.openModels(f, one, e, typed)
	}
}

// openModels lists the models of an endpoint, which is asked for them now: a service
// elsewhere gets its own key. What is typed and not in the list can be named too.
func (m *Model) openModels(f *fieldForm, one *field, e Endpoint, typed string) tea.Cmd {
	known, asked := m.home.models[e.Name]
	to := func(model, detail string) pick {
		return pick{id: model, name: model, detail: detail, do: func(*Model) tea.Cmd {
			f.take(one, e.participant(model), e.Title)
			return nil
		}}
	}
	p := newPicker("Models of "+e.Title, func() []pick {
		var list []pick
		for _, model := range known {
			list = append(list, to(model, ""))
		}
		return list
	})
	p.typed = func(query string) []pick {
		if slices.Contains(known, query) || query == "" {
			return nil
		}
		named := to(query, "the model of this name")
		// What is listed later goes before it.
		named.id = ""
		return []pick{named}
	}
	p.typedLast = true
	p.input.SetValue(plain.Line(typed))
	p.empty = "no model is called that"
	p.search()
	m.push(p)
	if asked {
		return nil
	}
	p.empty = "asking " + e.Title + " for its models…"
	ask := m.options.Home.Models
	return m.outside(func() answer {
		ctx, cancel := context.WithTimeout(context.Background(), serviceTime)
		defer cancel()
		models, err := ask(ctx, e.Name)
		return func(m *Model) tea.Cmd {
			p.empty = "no model is called that"
			if err != nil {
				p.wrong, p.empty = err.Error(), "type the name of a model"
				return nil
			}
			if len(models) == 0 {
				p.empty = e.Title + " lists no model"
			}
			if m.home.models == nil {
				m.home.models = map[string][]string{}
			}
			m.home.models[e.Name], known = models, models
			p.refresh()
			return nil
		}
	})
}

// take puts a participant that was found elsewhere into a field: among the options of
// a choice, or as the text.
func (f *fieldForm) take(one *field, value, title string) {
	if one.kind == fieldChoice {
		one.own = append(one.own, choice{value: value, help: "a model of " + title})
		one.touched = false
		one.offer(one.options, value)
	} else {
		one.set(value)
	}
	one.wrong, one.touched = "", true
	f.enter(slices.Index(f.fields, one))
}
