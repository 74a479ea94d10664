package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// ZeroHash is the prev of a chain's first line: 64 zeros.
const ZeroHash = "0000000000000000000000000000000000000000000000000000000000000000"

// sumField is how a line ends: its own sum, last.
const (
	sumField = `,"sum":"`
	sumClose = `"}`
	hashSize = 2 * sha256.Size
)

// Hash returns the SHA-256 of bytes as 64 hex digits.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Digest returns Hash with the prefix "sha256:", as evidence carries it.
func Digest(b []byte) string { return "sha256:" + Hash(b) }

// Seal completes a chained line. Open is a JSON object without its closing
// brace, which holds seq and prev already; the sum covers every byte of it.
// The result has no newline.
func Seal(open []byte) []byte {
	line := make([]byte, 0, len(open)+len(sumField)+hashSize+len(sumClose))
	line = append(line, open...)
	line = append(line, sumField...)
	line = append(line, Hash(open)...)
	return append(line, sumClose...)
}

// ErrSum says that a line is not what was written: its sum does not fit.
var ErrSum = errors.New("the line's sum does not match its bytes")

// Unseal checks a line's own sum and returns the line up to it, closed again
// as an object. It does not check prev; that is CheckLink.
func Unseal(line []byte) ([]byte, error) {
	tail := len(sumField) + hashSize + len(sumClose)
	if len(line) < tail || !bytes.HasSuffix(line, []byte(sumClose)) {
		return nil, ErrSum
	}
	open, rest := line[:len(line)-tail], line[len(line)-tail:]
	if !bytes.HasPrefix(rest, []byte(sumField)) {
		return nil, ErrSum
	}
	if Hash(open) != string(rest[len(sumField):len(sumField)+hashSize]) {
		return nil, ErrSum
	}
	object := make([]byte, len(open)+1)
	object[copy(object, open)] = '}'
	return object, nil
}

// CheckLink compares a line's place in the chain with what the line before it
// demands: seq counts from 1, prev is the Hash of the previous line without
// its newline.
func CheckLink(seq, wantSeq int, prev, wantPrev string) error {
	if seq != wantSeq {
		return fmt.Errorf("seq is %d, want %d", seq, wantSeq)
	}
	if prev != wantPrev {
		return fmt.Errorf("prev is %.12s…, but the line before hashes to %.12s…", prev, wantPrev)
	}
	return nil
}
