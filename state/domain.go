package state

import (
	"moot/enum"
	"moot/ledger"
)

// Domain is what hearings on one kind of question go by: what is asked, and the rules
// that read facts without a model.
type Domain struct {
	// Name is that of a domain that is built in, or of the user's file.
	Name string `json:"name"`
	// Prefix stands before outcomes, without the underscore: THREAT.
	Prefix string `json:"prefix"`
	// Question is asked where the user asks none.
	Question string `json:"question"`
	// Opposites are pairs of fields of which one entity has only one where its facts
	// agree (the miscalibration gate).
	Opposites []Opposites `json:"opposites"`
	// Concepts are what fields are called, Vocabularies lists of phrases.
	Concepts     []Concept    `json:"concepts"`
	Vocabularies []Vocabulary `json:"vocabularies"`
	// Activities are kinds of things that are done: what accounts for an act speaks of
	// the same activity, or of the same thing. There are 64 at most.
	Activities []Vocabulary `json:"activities"`
	// Rules are the patterns of the architect and the explanations of the skeptic.
	Rules []FactRule `json:"rules"`
	// Weights are what was learnt of facts of the domain; nil: none were.
	Weights *Weights `json:"weights,omitempty"`
	// Statements are the types of sources whose facts are what somebody says: they show
	// no act by themselves.
	Statements []ledger.SourceType `json:"statements,omitzero"`
	// Margin is the lead with which a side wins that has more than speaks for neither, 0
	// to 1 (judge claims).
	Margin float64 `json:"margin"`
	// ready is no part of the record.
	ready any `json:"-"`
}

// Ready is what package resolver/detect made of the domain, where who holds many
// hearings on it had that done once; else nil.
func (d *Domain) Ready() any { return d.ready }

// Prepared returns the domain with what was made of it.
func (d *Domain) Prepared(ready any) Domain {
	prepared := *d
	prepared.ready = ready
	return prepared
}

// Opposites are two fields that contradict each other, named by their words: "login
// success" is also login_success and LoginSuccess.
type Opposites struct {
	A string `json:"a"`
	B string `json:"b"`
}

// Concept is one thing that collectors name differently.
type Concept struct {
	// Name is how rules call it: "command line".
	Name string `json:"name"`
	// Fields are the names that it goes by, as whole words: "command line" is also
	// command_line, process.CommandLine and PROCESS-COMMAND-LINE. A field of a fact is
	// the concept where these words follow each other in its name, the keys of an
	// object included.
	Fields []string `json:"fields"`
}

// Vocabulary is a list of phrases that several rules look for.
type Vocabulary struct {
	// Name is how rules call it, after an @.
	Name string `json:"name"`
	// Phrases are as those of a FactCondition.
	Phrases []string `json:"phrases"`
}

// FactRole is what a finding of a rule does in an argument.
type FactRole string

// The roles. The first six are the architect's, the others the skeptic's.
const (
	// RoleAct is a thing done that the domain asks about: a technique, a cause at work.
	RoleAct FactRole = "act"
	// RoleEffect is what came of it.
	RoleEffect FactRole = "effect"
	// RoleOddity is unusual, and shows nothing alone.
	RoleOddity FactRole = "oddity"
	// RoleAlert is what a sensor made of acts; the fact is none itself.
	RoleAlert FactRole = "alert"
	// RoleMisfit looks as if it accounted for acts, and is about something else.
	RoleMisfit FactRole = "misfit"
	// RoleDenial is somebody who would know, or a record that would say so, and says
	// that nothing of the kind was meant.
	RoleDenial FactRole = "denial"
	// RoleCover accounts for acts, where it is about the same thing and time.
	RoleCover FactRole = "cover"
	// RoleNature makes a thing ordinary: what it is, whose it is, how often it is so.
	RoleNature FactRole = "nature"
	// RoleFailed says that an act took no effect.
	RoleFailed FactRole = "failed"
	// RoleClear is a look at the matter that found it in order.
	RoleClear FactRole = "clear"
	// RoleChange is the change that a hearing is about, and RoleReturn its end: they
	// speak for nobody, and say when things were before and after.
	RoleChange FactRole = "change"
	RoleReturn FactRole = "return"
	// RoleGap is what the record lacks. The skeptic cites it; as the weights of domains
	// have it, it speaks for neither side.
	RoleGap FactRole = "gap"
)

