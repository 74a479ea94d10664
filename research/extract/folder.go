package extract

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// looksText is how much of a file is looked at to tell whether it is text, in bytes.
const looksText = 8 << 10

// Folder makes facts of the lines of all text files of a folder, recursively, in the order of their paths, which name
// them. Names that begin with a dot are ignored; other files that are not text are reported to skipped. Links out of
// the folder are not followed.
func Folder(folder string, take func(Source) error, skipped func(name, why string)) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("open the folder: %w", err)
	}
	defer root.Close() //nolint:errcheck // it was only read
	files := root.FS()
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(path.Base(name), ".") && name != "."
		switch {
		case err != nil && (name == "." || entry == nil):
			return err
		case err != nil:
			skipped(name, err.Error())
			return fs.SkipDir
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			skipped(name, "it is no file")
			return nil
		}
		return folderFile(files, name, take, skipped)
	})
	if err != nil {
		return fmt.Errorf("read the folder: %w", err)
	}
	return nil
}

// folderFile hands on one file, if it is text.
func folderFile(files fs.FS, name string, take func(Source) error, skipped func(name, why string)) error {
	file, err := files.Open(name)
	if err != nil {
		skipped(name, err.Error())
		return nil
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err != nil {
		skipped(name, err.Error())
		return nil
	}
	buffer := bufio.NewReaderSize(file, looksText)
	head, err := buffer.Peek(looksText)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		skipped(name, err.Error())
		return nil
	case bytes.IndexByte(head, 0) >= 0:
		skipped(name, "it is no text")
		return nil
	}
	return take(Source{Name: name, From: buffer, Modified: info.ModTime()})
}
