package search

import "runtime"

// DefaultMaxFileSize is the size in bytes above which a file is skipped.
const DefaultMaxFileSize = 1 << 20

type options struct {
	paths       []string
	maxFileSize int64
	workers     int
	progress    func(files int)
}

// An Option changes how an Index reads its workspace.
type Option func(*options)

// WithPaths restricts the search to these files and folders, given relative to
// the root (or absolute, but below it). A file that is named so is read
// even if a rule ignores it or its name is on the list of lock files.
func WithPaths(paths ...string) Option {
	return func(o *options) { o.paths = append(o.paths, paths...) }
}

// WithMaxFileSize skips files of more than n bytes; n below 1 means
// DefaultMaxFileSize.
func WithMaxFileSize(n int64) Option {
	return func(o *options) {
		if n > 0 {
			o.maxFileSize = n
		}
	}
}

// WithWorkers sets how many goroutines read side by side; n below 1 means
// GOMAXPROCS. The result does not depend on it.
func WithWorkers(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.workers = n
		}
	}
}

// WithProgress has f called now and then during a search with the number of
// files seen so far. The calls of one search do not overlap and their numbers
// grow; f must return soon, since readers wait for it.
func WithProgress(f func(files int)) Option {
	return func(o *options) { o.progress = f }
}

func newOptions(with []Option) options {
	o := options{maxFileSize: DefaultMaxFileSize, workers: runtime.GOMAXPROCS(0)}
	for _, set := range with {
		set(&o)
	}
	return o
}