// FactRoles returns every FactRole.
func FactRoles() []FactRole {
	return []FactRole{RoleAct, RoleEffect, RoleOddity, RoleAlert, RoleMisfit, RoleDenial, RoleCover, RoleNature, RoleFailed, RoleClear, RoleChange, RoleReturn, RoleGap}
}

// String returns the word itself.
func (r FactRole) String() string { return string(r) }

// UnmarshalText refuses a word that is no FactRole.
func (r *FactRole) UnmarshalText(text []byte) error {
	return enum.Unmarshal("role", text, FactRoles(), r)
}

// Seat is the side that findings of the role speak for; "" for RoleChange and
// RoleReturn.
func (r FactRole) Seat() Seat {
	switch r {
	case RoleAct, RoleEffect, RoleOddity, RoleAlert, RoleMisfit, RoleDenial:
		return Architect
	case RoleCover, RoleNature, RoleFailed, RoleClear, RoleGap:
		return Skeptic
	case RoleChange, RoleReturn:
	}
	return ""
}

// CancelledBy are the roles whose findings cancel one of this role, where its rule names
// none.
func (r FactRole) CancelledBy() []FactRole {
	switch r {
	case RoleAct, RoleEffect, RoleOddity, RoleAlert:
		return []FactRole{RoleCover, RoleNature, RoleFailed, RoleClear}
	case RoleMisfit, RoleDenial, RoleGap:
		return []FactRole{RoleClear}
	case RoleCover, RoleNature, RoleFailed, RoleClear:
		return []FactRole{RoleDenial, RoleEffect}
	case RoleChange, RoleReturn:
	}
	return nil
}

// ValueKind is what a value is, beyond its words.
type ValueKind string

// The kinds of values. Those of an entity are looked for in the two ends of an edge.
const (
	// KindPublic and KindPrivate are addresses of the internet, and of networks of
	// one's own.
	KindPublic  ValueKind = "public address"
	KindPrivate ValueKind = "private address"
	// KindWritable is a path where anybody may put a program.
	KindWritable ValueKind = "writable path"
	// KindOutbound and KindInbound are edges to and from a public address or a domain
	// name that has no host of the packet in it.
	KindOutbound ValueKind = "outbound"
	KindInbound  ValueKind = "inbound"
)

// ValueKinds returns every ValueKind.
func ValueKinds() []ValueKind {
	return []ValueKind{KindPublic, KindPrivate, KindWritable, KindOutbound, KindInbound}
}

// String returns the word itself.
func (k ValueKind) String() string { return string(k) }

// UnmarshalText refuses a word that is no ValueKind.
func (k *ValueKind) UnmarshalText(text []byte) error {
	return enum.Unmarshal("kind of value", text, ValueKinds(), k)
}

// Course is how a fact lies to the change that a hearing is about, or how the numbers
// of its value go.
type Course string

// The courses. Where no fact is the change, or its end, nothing is before or after.
const (
	// CourseBefore, CourseSoon and CourseAfter are what begins before the change, in
	// the hour after it, and at any time after it.
	CourseBefore Course = "before the change"
	CourseSoon   Course = "soon after the change"
	CourseAfter  Course = "after the change"
	// CourseUnreturned is before the change was taken back, CourseEnds soon after it,
	// and CourseReturned at any time after it.
	CourseUnreturned Course = "before the return"
	CourseEnds       Course = "soon after the return"
	CourseReturned   Course = "after the return"
	// CourseRises, CourseFalls and CourseLevel are of numbers over time: at least
	// twice, at most half, or about the same as those before.
	CourseRises Course = "rises"
	CourseFalls Course = "falls"
	CourseLevel Course = "level"
	// CourseApart and CourseAlike are of numbers by version or place: those of what
	// was changed are at least twice the others, or about the same.
	CourseApart Course = "changed apart"
	CourseAlike Course = "changed alike"
	// CourseNames and CourseOther are of what names a thing that the change names, and
	// of what has nothing in common with it.
	CourseNames Course = "names the change"
	CourseOther Course = "of another thing"
)

