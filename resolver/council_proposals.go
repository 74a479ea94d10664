package resolver

import "strings"

// Proposes reports whether a claim recommends that something is done. What merely
// says how things are, such as "callers must hold the lock", does not.
func Proposes(text string) bool { return proposing(wording(text)) }

func proposing(words string) bool {
	if says(
		words, " we recommend ", " i recommend ", " is recommended ", " recommend that we ", " recommendation is ", " we propose ", " i propose ", " proposal is ",
		" we suggest ", " i suggest ", " i advise ", " we advise ", " let us ", " lets adopt ", " it would be best to ", " it is best to ", " the best step is ",
		" should be done ", " action is needed ",
	) {
		return true
	}
	if follows(
		words, does, " should ", " should not ", " must ", " must not ", " ought to ", " needs to ", " need to ", " has to ", " have to ",
		" should now ", " should first ", " should also ", " must now ", " must first ",
	) || follows(words, done, " should be ", " must be ", " ought to be ", " needs to be ", " need to be ", " has to be ", " have to be ") {
		return true
	}
	if says(
		words, " we should ", " we must ", " we ought to ", " we need to ", " we have to ", " you should ", " you must ", " you need to ", " you have to ",
		" team should ", " team must ", " team needs to ", " team has to ", " teams should ", " teams must ", " teams need to ", " teams have to ",
		" company should ", " company must ", " company needs to ", " company has to ", " project should ", " project must ", " project needs to ",
		" project has to ", " maintainers should ", " maintainers must ", " maintainers need to ", " maintainers have to ",
	) {
		return true
	}
	return commands(words)
}

// does reports whether a word is what one is told to do to something.
func does(word string) bool {
	switch word {
	case "go", "stay", "adopt", "migrate", "replace", "switch", "move", "use", "introduce", "add", "remove", "drop", "keep", "deploy", "ship", "split", "merge",
		"rewrite", "refactor", "stop", "start", "buy", "hire", "invest", "raise", "lower", "cut", "limit", "enable", "disable", "upgrade", "downgrade",
		"build", "write", "encrypt", "rotate", "roll", "avoid", "prefer", "choose", "extend", "reduce", "increase", "automate", "separate", "delete",
		"document", "test", "monitor", "cache", "index", "shard", "pin", "wait", "change", "fix":
		return true
	}
	return false
}

// done is does for what is to happen to something.
func done(word string) bool {
	switch word {
	case "kept", "split", "rewritten", "bought", "built", "written", "cut", "chosen", "dropped", "stopped", "shipped", "pinned", "rolled", "made":
		return true
	}
	if stem, past := strings.CutSuffix(word, "ed"); past {
		return does(stem) || does(stem+"e")
	}
	return false
}

// commands reports whether a sentence begins with what is to be done, as in "Replace
// the queue". A name that is said to do something itself, as in "Add returns the
// sum", commands nothing.
func commands(words string) bool {
	for sentence := range strings.SplitSeq(words, " . ") {
		first, rest, _ := strings.Cut(strings.TrimSpace(sentence), " ")
		next, rest, _ := strings.Cut(rest, " ")
		if !does(first) || next == "" {
			continue
		}
		if named := oneOf(
			"is", "are", "was", "were", "has", "had", "can", "may", "will", "does", "did", "of", "must", "should", "returns", "takes", "runs", "calls",
			"blocks", "fails", "works", "holds", "gives", "makes", "needs", "uses", "times", "time", "semantics", "waits", "sorts", "locks", "closes",
			"reads", "writes", "panics", "never", "always", "cannot", "and", "or", "in", "sets", "starts", "stops", "keeps", "adds", "removes", "drops",
		); named(next) {
			continue
		}
		if (first == "test" || first == "cache" || first == "index" || first == "change" || first == "start" || first == "document" || first == "build" || first == "limit") && !article(next) {
			// They are names as often: "Test coverage is 40 %".
			continue
		}
		if second, _, _ := strings.Cut(rest, " "); !article(next) && oneOf("is", "are", "was", "were", "has", "takes", "costs", "returns")(second) {
			continue
		}
		return true
	}
	return false
}

func article(word string) bool {
	switch word {
	case "the", "a", "an", "all", "each", "every", "this", "that", "these", "those", "our", "its", "it", "them", "one", "no":
		return true
	}
	return false
}

// SaysHow reports whether a proposal names how it is carried out: by what means, in
// which steps, or behind what.
func SaysHow(text string) bool { return sayingHow(wording(text)) }

func sayingHow(words string) bool {
	if says(
		words,
		" via ", " using ", " by means of ", " by hand ", " by a ", " by an ", " by way of ", " with the help of ", " through a ", " through an ", " through the ",
		" step ", " steps ", " step by step ", " in stages ", " in phases ", " in batches ", " in two ", " in three ", " stage by stage ", " phase ", " gradually ",
		" incrementally ", " one at a time ", " at a time ", " behind a ", " behind the ", " feature flag", " toggle", " canary ", " dual write", " double write",
		" roll out ", " rolled out ", " rollout ", " schedule ", " scheduled ", " script ", " scripts ", " command ", " commands ", " pipeline", " starting with ", " begin with ",
		" followed by ", " and then ", " after that ", " once that ", " runbook", " playbook ", " pull request",
	) {
		return true
	}
	if follows(words, gerund, " by ", " after ", " before ") {
		return true
	}
	if says(words, " first ") && says(words, " then ", " second ", " next ") {
		return true
	}
	replaces := says(words, " replac", " swap", " substitut", " deal with ", " go with ", " comply with ")
	return !replaces && follows(words, oneOf("a", "an", "one", "two"), " with ")
}

// gerund reports whether a word names a doing: "adding". Names that end so do not.
func gerund(word string) bool {
	switch word {
	case "everything", "anything", "something", "nothing", "string", "thing", "king", "ring", "bring", "spring", "during", "morning", "evening":
		return false
	}
	const shortest = 5
	return len(word) >= shortest && strings.HasSuffix(word, "ing")
}
