package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moot/state"
	"moot/state/store"
	"moot/view"
)

const (
	defaultLimit = 50
	// maxRanked is the most places that are ranked, those of the sessions that were read last. A search with more matches
	// is of words that are everywhere.
	maxRanked = 20_000
)

// Open returns the index of the sessions in a folder. It opens no file until it is used.
func Open(dir string, rules ...state.Rules) *Index {
	return &Index{dir: dir, path: cachePath(dir), formats: rules}
}

// Path returns the file of the cache, which can be deleted at any time.
func (x *Index) Path() string { return x.path }

// Find brings the cache up to date and returns the best places with the words of a query. An error says that the query
// has too many words, the context ended, or neither the folder nor the cache can be read.
func (x *Index) Find(ctx context.Context, q Query) (Result, error) {
	list, err := terms(q.Words)
	if err != nil {
		return Result{}, err
	}
	if len(list) == 0 {
		return Result{NoWords: true}, nil
	}
	result, err := x.find(ctx, &q, list)
	if isDamaged(err) && ctx.Err() == nil {
		if err := x.rebuild(ctx); err != nil {
			return Result{}, err
		}
		result, err = x.find(ctx, &q, list)
		result.Rebuilt = true
	}
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

func (x *Index) find(ctx context.Context, q *Query, list []term) (result Result, err error) {
	files, err := sessionFiles(x.dir)
	if err != nil {
		return result, err
	}
	c, err := openCache(ctx, x.path)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	known, err := c.entries(ctx)
	if err != nil {
		return result, err
	}
	if changed, gone := outdated(files, known); len(changed)+len(gone) > 0 {
		result.Missing, err = x.update(ctx, c, q)
		if err != nil && (isDamaged(err) || ctx.Err() != nil) {
			return result, err
		}
		if err != nil {
			result.Problem = err.Error()
		}
		if known, err = c.entries(ctx); err != nil {
			return result, err
		}
	}
	there := map[string]bool{}
	for _, f := range files {
		there[f.id] = true
	}
	for id, e := range known {
		if e.unread && there[id] {
			result.Unread = append(result.Unread, id)
		}
	}
	slices.Sort(result.Unread)
	f := &finder{index: x, cache: c, query: q, terms: list, limit: cmp.Or(q.Limit, defaultLimit)}
	if f.conn, err = c.db.Conn(ctx); err != nil {
		return result, c.wrap("read", err)
	}
	defer func() { err = errors.Join(err, f.conn.Close()) }()
	// In a transaction, all statements see the same places, whatever other processes write.
	if _, err := f.conn.ExecContext(ctx, "BEGIN DEFERRED"); err != nil {
		return result, c.wrap("read", err)
	}
	err = f.run(ctx, &result, there)
	_, ended := f.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return result, errors.Join(err, ended)
}

// update reads what changed, unless another process does. It looks for it again once it holds the lock: the other process
// may be done.
func (x *Index) update(ctx context.Context, c *cache, q *Query) (missing int, err error) {
	unlock, err := x.lock()
	held := errors.As(err, new(*store.HeldError))
	if err != nil && !held {
		return 0, err
	}
	if !held {
		defer func() { err = errors.Join(err, unlock()) }()
	}
	files, err := sessionFiles(x.dir)
	if err != nil {
		return 0, err
	}
	known, err := c.entries(ctx)
	if err != nil {
		return 0, err
	}
	changed, gone := outdated(files, known)
	if held {
		return len(changed), nil
	}
	return x.fill(ctx, c, changed, gone, q)
}

// finder answers one query from the cache.
type finder struct {
	index *Index
	cache *cache
	conn  *sql.Conn
	query *Query
	terms []term
	limit int
	// sessions are those to search, by their numbers.
	sessions map[int64]*session
}

// session is a session of the cache.
type session struct {
	id, workspace, question string
	format                  state.Format
	// idle is the status if no process runs the session.
	status, idle store.Status
	updated      int64
	hits                    int
}

// candidate is a place that matches.
type candidate struct {
	row   int64
	score float64
}

func (f *finder) run(ctx context.Context, result *Result, there map[string]bool) error {
	if err := f.load(ctx, there); err != nil {
		return err
	}
	result.Searched = len(f.sessions)
	all, capped, err := f.candidates(ctx, matchAll(f.terms, " AND "), "")
	if err != nil {
		return err
	}
	chosen, more := f.choose(all)
	partialFrom := len(chosen)
	if len(chosen) < f.limit && len(f.terms) > 1 && !capped {
		apart, err := f.apart(ctx, all)
		if err != nil {
			return err
		}
		rest, cut := f.choose(apart)
		chosen, more = append(chosen, rest...), more || cut
		if len(chosen) > f.limit {
			chosen, more = chosen[:f.limit], true
		}
	}
	result.More = more || capped
	for i, one := range chosen {
		hit, err := f.hit(ctx, one)
		if err != nil {
			return err
		}
		hit.Partial = i >= partialFrom
		result.Hits = append(result.Hits, hit)
	}
	return nil
}

// load reads the sessions that the query allows.
func (f *finder) load(ctx context.Context, there map[string]bool) error {
	q := f.query
	rows, err := f.conn.QueryContext(ctx, `SELECT no, id, format, status, idle, updated, workspace, question FROM sessions
		WHERE (?1 = '' OR format = ?1) AND updated >= ?2`, string(q.Format), since(q.Since))
	if err != nil {
		return f.cache.wrap("read", err)
	}
	defer rows.Close()
	f.sessions = map[int64]*session{}
	for rows.Next() {
		var no int64
		s := &session{}
		err := rows.Scan(&no, &s.id, &s.format, &s.status, &s.idle, &s.updated, &s.workspace, &s.question)
		if err != nil {
			return f.cache.wrap("read", errors.Join(errOdd, err))
		}
		if !there[s.id] || q.Sessions != nil && !slices.Contains(q.Sessions, s.id) || !about(s.workspace, q.Repository) {
			continue
		}
		if q.Status == "" || q.Status == f.index.status(s) {
			f.sessions[no] = s
		}
	}
	return f.cache.wrap("read", rows.Err())
}

// status returns the status of a session. If the file leaves it open, it asks whether a process has the session open.
func (x *Index) status(s *session) store.Status {
	if s.idle != s.status {
		if path, err := store.Path(x.dir, s.id); err != nil || !store.Held(path) {
			s.status = s.idle
		}
		s.idle = s.status
	}
	return s.status
}

func since(t time.Time) int64 {
	if t.IsZero() {
		return -1 << 63
	}
	return t.UnixNano()
}

// about reports whether a workspace is the repository that a query names, or below it.
func about(workspace, repository string) bool {
	switch {
	case repository == "":
		return true
	case workspace == "":
		return false
	case filepath.IsAbs(repository):
		inside, err := filepath.Rel(filepath.Clean(repository), workspace)
		return err == nil && (inside == "." || filepath.IsLocal(inside))
	}
	return strings.EqualFold(filepath.Base(workspace), repository)
}

// candidates returns the places that match an expression, with their scores; the lowest is the best. capped says that
// there are more than are ranked.
func (f *finder) candidates(ctx context.Context, match, session string) (list []candidate, capped bool, err error) {
	statement := `SELECT rowid, bm25(words) FROM words WHERE words MATCH ?1` + session + ` ORDER BY rowid DESC LIMIT ?2`
	args := []any{match, maxRanked + 1}
	if f.query.Bucket != "" {
		statement = `SELECT words.rowid, bm25(words) FROM words JOIN places ON places.row = words.rowid
			WHERE words MATCH ?1 AND places.bucket = ?3` + session + ` ORDER BY words.rowid DESC LIMIT ?2`
		args = append(args, string(f.query.Bucket))
	}
	rows, err := f.conn.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, false, f.cache.wrap("search", err)
	}
	defer rows.Close()
	read := 0
	for rows.Next() {
		var c candidate
		if err := rows.Scan(&c.row, &c.score); err != nil {
			return nil, false, f.cache.wrap("search", errors.Join(errOdd, err))
		}
		if read++; read > maxRanked {
			return list, true, nil
		}
		if f.sessions[sessionOf(c.row)] != nil {
			c.score *= weight(rankOf(c.row))
			list = append(list, c)
		}
	}
	return list, false, f.cache.wrap("search", rows.Err())
}

