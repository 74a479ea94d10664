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

// A line ends with its own sum.
const (
	sumField = `,"sum":"`
	sumClose = `"}`
	tailSize = len(sumField) + 2*sha256.Size + len(sumClose)
)

// Hash returns the SHA-256 of bytes as 64 hex digits.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Digest returns Hash with the prefix "sha256:", as evidence carries it.
func Digest(b []byte) string { return "sha256:" + Hash(b) }

// Seal completes the chained line that begins at an index of lines, without a newline, and returns its Hash. The line
// is a JSON object without its closing brace; the sum covers every byte of it.
func Seal(lines *bytes.Buffer, begin int) (hash string) {
	sums := sha256.New()
	sums.Write(lines.Bytes()[begin:])
	end := lines.Len()
	lines.WriteString(sumField)
	sum := sums.Sum(nil)
	lines.Write(hex.AppendEncode(lines.AvailableBuffer(), sum))
	lines.WriteString(sumClose)
	sums.Write(lines.Bytes()[end:])
	return hex.EncodeToString(sums.Sum(sum[:0]))
}

// ErrSum reports that a line was changed after it was written.
var ErrSum = errors.New("the line's sum does not match its bytes")

// Unseal checks a line's own sum and reverses Seal; open shares memory with the line. It does not check prev; CheckLink
// does.
func Unseal(line []byte) (open []byte, hash string, err error) {
	if len(line) < tailSize || !bytes.HasSuffix(line, []byte(sumClose)) {
		return nil, "", ErrSum
	}
	open, tail := line[:len(line)-tailSize], line[len(line)-tailSize:]
	sum, found := bytes.CutPrefix(tail[:tailSize-len(sumClose)], []byte(sumField))
	sums := sha256.New()
	sums.Write(open)
	var want [2 * sha256.Size]byte
	hex.Encode(want[:], sums.Sum(nil))
	if !found || !bytes.Equal(want[:], sum) {
		return nil, "", ErrSum
	}
	sums.Write(tail)
	return open, hex.EncodeToString(sums.Sum(nil)), nil
}

// CheckLink compares a line's place in the chain with the expected one: seq counts from 1, prev is the Hash of the
// previous line.
func CheckLink(seq, wantSeq int, prev, wantPrev string) error {
	if seq != wantSeq {
		return fmt.Errorf("seq is %d, want %d", seq, wantSeq)
	}
	if prev != wantPrev {
		return fmt.Errorf("prev is %.12s…, but the previous line hashes to %.12s…", prev, wantPrev)
	}
	return nil
}
