package store

import "io"

// VerifyChain checks every byte of a session file against its chain and
// returns the chain's head and its number of events; on a *DamageError those
// of the whole units before it. It is stricter than Read: an unfinished last
// unit, or a last line without its newline, is damage here. It does not look
// into the data of the events, so it verifies versions that this moot cannot
// read.
//
// With a known head (from an export, or noted elsewhere) it also finds whole
// lines that are missing at the end, as a *DamageError that wraps a *HeadError;
// with "" it cannot.
func VerifyChain(r io.Reader, knownHead string) (string, int, error) {
	known := 0
	end, err := walk(r, "", func(_ []byte, l line) error {
		if l.prev == knownHead {
			known = l.seq - 1
		}
		return nil
	})
	switch {
	case err != nil:
	case end.repair != Repair{}:
		err = end.repair.damage(end.seq)
	case knownHead != "" && end.head != knownHead:
		head := &HeadError{Known: knownHead, Head: end.head, After: known}
		line := end.seq + 1
		if known > 0 {
			line = known + 1
		}
		err = &DamageError{Line: line, Seq: end.seq, Why: head.Error(), Err: head}
	}
	return end.head, end.seq, err
}

// damage is a repair for those who take a session only as it was written: a
// unit is damaged at the first line that is not there in full.
func (r Repair) damage(seq int) *DamageError {
	line := seq
	if r.Cut > 0 {
		line = seq + r.Events + 1
	}
	return &DamageError{Line: line, Seq: seq, Why: r.String()}
}
