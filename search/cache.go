package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"moot/state/store"
)

// schemaVersion is in the name of the cache. It changes with the tables, the tokens and view.Places, so that an older and
// a newer moot do not read each other's cache.
const schemaVersion = 1

// schema makes the tables.
//
// The table of sessions is read by each search, so what is needed of few of them is in a table of its own. The row of a place is made by rowOf. The table of words has no copy of the text: it is deleted by the tokens, which are
// made again from the text of the place. With secure-delete, the index then has no trace of them.
const schema = `
CREATE TABLE sessions (
	no INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	size INTEGER NOT NULL,
	time INTEGER NOT NULL,
	tags INTEGER NOT NULL,
	unread INTEGER NOT NULL,
	updated INTEGER NOT NULL
);
CREATE TABLE details (
	no INTEGER PRIMARY KEY,
	format TEXT NOT NULL,
	status TEXT NOT NULL,
	idle TEXT NOT NULL,
	workspace TEXT NOT NULL,
	question TEXT NOT NULL
);
CREATE TABLE places (
	row INTEGER PRIMARY KEY,
	bucket TEXT NOT NULL,
	place TEXT NOT NULL,
	kind TEXT NOT NULL,
	point TEXT NOT NULL,
	text TEXT NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(parts, wholes, content='', tokenize='ascii');
INSERT INTO words(words, rank) VALUES('secure-delete', 1);
`

// Index is the cache of a folder of sessions. It may be used by several goroutines.
type Index struct {
	dir     string
	path    string
	formats formats
	// pages is the most pages of the cache; 0 means no limit. apart is maxApart, except in tests.
	pages, apart int
}

// cache is an open file of the cache.
type cache struct {
	db   *sql.DB
	path string
}

// cachePath returns the path of the cache for a folder of sessions.
func cachePath(dir string) string {
	return filepath.Join(filepath.Dir(dir), fmt.Sprintf("search-%d.sqlite", schemaVersion))
}

// openCache opens the cache, and makes a missing one. For a file that is not a cache, isDamaged is true of the error.
func (x *Index) openCache(ctx context.Context) (*cache, error) {
	path := x.path
	// SQLite gives its other files the mode of this one. A file that is there is not opened: closing it would release the
	// locks of other connections of this process.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make the search cache: %w; %s", err, hintWritable)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the search cache %s is not a regular file; delete it, the sessions are unchanged", path)
	}
	c := &cache{path: path}
	if c.db, err = sql.Open("sqlite", x.dataSource()); err != nil {
		return nil, fmt.Errorf("open the search cache %s: %w", path, err)
	}
	// SQLite does not wait while another connection turns the log of a new file on, or off again as the last one.
	err = c.prepare(ctx)
	for giveUp := time.Now().Add(busyTime); isBusy(err) && time.Now().Before(giveUp) && ctx.Err() == nil; err = c.prepare(ctx) {
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		return nil, errors.Join(err, c.db.Close())
	}
	return c, nil
}

// busyTime is how long another connection is waited for.
const busyTime = 5 * time.Second

// isBusy reports whether another connection has the file locked.
func isBusy(err error) bool {
	failure, ok := errors.AsType[*sqlite.Error](err)
	return ok && failure.Code()&0xff == sqlite3.SQLITE_BUSY
}

// dataSource returns the name by which SQLite opens the file.
func (x *Index) dataSource() string {
	slashed := filepath.ToSlash(x.path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTime.Milliseconds()), "journal_mode(WAL)", "synchronous(NORMAL)", "secure_delete(ON)", "trusted_schema(OFF)",
		"cache_size(-16000)",
	}}
	if x.pages > 0 {
		options.Add("_pragma", fmt.Sprintf("max_page_count(%d)", x.pages))
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath() + "?" + options.Encode()
}

var (
	// errNoCache says that a file is a database, but not one of ours.
	errNoCache = errors.New("it is not a search cache")
	// errCharacters says that the tokens of a cache were made with other tables of characters, so that those of the same
	// text are not found and cannot be deleted.
	errCharacters = errors.New("it was made with another version of Unicode")
)

// characters identifies the tables of characters that tokens are made with.
func characters() int32 {
	return int32(crc32.ChecksumIEEE([]byte(unicode.Version+" "+norm.Version)) >> 1)
}

// prepare makes the tables in an empty file, and checks that another one has them.
func (c *cache) prepare(ctx context.Context) error {
	var version int
	var made int32
	err := c.db.QueryRowContext(ctx, "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id").
		Scan(&version, &made)
	switch {
	case err != nil:
		return c.wrap("open", err)
	case version == schemaVersion && made == characters():
		return nil
	case version == schemaVersion:
		return c.wrap("open", errCharacters)
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return c.wrap("make", err)
	}
	// Another process may have made them since.
	var tables int
	err = tx.QueryRowContext(ctx, "SELECT (SELECT user_version FROM pragma_user_version), count(*) FROM sqlite_master").
		Scan(&version, &tables)
	switch {
	case err != nil || version == schemaVersion:
	case version != 0 || tables > 0:
		err = errNoCache
	default:
		_, err = tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d",
			schemaVersion, characters()))
	}
	if err != nil {
		return c.wrap("make", errors.Join(err, tx.Rollback()))
	}
	return c.wrap("make", tx.Commit())
}