// Courses returns every Course.
func Courses() []Course {
	return []Course{
		CourseBefore, CourseSoon, CourseAfter, CourseUnreturned, CourseEnds, CourseReturned,
		CourseRises, CourseFalls, CourseLevel, CourseApart, CourseAlike, CourseNames, CourseOther,
	}
}

// String returns the word itself.
func (c Course) String() string { return string(c) }

// UnmarshalText refuses a word that is no Course.
func (c *Course) UnmarshalText(text []byte) error {
	return enum.Unmarshal("course", text, Courses(), c)
}

// FactCondition holds of a fact where everything that it says does.
type FactCondition struct {
	// Fields are the concepts, or the words of fields, that are read; every field
	// where none is named.
	Fields []string `json:"fields,omitzero"`
	// Sources are the types of sources that are read; all where none is named.
	Sources []ledger.SourceType `json:"sources,omitzero"`
	// Words is a list of phrases of which one must be there, And another one, and
	// Without phrases of which none may be. A phrase is one or more whole words that
	// follow each other in the name of the field, the keys and the value: "log on
	// type 10". A star stands for the rest of a word, three dots for up to nine words,
	// and @name for a vocabulary.
	Words   []string `json:"words,omitzero"`
	And     []string `json:"and,omitzero"`
	Without []string `json:"without,omitzero"`
	// AtLeast and AtMost bound a number that Fields name: bytes, seconds, or as it
	// stands. Units beside the number or in the field's name are reckoned with.
	AtLeast *float64 `json:"at_least,omitempty"`
	AtMost  *float64 `json:"at_most,omitempty"`
	// Is is the truth value that Fields name.
	Is *bool `json:"is,omitempty"`
	// Kinds are those of which the value, or the entity, is one.
	Kinds []ValueKind `json:"kinds,omitzero"`
	// Course is what must hold of the fact's time and numbers, all of it.
	Course []Course `json:"course,omitzero"`
}

// FactRule finds something in the facts of a packet, for one of the sides.
type FactRule struct {
	ID string `json:"id"`
	// Name is what it finds, in words: "credential access".
	Name string `json:"name"`
	// Role says what a finding does in an argument, and for which side.
	Role FactRole `json:"role"`
	// Technique is that of MITRE ATT&CK, as in T1003.001, or "".
	Technique string `json:"technique,omitempty"`
	// Weight is how likely a fact does what the rule says, above 0 to 1, where the
	// domain has no terms; else that is read by the words of the fact.
	Weight float64 `json:"weight"`
	// Reads says that the rule has no conditions: it speaks of the facts that the
	// weights of the domain take for one of its role, and no other rule speaks of.
	Reads bool `json:"reads,omitempty"`
	// Whole says that a finding for the skeptic speaks of the whole case, and need not
	// be about the same thing as an act.
	Whole bool `json:"whole,omitempty"`
	// When are the conditions, of which one makes the rule speak of a fact.
	When []FactCondition `json:"when,omitzero"`
	// Cancel are ids of rules, or roles, whose findings about the same thing cancel a
	// finding of this one, as a whole or in part; those of the role where none is named.
	Cancel []string `json:"cancel,omitzero"`
}

// Shown is an outcome as it is shown: with the prefix of the domain.
func (d *Domain) Shown(o Outcome) string {
	if d.Prefix == "" || o == "" {
		return string(o)
	}
	return d.Prefix + "_" + string(o)
}
