package rules

import (
	"strings"

	"moot/plain"
)

// phrase is the key of a sentence in data/sentences.txt.
type phrase string

// The sentences.
const (
	saySays           phrase = "says"
	sayDefines        phrase = "defines"
	sayClaims         phrase = "claims"
	sayAboutOption    phrase = "about-option"
	sayAboutView      phrase = "about-view"
	sayAboutGap       phrase = "about-gap"
	sayPasses         phrase = "passes"
	sayNothing        phrase = "nothing"
	sayNothingSought  phrase = "nothing-sought"
	sayNothingWords   phrase = "nothing-words"
	sayWhereWorkspace phrase = "where-workspace"
	sayWhereContext   phrase = "where-context"
	sayWhereBoth      phrase = "where-both"
	sayWhereNone      phrase = "where-none"

	sayTangents   phrase = "tangents"
	sayDrift      phrase = "drift"
	sayThemeOther phrase = "theme-other"

	sayInScope          phrase = "in-scope"
	sayAgree            phrase = "agree"
	sayAgreeRun         phrase = "agree-run"
	sayFlawRefuted      phrase = "flaw-refuted"
	sayUpgradeRefuted   phrase = "upgrade-refuted"
	sayFlawBeside       phrase = "flaw-beside"
	sayUpgradeBeside    phrase = "upgrade-beside"
	sayFlawRefused      phrase = "flaw-refused"
	sayFlawUnadmitted   phrase = "flaw-unadmitted"
	sayFlawWaiting      phrase = "flaw-waiting"
	sayUpgradeWaiting   phrase = "upgrade-waiting"
	sayFlawNone         phrase = "flaw-none"
	sayFlawUnchecked    phrase = "flaw-unchecked"
	sayUpgradeUnchecked phrase = "upgrade-unchecked"
	sayUpgradeCite      phrase = "upgrade-cite"
	sayFlawValue        phrase = "flaw-value"
	sayUpgradeValue     phrase = "upgrade-value"
	sayContest          phrase = "contest"
	saySameButFiller    phrase = "same-but-filler"
	sayOpposed          phrase = "opposed"
	sayRevising         phrase = "revising"
	sayRevisingReopened phrase = "revising-reopened"
	sayViolates         phrase = "violates"

	sayAccept        phrase = "accept"
	sayAcceptRun     phrase = "accept-run"
	sayRejectNone    phrase = "reject-none"
	sayRejectRefused phrase = "reject-refused"
	sayRejectRefuted phrase = "reject-refuted"
	sayRejectBeside  phrase = "reject-beside"
	sayRejectUnnamed phrase = "reject-unnamed"
	sayRejectValue   phrase = "reject-value"

	sayDefendFurther      phrase = "defend-further"
	sayDefendOwn          phrase = "defend-own"
	sayDefendVerified     phrase = "defend-verified"
	sayDefendRun          phrase = "defend-run"
	sayDefendAgain        phrase = "defend-again"
	sayDefendUsers        phrase = "defend-users"
	sayConcedeRefused     phrase = "concede-refused"
	sayConcedeNone        phrase = "concede-none"
	sayConcedeRefuted     phrase = "concede-refuted"
	sayBlockedMeasurement phrase = "blocked-measurement"
	sayBlockedThreshold   phrase = "blocked-threshold"
	sayBlockedBelow       phrase = "blocked-below"
	sayBlockedAbove       phrase = "blocked-above"
	sayClarify            phrase = "clarify"
	sayCrux               phrase = "crux"

	sayNoMore         phrase = "no-more"
	sayObjectionQuote phrase = "objection-quote"
	sayObjectionClaim phrase = "objection-claim"
	sayDoubtSingle    phrase = "doubt-single"
	sayDoubtValue     phrase = "doubt-value"
	sayDoubtSilence   phrase = "doubt-silence"
	sayDoubtRejected  phrase = "doubt-rejected"
	sayDoubtBlocked   phrase = "doubt-blocked"

	saySameWords     phrase = "same-words"
	sayOtherValue    phrase = "other-value"
	sayNothingMarked phrase = "nothing-marked"
	saySide          phrase = "side"
	sayNoSide        phrase = "no-side"
	sayNoteCompared  phrase = "note-compared"
	sayNoteOpen      phrase = "note-open"
	sayNoteValues    phrase = "note-values"

	sayNoteWorkspace  phrase = "note-workspace"
	sayNoteDiff       phrase = "note-diff"
	sayNoteLarge      phrase = "note-large"
	sayNotePart       phrase = "note-part"
	sayNoteNoText     phrase = "note-no-text"
	sayNoteUnread     phrase = "note-unread"
	sayNoteSecrets    phrase = "note-secrets"
	sayNoteLong       phrase = "note-long"
	sayNoteFields     phrase = "note-fields"
	sayNoteObjections phrase = "note-objections"
	sayNoteNotCited   phrase = "note-not-cited"

	sayFieldLines    phrase = "field-lines"
	sayFieldBinary   phrase = "field-binary"
	sayNothingGiven  phrase = "nothing-given"
	sayFlag          phrase = "flag"
	sayFlagLine      phrase = "flag-line"
	sayFlagRemoved   phrase = "flag-removed"
	sayFlagFile      phrase = "flag-file"
	sayFlagMore      phrase = "flag-more"
	sayLooked        phrase = "looked"
	sayLookedNone    phrase = "looked-none"
	sayFlagQuote     phrase = "flag-quote"
	sayReaders       phrase = "readers"
	sayNothingNew    phrase = "nothing-new"
	sayNothingLooked phrase = "nothing-looked"
	sayNoPlaybook    phrase = "no-playbook"
	sayConcedeShown  phrase = "concede-shown"
	sayDefendUnshown phrase = "defend-unshown"

	sayCouncilBecause       phrase = "council-because"
	sayCouncilBecauseHedged phrase = "council-because-hedged"
	sayCouncilLimit         phrase = "council-limit"
	sayCouncilNone          phrase = "council-none"
	sayFlawCouncilNone      phrase = "flaw-council-none"
	sayUpgradeCouncilNone   phrase = "upgrade-council-none"
	sayFlawCouncilGone      phrase = "flaw-council-gone"
	sayFlawQuote            phrase = "flaw-quote"
	sayUpgradeQuote         phrase = "upgrade-quote"
	sayFlawNumber           phrase = "flaw-number"
	sayUpgradeNumber        phrase = "upgrade-number"
	sayFlawAbsolute         phrase = "flaw-absolute"
	sayUpgradeAbsolute      phrase = "upgrade-absolute"
	sayNarrowerAbsolute     phrase = "narrower-absolute"
	sayFlawWide             phrase = "flaw-wide"
	sayUpgradeWide          phrase = "upgrade-wide"
	sayFlawSingle           phrase = "flaw-single"
	sayUpgradeSingle        phrase = "upgrade-single"
	sayFlawLimit            phrase = "flaw-limit"
	sayUpgradeLimit         phrase = "upgrade-limit"
	sayFlawCounter          phrase = "flaw-counter"
	sayUpgradeCounter       phrase = "upgrade-counter"
	sayGroundsCounter       phrase = "grounds-counter"
	sayWhyNotSkeptical      phrase = "why-not-skeptical"
	sayFlawDenied           phrase = "flaw-denied"
	sayFlawStress           phrase = "flaw-stress"
	sayUpgradeStress        phrase = "upgrade-stress"
	sayNarrowerStress       phrase = "narrower-stress"
	sayFlawHope             phrase = "flaw-hope"
	sayUpgradeHope          phrase = "upgrade-hope"
	sayCouncilScore         phrase = "council-score"
	sayCouncilScoreSeveral  phrase = "council-score-several"
	sayCouncilScoreDoubt    phrase = "council-score-doubt"
	sayCouncilScoreNone     phrase = "council-score-none"
	sayCouncilScoreRefuted  phrase = "council-score-refuted"
	sayCouncilScoreAgainst  phrase = "council-score-against"
	sayCouncilScoreValue    phrase = "council-score-value"
	sayCouncilScoreSettled  phrase = "council-score-settled"
	sayConcedeCounter       phrase = "concede-counter"
	sayConcedeForbidden     phrase = "concede-forbidden"
	sayReviseNarrower       phrase = "revise-narrower"
	sayDefendMethod         phrase = "defend-method"
	sayDefendSource         phrase = "defend-source"
	sayDefendNothing        phrase = "defend-nothing"
	sayDefendBare           phrase = "defend-bare"
	sayJudgeNew             phrase = "judge-new"
	sayJudgeOld             phrase = "judge-old"
	sayJudgeMethod          phrase = "judge-method"
	sayMended               phrase = "mended"
	saySynthesisValid       phrase = "synthesis-valid"
	saySynthesisGone        phrase = "synthesis-gone"
	saySynthesisOpen        phrase = "synthesis-open"
	saySynthesisNarrowed    phrase = "synthesis-narrowed"
	saySynthesisNone        phrase = "synthesis-none"
	sayCouncilQuiet         phrase = "council-quiet"
)

