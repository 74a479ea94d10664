package results

import (
	"bytes"
	"testing"

	"moot/lab/measure"
)

// FuzzRead reads what may be a file of results; what is taken for one can be shown in
// every way, and is the same when it is written and read again.
func FuzzRead(f *testing.F) {
	var measured bytes.Buffer
	if err := sample(f).Write(&measured); err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		measured.String(), "{}", `{"format":"moot.lab/1","runs":[{}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := measure.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, table := range Tables(&d) {
			table.Text(0)
			table.Text(40)
		}
		var again bytes.Buffer
		if err := d.Write(&again); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if _, err := measure.Read(&again); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	})
}
