package ledger

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestUnsealIsTheInverseOfSeal(t *testing.T) {
	open := []byte(`{"seq":1,"prev":"` + ZeroHash + `","data":{"text":"a"}`)
	sealed := bytes.NewBuffer(bytes.Clone(open))
	hash := Seal(sealed, 0)
	line := sealed.Bytes()
	kept := string(line)
	got, gotHash, err := Unseal(line)
	if err != nil || string(got) != string(open) || gotHash != hash || hash != Hash(line) {
		t.Fatalf("got %q, hash %s, %v; want hash %s", got, gotHash, err, Hash(line))
	}
	if want := Hash(open); !strings.HasSuffix(kept, `,"sum":"`+want+`"}`) {
		t.Errorf("%s does not end with the sum %s", kept, want)
	}
}

func TestUnsealFindsEveryChangedByte(t *testing.T) {
	sealed := bytes.NewBufferString(`{"seq":1,"data":{"text":"ab"}`)
	Seal(sealed, 0)
	line := sealed.Bytes()
	for i := range line {
		for mask := 1; mask < 256; mask++ {
			line[i] ^= byte(mask)
			if _, _, err := Unseal(line); !errors.Is(err, ErrSum) {
				t.Errorf("byte %d by %#x: %v", i, mask, err)
			}
			line[i] ^= byte(mask)
		}
	}
	for n := range line {
		if _, _, err := Unseal(line[:n]); !errors.Is(err, ErrSum) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
}

func TestCheckLink(t *testing.T) {
	other := Hash([]byte("x"))
	if err := CheckLink(3, 3, other, other); err != nil {
		t.Error(err)
	}
	if err := CheckLink(4, 3, other, other); err == nil || err.Error() != "seq is 4, want 3" {
		t.Error(err)
	}
	if err := CheckLink(3, 3, other, ZeroHash); err == nil ||
		!strings.Contains(err.Error(), "but the previous line hashes to 000000000000…") {
		t.Error(err)
	}
}
