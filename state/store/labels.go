package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Label is what turned out to be so of a point, in the user's word, after the
// session ended (ST5). The session's own file is never rewritten: labels stand
// in a file beside it, ID.labels.jsonl, one JSON line each.
type Label struct {
	At time.Time `json:"at"`
	// Point is the point's id: "P3".
	Point string `json:"point"`
	// True says that the point turned out to be true.
	True bool `json:"true"`
}

func labelsPath(path string) string { return strings.TrimSuffix(path, extension) + labelsExtension }

// Labels returns the labels of the session at path, one per point in the order
// in which points were first labeled: the last label of a point wins. Without
// a file there are none. An unfinished last line is left out.
func Labels(path string) ([]Label, error) {
	text, err := os.ReadFile(labelsPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the labels of the session: %w", err)
	}
	var labels []Label
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		var label Label
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&label); err != nil || label.Point == "" {
			if !bytes.HasSuffix(raw, []byte("\n")) {
				break
			}
			return labels, fmt.Errorf("%s: line %d is no label, the file was left as it is; correct or remove that "+
				"line", labelsPath(path), number)
		}
		at := slices.IndexFunc(labels, func(l Label) bool { return l.Point == label.Point })
		if at < 0 {
			labels = append(labels, label)
		} else {
			labels[at] = label
		}
	}
	return labels, nil
}

// AppendLabel adds a label to those of the session at path and syncs it. It
// does not look whether the session has the point.
func AppendLabel(path string, label Label) error {
	labels := labelsPath(path)
	label.At = label.At.UTC()
	raw, err := json.Marshal(label)
	if err != nil {
		return fmt.Errorf("write the label: %w", err)
	}
	file, err := os.OpenFile(labels, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return fmt.Errorf("open the labels of the session: %w", err)
	}
	lock, err := hold(labels)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	err = appendLine(file, append(raw, '\n'))
	err = errors.Join(err, file.Close(), release(lock, labels))
	if err != nil {
		return fmt.Errorf("add a label to %s, the earlier ones are kept: %w", labels, err)
	}
	return nil
}

// appendLine writes a line after the last whole one, over what an earlier
// write may have left unfinished.
func appendLine(file *os.File, raw []byte) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	whole := int64(bytes.LastIndexByte(text, '\n') + 1)
	if err := file.Truncate(whole); err != nil {
		return err
	}
	if _, err := file.WriteAt(raw, whole); err != nil {
		return errors.Join(err, file.Truncate(whole))
	}
	return file.Sync()
}
