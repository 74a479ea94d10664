package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"math"
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
	maxRanked = 5_000
	// maxApart is the most places of a word that are read to find sessions that have all words, and maxLooked is how often
	// a more frequent word is looked for in one of them.
	maxApart  = 10_000
	maxLooked = 500
)

// Open returns the index of the sessions in a folder. It opens no file until it is used.
func Open(dir string, rules ...state.Rules) *Index {
	return &Index{dir: dir, path: cachePath(dir), formats: rules, apart: maxApart}
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
		damaged := !errors.Is(err, errCharacters)
		if err := x.rebuild(ctx); err != nil {
			return Result{}, err
		}
		result, err = x.find(ctx, &q, list)
		result.Rebuilt = damaged
	}
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

func (x *Index) find(ctx context.Context, q *Query, list []term) (result Result, err error) {
	// The folder and the cache are read at the same time.
	type listing struct {
		files []file
		err   error
	}
	listed := make(chan listing, 1)
	go func() {
		files, err := sessionFiles(x.dir)
		listed <- listing{files, err}
	}()
	c, err := x.openCache(ctx)
	var known map[string]entry
	if err == nil {
		defer func() { err = errors.Join(err, c.close()) }()
		known, err = c.entries(ctx)
	}
	folder := <-listed
	if len(folder.files) == 0 && folder.err == nil && errors.Is(err, fs.ErrNotExist) {
		// There is no state folder yet.
		return result, nil
	}
	if err := cmp.Or(folder.err, err); err != nil {
		return result, err
	}
	if changed, gone := outdated(folder.files, known); len(changed)+len(gone) > 0 {
		if known, result.Missing, err = x.update(ctx, c, folder.files, q); known == nil {
			return result, err
		}
		if err != nil {
			result.Problem = err.Error()
		}
		// Sessions that were removed are hidden even if the cache could not be written.
		for _, id := range gone {
			delete(known, id)
		}
	}
	for id, e := range known {
		if e.unread {
			result.Unread = append(result.Unread, id)
		}
	}
	slices.Sort(result.Unread)
	f := &finder{index: x, query: q, terms: list, limit: cmp.Or(q.Limit, defaultLimit)}
	if f.conn, err = c.db.Conn(ctx); err != nil {
		return result, c.wrap("read", err)
	}
	defer func() { err = errors.Join(err, f.conn.Close()) }()
	// In a transaction, all statements see the same places, whatever other processes write.
	if _, err := f.conn.ExecContext(ctx, "BEGIN DEFERRED"); err != nil {
		return result, c.wrap("read", err)
	}
	err = c.wrap("search", f.run(ctx, &result, known))
	_, ended := f.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return result, errors.Join(err, ended)
}

// update reads what changed, unless another process does, and returns the sessions of the cache after that. They are nil
// if the search cannot go on.
func (x *Index) update(
	ctx context.Context, c *cache, files []file, q *Query,
) (known map[string]entry, missing int, err error) {
	unlock, err := x.lock()
	held := errors.As(err, new(*store.HeldError))
	locked := err
	if err == nil {
		defer func() { err = errors.Join(err, unlock()) }()
	}
	// The other process may be done since the cache was read.
	if known, err = c.entries(ctx); err != nil {
		return nil, 0, err
	}
	changed, gone := outdated(files, known)
	switch {
	case held:
		return known, len(changed), nil
	case locked != nil:
		return known, len(changed), locked
	}
	missing, err = x.fill(ctx, c, known, changed, gone, q)
	if err != nil && (isDamaged(err) || ctx.Err() != nil) {
		return nil, missing, err
	}
	return known, missing, err
}

// finder answers one query from the cache.
type finder struct {
	index *Index
	conn  *sql.Conn
	query *Query
	terms []term
	limit int
	// sessions are those to search, by their numbers.
	sessions map[int64]*session
}

// session is a session of the cache.
type session struct {
	entry
	sessionInfo
	// hits are how many of its places were chosen.
	hits int
}

// sessionInfo describes the session of a hit. Only the sessions that are shown or filtered are read.
type sessionInfo struct {
	read                bool
	workspace, question string
	format              state.Format
	// idle is the status if no process runs the session.
	status, idle store.Status
}