// weight is how much a match counts in places of a rank.
func weight(rank view.PlaceRank) float64 {
	switch rank {
	case view.RankQuestion:
		return 2
	case view.RankClaim:
		return 1.5
	case view.RankArgument:
		return 1
	case view.RankMaterial:
		return 0.5
	}
	return 1
}

// choose returns the best candidates: those with the best scores, of equal ones the newest. more says that there are
// others.
func (f *finder) choose(list []candidate) (chosen []candidate, more bool) {
	updated := func(c candidate) int64 { return f.sessions[sessionOf(c.row)].updated }
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(updated(b), updated(a)), cmp.Compare(a.row, b.row))
	})
	for _, c := range list {
		s := f.sessions[sessionOf(c.row)]
		if f.query.PerSession > 0 && s.hits >= f.query.PerSession {
			more = true
			continue
		}
		if len(chosen) == f.limit {
			return chosen, true
		}
		s.hits++
		chosen = append(chosen, c)
	}
	return chosen, more
}

// apart returns the best place of each session that has all words, but no place with all of them.
func (f *finder) apart(ctx context.Context, together []candidate) ([]candidate, error) {
	left := map[int64]int{}
	for n := range f.terms {
		err := f.sessionsWith(ctx, f.terms[n].match(), func(no int64) {
			if left[no] == n {
				left[no] = n + 1
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for _, c := range together {
		delete(left, sessionOf(c.row))
	}
	var best []candidate
	for no, n := range left {
		if n < len(f.terms) {
			continue
		}
		between := fmt.Sprintf(" AND words.rowid BETWEEN %d AND %d", no<<sessionShift, (no+1)<<sessionShift-1)
		list, _, err := f.candidates(ctx, matchAll(f.terms, " OR "), between)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			best = append(best, slices.MinFunc(list, func(a, b candidate) int {
				return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.row, b.row))
			}))
		}
	}
	return best, nil
}

// sessionsWith passes the numbers of the sessions that have a word, each at least once.
func (f *finder) sessionsWith(ctx context.Context, match string, use func(no int64)) error {
	statement := "SELECT rowid FROM words WHERE words MATCH ?1"
	args := []any{match}
	if f.query.Bucket != "" {
		statement = `SELECT words.rowid FROM words JOIN places ON places.row = words.rowid WHERE words MATCH ?1
			AND places.bucket = ?2`
		args = append(args, string(f.query.Bucket))
	}
	rows, err := f.conn.QueryContext(ctx, statement, args...)
	if err != nil {
		return f.cache.wrap("search", err)
	}
	defer rows.Close()
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return f.cache.wrap("search", errors.Join(errOdd, err))
		}
		if no := sessionOf(row); f.sessions[no] != nil {
			use(no)
		}
	}
	return f.cache.wrap("search", rows.Err())
}

// hit reads a place.
func (f *finder) hit(ctx context.Context, c candidate) (Hit, error) {
	s := f.sessions[sessionOf(c.row)]
	h := Hit{
		Session: s.id, Question: s.question, Workspace: s.workspace, Format: s.format, Status: f.index.status(s),
		UpdatedAt: time.Unix(0, s.updated).UTC(),
	}
	var text string
	err := f.conn.QueryRowContext(ctx, "SELECT bucket, place, kind, point, text FROM places WHERE row = ?", c.row).
		Scan(&h.Bucket, &h.Place, &h.Kind, &h.Point, &text)
	if err != nil {
		return h, f.cache.wrap("read", errors.Join(errOdd, err))
	}
	h.Snippet, h.Marks = snippet(text, f.terms)
	return h, nil
}
