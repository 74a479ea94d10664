package council

// What tests ask of the checks of a constitution.

func Denied(text string, phrases []string) string { return denied(wording(text), phrases) }

func StatesLimit(text string) bool { return statesLimit(wording(text)) }

func Proposes(text string) bool { return recommends(wording(text)) }