// candidate is a place that matches.
type candidate struct {
	row   int64
	score float64
}

func (f *finder) run(ctx context.Context, result *Result, known map[string]entry) error {
	if err := f.load(ctx, known); err != nil {
		return err
	}
	result.Searched = len(f.sessions)
	operator := " AND "
	if f.query.Any {
		operator = " OR "
	}
	all, capped, err := f.candidates(ctx, matchAll(f.terms, operator), nil)
	if err != nil {
		return err
	}
	chosen, more := f.choose(all, f.limit)
	together := len(chosen)
	if together < f.limit && len(f.terms) > 1 && !capped && !f.query.Any {
		apart, others, err := f.apart(ctx, all)
		if err != nil {
			return err
		}
		rest, cut := f.choose(apart, f.limit-together)
		chosen, more = append(chosen, rest...), more || others || cut
	}
	result.More = more || capped
	for i, one := range chosen {
		hit, err := f.hit(ctx, one)
		if err != nil {
			return err
		}
		hit.Partial = i >= together
		result.Hits = append(result.Hits, hit)
	}
	return nil
}

// load chooses the sessions that the query allows.
func (f *finder) load(ctx context.Context, known map[string]entry) error {
	q := f.query
	f.sessions = make(map[int64]*session, len(known))
	only := map[string]bool{}
	for _, id := range q.Sessions {
		only[id] = true
	}
	for _, e := range known {
		if (q.Sessions == nil || only[e.id]) && (q.Since.IsZero() || e.updated >= q.Since.UnixMicro()) {
			f.sessions[e.no] = &session{entry: e}
		}
	}
	if q.Format == "" && q.Repository == "" && q.Workspace == "" && q.Status == "" {
		return nil
	}
	rows, err := f.conn.QueryContext(ctx, "SELECT no, format, status, idle, workspace, question FROM details")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var no int64
		var info sessionInfo
		if err := rows.Scan(&no, &info.format, &info.status, &info.idle, &info.workspace, &info.question); err != nil {
			return errors.Join(errOdd, err)
		}
		s := f.sessions[no]
		if s == nil {
			continue
		}
		s.sessionInfo = info
		s.read = true
		if q.Format != "" && q.Format != s.format || q.Workspace != "" && q.Workspace != s.workspace || !about(s.workspace, q.Repository) ||
			q.Status != "" && q.Status != f.index.status(s) {
			delete(f.sessions, no)
		}
	}
	return rows.Err()
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

// candidates returns the places that match an expression, in one session or in all, with their scores; the lowest is the
// best. capped says that there are more than are ranked.
func (f *finder) candidates(ctx context.Context, match string, of *session) (list []candidate, capped bool, err error) {
	from, to := int64(0), int64(math.MaxInt64)
	if of != nil {
		from, to = of.no<<sessionShift, (of.no+1)<<sessionShift-1
	}
	statement := `SELECT words.rowid, bm25(words) FROM words WHERE words MATCH ?1 AND words.rowid BETWEEN ?3 AND ?4
		ORDER BY words.rowid DESC LIMIT ?2`
	args := []any{match, maxRanked + 1, from, to}
	if f.query.Bucket != "" {
		statement = `SELECT words.rowid, bm25(words) FROM words JOIN places ON places.row = words.rowid
			WHERE words MATCH ?1 AND words.rowid BETWEEN ?3 AND ?4 AND places.bucket = ?5
			ORDER BY words.rowid DESC LIMIT ?2`
		args = append(args, string(f.query.Bucket))
	}
	rows, err := f.conn.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	read := 0
	for rows.Next() {
		var c candidate
		if err := rows.Scan(&c.row, &c.score); err != nil {
			return nil, false, errors.Join(errOdd, err)
		}
		if read++; read > maxRanked {
			return list, true, nil
		}
		if f.sessions[sessionOf(c.row)] != nil {
			c.score *= weight(rankOf(c.row))
			list = append(list, c)
		}
	}
	return list, false, rows.Err()
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
func (f *finder) choose(list []candidate, limit int) (chosen []candidate, more bool) {
	updated := func(c candidate) int64 { return f.sessions[sessionOf(c.row)].updated }
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(updated(b), updated(a)), cmp.Compare(a.row, b.row))
	})
	for _, c := range list {
		s := f.sessions[sessionOf(c.row)]
		if len(chosen) == limit || f.query.PerSession > 0 && s.hits >= f.query.PerSession {
			more = true
			continue
		}
		s.hits++
		chosen = append(chosen, c)
	}
	return chosen, more
}