// wrap says what was done with the cache.
func (c *cache) wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	hint := ""
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		switch failure.Code() & 0xff {
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
			hint = "; " + hintWritable
		case sqlite3.SQLITE_FULL:
			hint = "; free disk space, the sessions are unchanged"
		case sqlite3.SQLITE_BUSY:
			hint = "; another process is writing it, try again"
		}
	}
	return fmt.Errorf("%s the search cache %s: %w%s", what, c.path, err, hint)
}

// hintWritable says what to do if the cache cannot be written.
const hintWritable = "make its folder writable, or set " + store.StateVariable + " to another one; the sessions are unchanged"

// isDamaged reports whether an error says that the file of the cache is not what SQLite or moot wrote. A table that is
// missing is reported as a plain error of the statement.
func isDamaged(err error) bool {
	var failure *sqlite.Error
	if errors.Is(err, errNoCache) || errors.Is(err, errOdd) || errors.Is(err, errCharacters) {
		return true
	}
	if !errors.As(err, &failure) {
		return false
	}
	switch failure.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_CONSTRAINT,
		sqlite3.SQLITE_FORMAT:
		return true
	case sqlite3.SQLITE_ERROR:
		return strings.Contains(failure.Error(), "no such")
	}
	return false
}

// errOdd says that the cache holds what moot does not write.
var errOdd = errors.New("it holds what moot does not write")

// close closes the file. The last process that closes it moves the log into it.
func (c *cache) close() error { return c.wrap("close", c.db.Close()) }

// removeCache deletes a cache with its log.
func removeCache(path string) error {
	for _, name := range []string{path + "-wal", path + "-shm", path} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete the search cache (it can be deleted at any time): %w", err)
		}
	}
	return nil
}

// removeOthers deletes the caches of other versions of moot, which nothing else would keep up to date.
func (x *Index) removeOthers() error {
	names, err := filepath.Glob(filepath.Join(globEscape(filepath.Dir(x.path)), "search-*.sqlite"))
	if err != nil {
		return fmt.Errorf("look for search caches of other versions: %w", err)
	}
	for _, name := range names {
		if name != x.path {
			err = errors.Join(err, removeCache(name))
		}
	}
	return err
}

// globEscape returns a path that filepath.Glob takes literally.
func globEscape(path string) string {
	if filepath.Separator == '\\' {
		return path // Nothing is escaped there.
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// lock lets one process at a time read sessions into the cache. If another one does, the error is a *store.HeldError.
func (x *Index) lock() (unlock func() error, err error) { return lockFile(x.beside(".lock")) }

// beside returns the path of a file beside the cache.
func (x *Index) beside(extension string) string {
	return strings.TrimSuffix(x.path, ".sqlite") + extension
}

func lockFile(path string) (unlock func() error, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("lock the search cache: %w", err)
	}
	return store.Lock(path)
}

// SQLite gives the cache to any process that asks when it is free, and one that reads many sessions asks again at once.
// So a process that forgets a session takes its turn: it locks another file, for which the first one waits.
const turn = ".turn"

// waitForTurn waits while another process forgets a session.
func (x *Index) waitForTurn(ctx context.Context) {
	path := x.beside(turn)
	if _, err := os.Stat(path); err != nil {
		return
	}
	for deadline := time.Now().Add(2 * forgetTime); ctx.Err() == nil && store.Held(path) && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
}

// takeTurn waits until this process may forget a session.
func (x *Index) takeTurn() (end func() error, err error) {
	for deadline := time.Now().Add(forgetTime); ; {
		end, err = lockFile(x.beside(turn))
		if !errors.As(err, new(*store.HeldError)) || time.Now().After(deadline) {
			return end, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// lockWait is how long a process waits for another one that reads sessions into a damaged cache, and forgetTime how long
// it waits for those that use the log.
const (
	lockWait   = 5 * time.Second
	forgetTime = 5 * time.Second
)

// rebuild deletes a damaged cache. The next use makes it again.
func (x *Index) rebuild(ctx context.Context) error {
	deadline := time.Now().Add(lockWait)
	for {
		unlock, err := x.lock()
		if err == nil {
			return errors.Join(removeCache(x.path), unlock())
		}
		if !errors.As(err, new(*store.HeldError)) {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the search cache %s is damaged and another process uses it; end that, or delete the file",
				x.path)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Forget takes the text of a session out of the cache and its log, also out of caches of other versions of moot. It does
// not create a cache. The session file must be gone before, or the next search reads it again.
func (x *Index) Forget(id string) error {
	if err := x.removeOthers(); err != nil {
		return err
	}
	if _, err := os.Stat(x.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	err := x.forget(context.Background(), id)
	if isDamaged(err) {
		return x.rebuild(context.Background())
	}
	return err
}

func (x *Index) forget(ctx context.Context, id string) (err error) {
	end, err := x.takeTurn()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	c, err := x.openCache(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return c.wrap("write", err)
	}
	if err := remove(ctx, tx, id); err != nil {
		return c.wrap("write", errors.Join(err, tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return c.wrap("write", err)
	}
	return c.emptyLog(ctx)
}

// emptyLog moves the log into the cache and empties it, as soon as no other process reads from it.
func (c *cache) emptyLog(ctx context.Context) error {
	for deadline := time.Now().Add(forgetTime); ; {
		var busy, frames, moved int
		err := c.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
		if err == nil && busy == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return c.wrap("write", errors.Join(err, errors.New("another process is reading it, so the text is taken out of "+
				"the index, but not of its log; delete the file and its -wal")))
		}
		time.Sleep(20 * time.Millisecond)
	}
}
