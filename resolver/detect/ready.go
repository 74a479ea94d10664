package detect

import "moot/state"

// Prepare returns the domain with its detector, for who holds many hearings on it: Of
// makes none again then. The error is that of Compile.
func Prepare(d state.Domain) (state.Domain, error) {
	detector, err := Compile(&d)
	if err != nil {
		return d, err
	}
	return d.Prepared(detector), nil
}

// Of is the detector of a domain: that of Prepare, or one that is made now. The error is
// that of Compile.
func Of(d *state.Domain) (*Detector, error) {
	if ready, is := d.Ready().(*Detector); is {
		return ready, nil
	}
	return Compile(d)
}