// apart returns the best place of each session that has all words, but no place with all of them. more says that there
// may be others.
func (f *finder) apart(ctx context.Context, together []candidate) (best []candidate, more bool, err error) {
	have := map[int64]bool{}
	for _, c := range together {
		have[sessionOf(c.row)] = true
	}
	// A word that is everywhere has too many places to read: it is looked for in the sessions with the others.
	with, complete := make([]map[int64]bool, len(f.terms)), make([]bool, len(f.terms))
	for n := range f.terms {
		if with[n], complete[n], err = f.sessionsWith(ctx, f.terms[n].match()); err != nil {
			return nil, false, err
		}
	}
	rarest := 0
	for n := range with {
		if complete[n] && (!complete[rarest] || len(with[n]) < len(with[rarest])) {
			rarest = n
		}
	}
	var list []*session
	for no := range with[rarest] {
		if !have[no] {
			list = append(list, f.sessions[no])
		}
	}
	slices.SortFunc(list, func(a, b *session) int { return cmp.Or(cmp.Compare(b.updated, a.updated), cmp.Compare(a.no, b.no)) })
	more = !complete[rarest]
	looked := 0
	for _, s := range list {
		all := true
		for n := 0; n < len(with) && all; n++ {
			if all = with[n][s.no]; all || complete[n] {
				continue
			}
			looked++
			found, _, err := f.candidates(ctx, f.terms[n].match(), s)
			if err != nil {
				return nil, false, err
			}
			all = len(found) > 0
		}
		if !all {
			continue
		}
		if len(best) == f.limit || looked > maxLooked {
			return best, true, nil
		}
		found, _, err := f.candidates(ctx, matchAll(f.terms, " OR "), s)
		if err != nil {
			return nil, false, err
		}
		if len(found) > 0 {
			best = append(best, slices.MinFunc(found, func(a, b candidate) int {
				return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.row, b.row))
			}))
		}
	}
	return best, more, nil
}

// sessionsWith returns the sessions that have a word, and whether these are all.
func (f *finder) sessionsWith(ctx context.Context, match string) (found map[int64]bool, complete bool, err error) {
	statement := "SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid DESC LIMIT ?2"
	args := []any{match, f.index.apart + 1}
	if f.query.Bucket != "" {
		statement = `SELECT words.rowid FROM words JOIN places ON places.row = words.rowid
			WHERE words MATCH ?1 AND places.bucket = ?3 ORDER BY words.rowid DESC LIMIT ?2`
		args = append(args, string(f.query.Bucket))
	}
	rows, err := f.conn.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	found = map[int64]bool{}
	read := 0
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return nil, false, errors.Join(errOdd, err)
		}
		if read++; read > f.index.apart {
			return found, false, nil
		}
		if no := sessionOf(row); f.sessions[no] != nil {
			found[no] = true
		}
	}
	return found, true, rows.Err()
}

// hit reads a place.
func (f *finder) hit(ctx context.Context, c candidate) (Hit, error) {
	s := f.sessions[sessionOf(c.row)]
	if !s.read {
		err := f.conn.QueryRowContext(ctx, "SELECT format, status, idle, workspace, question FROM details WHERE no = ?", s.no).
			Scan(&s.format, &s.status, &s.idle, &s.workspace, &s.question)
		if err != nil {
			return Hit{}, errors.Join(errOdd, err)
		}
		s.read = true
	}
	h := Hit{
		Session: s.id, Question: s.question, Workspace: s.workspace, Format: s.format, Status: f.index.status(s),
		UpdatedAt: time.UnixMicro(s.updated).UTC(),
	}
	var text string
	err := f.conn.QueryRowContext(ctx, "SELECT bucket, place, kind, point, text FROM places WHERE row = ?", c.row).
		Scan(&h.Bucket, &h.Place, &h.Kind, &h.Point, &text)
	if err != nil {
		return h, errors.Join(errOdd, err)
	}
	h.Snippet, h.Marks = snippet(text, f.terms)
	return h, nil
}