// say fills a sentence in. The arguments are names and what they stand for.
func (l *lexicon) say(key phrase, arguments ...string) string {
	pairs := make([]string, len(arguments))
	for i, a := range arguments {
		if i%2 == 0 {
			a = "{" + a + "}"
		}
		pairs[i] = a
	}
	return strings.NewReplacer(pairs...).Replace(l.sentences[key])
}

// The lengths in runes to which foreign text inside a sentence is cut. The
// whole stands in the evidence that the sentence names.
const (
	quoted  = 320
	recited = 160
)

// recite makes a passage one line for a point: of a block of comments the mark
// stands once, since it says nothing of its own. The evidence has it verbatim.
func (l *lexicon) recite(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 || !l.comments[fields[0]] {
		return plain.Clip(text, quoted)
	}
	first := fields[0]
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if len(lines) > 0 && (line == first || strings.HasPrefix(line, first+" ")) {
			line = strings.TrimPrefix(line, first)
		}
		lines = append(lines, line)
	}
	return plain.Clip(strings.Join(lines, " "), quoted)
}

// clause makes a text part of one sentence (JU1): no mark that ends one is left
// before white space.
func clause(text string) string {
	text = strings.TrimRight(plain.Clip(text, recited), ".!? ")
	return strings.NewReplacer(". ", "; ", "! ", "; ", "? ", "; ").Replace(text)
}
