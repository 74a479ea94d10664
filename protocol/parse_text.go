package protocol

// textForm reads the telegraphic form.
type textForm struct{}

func newTextForm() *textForm { return &textForm{} }

func (t *textForm) read(string, *collector) {}

// speech is a text without what its writer did not say.
func speech(text string) string { return text }
