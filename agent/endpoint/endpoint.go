package endpoint

import (
	"net/http"
	"sync"
	"time"

	"github.com/sashabaranov/go-openai"

	"moot/agent/pace"
	"moot/agent/scrub"
	"moot/protocol"
)

// The adapter is a participant.
var _ protocol.Participant = (*Endpoint)(nil)

// Endpoint is a model at a chat endpoint, as a participant. It may be asked
// by several goroutines at once.
type Endpoint struct {
	config   Config
	limits   Limits
	wire     *wire
	client   *openai.Client
	scrubber *scrub.Scrubber
	price    Price
	priced   bool
	// stalls are what a watchdog waits for, made once.
	stalls stalls
	memory *memory
	// lane is where calls wait for one another.
	lane *pace.Lane
	// shared says that other sessions wait there too.
	shared bool
}

// memory is what an endpoint learns about its server while a session runs.
type memory struct {
	sync.Mutex
	ability ability
	// said holds the notes that are told once.
	said map[string]bool
	// thinksAloud says that replies begin with a thought that is not marked as one.
	thinksAloud bool
	// noContexts says that the server does not tell how much context a model has.
	noContexts bool
	// strict holds schemas in their strict form, by their text; nil where
	// there is none.
	strict map[string][]byte
}

// stalls are what a server may fail to do in time.
type stalls struct{ connect, first, idle, tail, drain *stallError }

const (
	// tailWait is how long the token counts may take after the reply ended.
	tailWait = 2 * time.Second
	// drainWait is how long the end of a stream may take after [DONE]; to wait
	// for it lets the connection be used again.
	drainWait = 25 * time.Millisecond
	// maxStrict is how many schemas are kept in their strict form.
	maxStrict = 64
)

// Option changes how an endpoint is made.
type Option func(*Endpoint)

// WithTransport sends requests over a transport that endpoints share, as
// NewTransport makes it. Without it each endpoint has one of its own.
func WithTransport(transport http.RoundTripper) Option {
	return func(e *Endpoint) { e.wire = newWire(transport, e.config) }
}

// New returns the participant for a config. It sends nothing.
func New(config Config, limits Limits, options ...Option) *Endpoint {
	limits = limits.filled()
	e := &Endpoint{
		config: config, limits: limits,
		scrubber: newScrubber(config.secrets()...),
		stalls: stalls{
			connect: &stallError{"no connection", limits.Connect},
			first:   &stallError{"no token", limits.FirstToken},
			idle:    &stallError{"nothing more", limits.Idle},
			tail:    &stallError{"no end of the stream", tailWait},
			drain:   &stallError{"no end of the stream", drainWait},
		},
		memory: &memory{ability: firstAbility(config), said: map[string]bool{}, strict: map[string][]byte{}},
	}
	e.price, e.priced = config.findPrice()
	for _, option := range options {
		option(e)
	}
	if e.wire == nil {
		e.wire = newWire(NewTransport(), config)
	}
	if e.lane == nil {
		e.lane = config.lane(pace.New(""))
	}
	settings := openai.DefaultConfig("") // The wire adds the key.
	settings.BaseURL, settings.HTTPClient = config.Base, e.wire
	e.client = openai.NewClientWithConfig(settings)
	return e
}

// shortestHeader is the length in bytes under which the value of a header is no
// secret to look for: many are a name or a word.
const shortestHeader = 12

// secrets are what no output may show.
func (c *Config) secrets() []Secret {
	all := []Secret{c.Key, c.Password, basicPair(*c)}
	for _, value := range c.Headers {
		if len(value.reveal()) >= shortestHeader {
			all = append(all, value)
		}
	}
	return all
}

// basicPair is the user information as it is encoded in a header.
func basicPair(config Config) Secret {
	if config.Password.IsZero() {
		return Secret{}
	}
	return NewSecret(config.User.reveal() + ":" + config.Password.reveal())
}

// Name returns the string that the user named the endpoint by, without
// secrets.
func (e *Endpoint) Name() string { return e.config.Name }

// String is Name.
func (e *Endpoint) String() string { return e.config.Name }

// Modelless is false: a language model is at work.
func (e *Endpoint) Modelless() bool { return false }

// Price returns what the model costs, and whether that is known. A model on
// the user's own machine costs nothing.
func (e *Endpoint) Price() (Price, bool) { return e.price, e.priced }

// Estimate is what a prompt of so many tokens costs in US dollars, without the
// reply, and whether a price is known.
func (e *Endpoint) Estimate(promptTokens int) (float64, bool) {
	return e.price.Cost(promptTokens, 0), e.priced
}

// ability returns what the server is known to take, with the schema in the
// form in which it goes out.
func (e *Endpoint) ability(schema []byte) ability {
	e.memory.Lock()
	defer e.memory.Unlock()
	taken := e.memory.ability
	taken.schema = schema
	if len(schema) == 0 || taken.structure != StructureStrict {
		return taken
	}
	strict, known := e.memory.strict[string(schema)]
	if !known {
		strict, _ = strictSchema(schema) // Without one it goes out as it is.
		if len(e.memory.strict) < maxStrict {
			e.memory.strict[string(schema)] = strict
		}
	}
	if strict == nil {
		taken.structure = StructureSchema
		return taken
	}
	taken.schema = strict
	return taken
}

// learn remembers what a refusal taught, for as long as the endpoint lives.
func (e *Endpoint) learn(left ability) {
	e.memory.Lock()
	defer e.memory.Unlock()
	e.memory.ability = e.memory.ability.merged(left)
}

// once reports that a note was not told before.
func (e *Endpoint) once(note string) bool {
	e.memory.Lock()
	defer e.memory.Unlock()
	if e.memory.said[note] {
		return false
	}
	e.memory.said[note] = true
	return true
}
