package council

// What tests ask of the checks of a constitution.

func Denied(text string, phrases []string) string { return denied(wording(text), phrases) }

func StatesLimit(text string) bool { return limited(wording(text)) }

func Proposes(text string) bool { return proposing(wording(text)) }
