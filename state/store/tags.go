package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"moot/internal/plain"
	"moot/internal/regular"
)

// Tags holds the name and the tags that the user gave a session. They are stored in ID.tags.json next to the session file, which never changes,
// and no export has them.
type Tags struct {
	// Name takes the place of the question in lists. It may be "".
	Name string `json:"title,omitempty"`
	// Tags are words without spaces and commas, sorted, each once.
	Tags []string `json:"tags,omitempty"`
}

// The limits of tags: MaxName and MaxTag are lengths in characters, MaxTags is a number of tags.
const (
	MaxName = 120
	MaxTag  = 40
	MaxTags = 20
)

const (
	tagsExtension = ".tags.json"
	// maxTagsFile is the most bytes of the file.
	maxTagsFile = 64 << 10
)

func tagsPath(path string) string { return strings.TrimSuffix(path, extension) + tagsExtension }

// ReadTags returns the name and the tags of the session at path. Without a file, both are empty.
func ReadTags(path string) (Tags, error) {
	text, err := regular.Read(tagsPath(path), maxTagsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Tags{}, nil
	}
	if err != nil {
		return Tags{}, fmt.Errorf("read the tags of the session: %w", err)
	}
	var t Tags
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&t)
	if _, after := decoder.Token(); err == nil && !errors.Is(after, io.EOF) {
		err = errors.New("more follows after them")
	}
	if err == nil {
		err = t.normalize()
	}
	if err != nil {
		return Tags{}, fmt.Errorf("%s does not have tags (%w) and was left unchanged; correct or remove it", tagsPath(path), err)
	}
	return t, nil
}

// tagsLock is the file that is locked while tags change. It is in the folder of the sessions.
const tagsLock = ".tags.lock"

// tagsWait is how long a change waits for those of other processes.
const tagsWait = 5 * time.Second

// ChangeTags changes the name and the tags of the session at path, and returns them. change gets what they are now, and
// no other process changes them meanwhile. Without any, the file is removed. An error, also one of change, leaves the
// file as it was, and so does a file that ReadTags refuses.
func ChangeTags(path string, change func(*Tags) error) (t Tags, err error) {
	unlock, err := lockTags(filepath.Dir(path))
	if err != nil {
		return t, fmt.Errorf("change the tags of the session, which stay as they were: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if t, err = ReadTags(path); err != nil {
		return t, err
	}
	if err := change(&t); err != nil {
		return t, err
	}
	err = writeTags(path, &t)
	return t, err
}

// lockTags waits until no other process changes tags of the sessions in a folder.
func lockTags(dir string) (unlock func() error, err error) {
	path := filepath.Join(dir, tagsLock)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(tagsWait); ; {
		unlock, err = Lock(path)
		if !errors.As(err, new(*HeldError)) {
			return unlock, err
		}
		if time.Now().After(deadline) {
			return nil, errors.New("another process is changing tags; try again")
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func writeTags(path string, t *Tags) error {
	if err := t.normalize(); err != nil {
		return err
	}
	if t.Name == "" && len(t.Tags) == 0 {
		if err := os.Remove(tagsPath(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the tags of the session, which stay as they were: %w", err)
		}
		return nil
	}
	text, err := json.Marshal(t)
	if err == nil {
		err = writeWhole(tagsPath(path), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write the tags of the session, which stay as they were: %w", err)
	}
	return nil
}

// normalize checks a name and tags, and sorts the tags.
func (t *Tags) normalize() error {
	t.Name = strings.TrimSpace(t.Name)
	switch {
	case utf8.RuneCountInString(t.Name) > MaxName:
		return fmt.Errorf("a name has at most %d characters, and this one has %d", MaxName, utf8.RuneCountInString(t.Name))
	case plain.Line(t.Name) != t.Name:
		return errors.New("a name has no line breaks and no hidden characters")
	case len(t.Tags) > MaxTags:
		return fmt.Errorf("a session has at most %d tags, and these are %d", MaxTags, len(t.Tags))
	}
	for _, tag := range t.Tags {
		if err := CheckTag(tag); err != nil {
			return err
		}
	}
	t.Tags = slices.Compact(slices.Sorted(slices.Values(t.Tags)))
	return nil
}

// CheckTag refuses a text that is not a tag: 1 to MaxTag characters, without spaces, commas and hidden characters, that
// do not begin with + or -.
func CheckTag(tag string) error {
	switch {
	case tag == "":
		return errors.New("a tag is empty")
	case utf8.RuneCountInString(tag) > MaxTag:
		return fmt.Errorf("a tag has at most %d characters: %s", MaxTag, plain.Clip(plain.Line(tag), MaxTag))
	case strings.ContainsFunc(tag, unicode.IsSpace) || strings.Contains(tag, ",") || plain.Line(tag) != tag:
		return fmt.Errorf("a tag has no spaces, commas and hidden characters: %q", plain.Line(tag))
	case tag[0] == '-' || tag[0] == '+':
		return fmt.Errorf("a tag does not begin with + or -: %s", tag)
	}
	return nil
}
