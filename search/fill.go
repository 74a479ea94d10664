package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"moot/resolver"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

type formats []state.Rules

const (
	// maxSession is the most bytes of text that are searched of one session. What comes later is not found.
	maxSession = 16 << 20
	// batchTime is how long sessions are written before others see them.
	batchTime = 250 * time.Millisecond
)

// The row of a place has the number of its session, its rank and its number in the session, in this order from the
// highest bits.
const (
	sessionShift = 20
	rankShift    = 18
	maxPlaces    = 1 << rankShift
)

func rowOf(session int64, rank view.PlaceRank, number int) int64 {
	return session<<sessionShift | int64(rank)<<rankShift | int64(number)
}

func sessionOf(row int64) int64 { return row >> sessionShift }

func rankOf(row int64) view.PlaceRank { return view.PlaceRank(row >> rankShift & 3) }

// file is a session file. tags is 0 without a file with the name and the tags of the session. Otherwise it changes with
// its time and size.
type file struct {
	id               string
	size, time, tags int64
}

// entry is a session in the cache.
type entry struct {
	file
	no      int64
	unread  bool
	updated int64
}

// sessionFiles returns the session files of a folder. A folder that is missing has none.
func sessionFiles(dir string) ([]file, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the sessions folder: %w", err)
	}
	files, tags := make([]file, 0, len(entries)), map[string]int64{}
	for _, e := range entries {
		if id, hasTags := strings.CutSuffix(e.Name(), ".tags.json"); hasTags {
			if info, err := e.Info(); err == nil {
				tags[id] = max(1, info.ModTime().UnixNano()+info.Size())
			}
			continue
		}
		id, isSession := strings.CutSuffix(e.Name(), ".jsonl")
		if !isSession || store.CheckID(id) != nil {
			continue
		}
		info, err := e.Info()
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			info, err = os.Stat(filepath.Join(dir, e.Name()))
		}
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			files = append(files, file{id: id, size: info.Size(), time: info.ModTime().UnixNano()})
		}
	}
	for i := range files {
		files[i].tags = tags[files[i].id]
	}
	return files, nil
}

// entries returns the sessions of the cache by their IDs.
func (c *cache) entries(ctx context.Context) (map[string]entry, error) {
	rows, err := c.db.QueryContext(ctx, "SELECT no, id, size, time, tags, unread, updated FROM sessions")
	if err != nil {
		return nil, c.wrap("read", err)
	}
	defer rows.Close()
	known := map[string]entry{}
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.no, &e.id, &e.size, &e.time, &e.tags, &e.unread, &e.updated); err != nil {
			return nil, c.wrap("read", errors.Join(errOdd, err))
		}
		known[e.id] = e
	}
	return known, c.wrap("read", rows.Err())
}

// outdated compares the folder with the cache: files to read, the latest first, and IDs of sessions that are gone.
func outdated(files []file, known map[string]entry) (changed []file, gone []string) {
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.id] = true
		if e, ok := known[f.id]; !ok || e.file != f {
			changed = append(changed, f)
		}
	}
	for id := range known {
		if !there[id] {
			gone = append(gone, id)
		}
	}
	slices.SortFunc(changed, func(a, b file) int { return int(min(1, max(-1, b.time-a.time))) })
	return changed, gone
}

// reading is a session that was read.
type reading struct {
	file
	// no is its number if it has none yet.
	no      int64
	unread  bool
	summary store.Summary
	// idle is the status if no process runs the session.
	idle   store.Status
	places []place
}

// place is a place with its tokens.
type place struct {
	view.Place
	parts, wholes string
}

// tokens are the columns of a text in the table of words.
func tokens(text string) (parts, wholes string) {
	var p, w strings.Builder
	tokenize(text, func(t token) {
		column := &p
		if t.whole {
			column = &w
		}
		if column.Len() > 0 {
			column.WriteByte(' ')
		}
		column.WriteString(t.text)
	})
	return p.String(), w.String()
}

// read reads a session up to its end, or to the first damage. A session that nobody wrote with moot may break its rules in
// a way that they do not expect; that must not end the search of all others.
func read(dir string, f file, rules formats) (r reading) {
	defer func() {
		if fault := recover(); fault != nil {
			r.unread, r.summary.Broken = true, fmt.Sprint(fault)
			r.idle, r.places = r.summary.Status(), nil
		}
	}()
	r = reading{file: f, summary: store.Summary{ID: f.id, OpenedAt: time.Unix(0, f.time), UpdatedAt: time.Unix(0, f.time)}}
	opened, err := store.Read(filepath.Join(dir, f.id+".jsonl"), rules...)
	s := &state.State{}
	if len(opened.Events) > 0 {
		var whole error
		s, whole = replay(opened.Events)
		err = errors.Join(err, whole)
	}
	if err != nil {
		r.unread, r.summary.Broken = true, err.Error()
	}
	if s.ID == "" {
		r.idle = r.summary.Status()
		return r
	}
	sum := &r.summary
	sum.Question, sum.Format, sum.Workspace = s.Question, s.Settings.Format, s.Settings.Workspace
	sum.Closed, sum.Inconclusive, sum.Exit, sum.Paused = s.Closed, s.Inconclusive, s.Exit, s.Paused
	sum.Fork, sum.UpdatedAt = s.Fork, s.At
	if s.Fork.At.After(s.At) {
		sum.UpdatedAt = s.Fork.At
	}
	idle := *sum
	idle.CutOff = !idle.Closed && idle.Paused == state.PauseNone
	r.idle = idle.Status()
	room := maxSession
	for _, p := range append(named(dir, f), view.Places(s, resolver.Rule(s))...) {
		if room -= len(p.Text); room < 0 || len(r.places) == maxPlaces {
			break
		}
		one := place{Place: p}
		one.parts, one.wholes = tokens(p.Text)
		if one.parts != "" {
			r.places = append(r.places, one)
		}
	}
	return r
}

// named returns the name and the tags that the user gave a session. A file of them that is damaged does not damage the
// session.
func named(dir string, f file) []view.Place {
	if f.tags == 0 {
		return nil
	}
	tags, _ := store.ReadTags(filepath.Join(dir, f.id+".jsonl"))
	return []view.Place{
		{Kind: "name", Rank: view.RankQuestion, Text: tags.Name},
		{Kind: "tags", Rank: view.RankClaim, Text: strings.Join(tags.Tags, " ")},
	}
}

// replay folds events up to the first that does not fit.
func replay(events []state.Event) (*state.State, error) {
	s, err := state.Replay(events)
	if err == nil {
		return s, nil
	}
	s = &state.State{}
	for i := range events {
		if s, err = state.Apply(s, events[i]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// fill reads the files that changed into the cache, and takes out the sessions that are gone. The caller holds the lock.
// It returns how many it did not get to, and changes the known sessions to those that the cache has.
func (x *Index) fill(
	ctx context.Context, c *cache, known map[string]entry, changed []file, gone []string, q *Query,
) (missing int, err error) {
	until := time.Time{}
	if q.Patience > 0 {
		until = time.Now().Add(q.Patience)
	}
	var last int64
	if err := c.db.QueryRowContext(ctx, "SELECT coalesce(max(no), 0) FROM sessions").Scan(&last); err != nil {
		return len(changed), c.wrap("read", err)
	}
	reading, stop := context.WithCancel(ctx)
	readings, wait := x.readAll(reading, changed, last)
	defer func() { stop(); wait() }()
	done := 0
	for done < len(changed) || len(gone) > 0 {
		if err := ctx.Err(); err != nil {
			return len(changed) - done, context.Cause(ctx)
		}
		if done > 0 && !until.IsZero() && time.Now().After(until) {
			return len(changed) - done, nil
		}
		x.waitForTurn(ctx)
		tx, err := c.db.BeginTx(ctx, nil)
		if err != nil {
			return len(changed) - done, c.wrap("write", err)
		}
		var written []entry
		for _, id := range gone {
			if err == nil {
				err = remove(ctx, tx, id)
			}
		}
		for begun := time.Now(); err == nil && done+len(written) < len(changed) && time.Since(begun) < batchTime; {
			r, ok := <-readings
			if !ok {
				err = context.Cause(ctx)
				break
			}
			var no int64
			no, err = x.write(ctx, tx, &r)
			written = append(written, entry{
				file: r.file, no: no, unread: r.unread, updated: r.summary.UpdatedAt.UnixMicro(),
			})
		}
		if err != nil {
			return len(changed) - done, c.wrap("write", errors.Join(err, tx.Rollback()))
		}
		if err := tx.Commit(); err != nil {
			return len(changed) - done, c.wrap("write", err)
		}
		for _, id := range gone {
			delete(known, id)
		}
		for _, e := range written {
			if known[e.id] = e; e.no == 0 {
				delete(known, e.id)
			}
		}
		done += len(written)
		gone = nil
		if q.Progress != nil && len(changed) > 0 {
			q.Progress(done, len(changed))
		}
	}
	return 0, nil
}

// readAll reads files with all processors. They get the numbers after last, the first file the highest: later sessions
// have higher numbers. The channel is closed at the end, or when the context ends.
func (x *Index) readAll(ctx context.Context, files []file, last int64) (readings <-chan reading, wait func()) {
	out := make(chan reading)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := range next {
				r := read(x.dir, files[i], x.formats)
				r.no = last + int64(len(files)-i)
				select {
				case out <- r:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	var all sync.WaitGroup
	all.Go(func() {
		defer close(out)
		defer workers.Wait()
		defer close(next)
		for i := range files {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	return out, all.Wait
}

// write puts a session into the cache and returns its number, or 0 if it was deleted meanwhile. Places that are there
// already stay.
func (x *Index) write(ctx context.Context, tx *sql.Tx, r *reading) (no int64, err error) {
	if _, err := os.Stat(filepath.Join(x.dir, r.id+".jsonl")); errors.Is(err, fs.ErrNotExist) {
		return 0, remove(ctx, tx, r.id)
	}
	s := &r.summary
	err = tx.QueryRowContext(ctx, `INSERT INTO sessions (no, id, size, time, tags, unread, updated)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET size = excluded.size, time = excluded.time, tags = excluded.tags, unread = excluded.unread,
		updated = excluded.updated RETURNING no`,
		r.no, r.id, r.size, r.time, r.tags, r.unread, s.UpdatedAt.UnixMicro()).Scan(&no)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO details (no, format, status, idle, workspace, question)
		VALUES (?, ?, ?, ?, ?, ?)`,
		no, string(s.Format), string(s.Status()), string(r.idle), s.Workspace, cutText(s.Question))
	if err != nil {
		return 0, err
	}
	old, err := placesOf(ctx, tx, no)
	if err != nil {
		return 0, err
	}
	insertPlace, err := tx.PrepareContext(ctx,
		"INSERT INTO places (row, bucket, place, kind, point, text) VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		return 0, err
	}
	defer insertPlace.Close()
	insertWords, err := tx.PrepareContext(ctx, "INSERT INTO words (rowid, parts, wholes) VALUES (?, ?, ?)")
	if err != nil {
		return 0, err
	}
	defer insertWords.Close()
	next := 0
	rows := map[stored]int64{}
	for row, p := range old {
		rows[p] = row
		next = max(next, int(row&(maxPlaces-1))+1)
	}
	if next+len(r.places) > maxPlaces {
		// It changed so often that the numbers run out.
		if err := removePlaces(ctx, tx, old); err != nil {
			return 0, err
		}
		next, rows, old = 0, nil, nil
	}
	for i := range r.places {
		p := &r.places[i]
		if row, ok := rows[stored{p.Rank, p.ID, p.Kind, p.Text}]; ok {
			delete(old, row)
			_, err := tx.ExecContext(ctx, "UPDATE places SET bucket = ?, point = ? WHERE row = ? AND (bucket <> ? OR point <> ?)",
				string(p.Bucket), p.Point, row, string(p.Bucket), p.Point)
			if err != nil {
				return 0, err
			}
			continue
		}
		row := rowOf(no, p.Rank, next)
		next++
		if _, err := insertPlace.ExecContext(ctx, row, string(p.Bucket), p.ID, p.Kind, p.Point, p.Text); err != nil {
			return 0, err
		}
		if _, err := insertWords.ExecContext(ctx, row, p.parts, p.wholes); err != nil {
			return 0, err
		}
	}
	return no, removePlaces(ctx, tx, old)
}

// cutText cuts a text to the part that a list shows.
func cutText(text string) string {
	const most = 4 << 10
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// stored is a place as it is in the cache.
type stored struct {
	rank              view.PlaceRank
	place, kind, text string
}

// placesOf returns the places of a session by their rows.
func placesOf(ctx context.Context, tx *sql.Tx, no int64) (map[int64]stored, error) {
	rows, err := tx.QueryContext(ctx, "SELECT row, place, kind, text FROM places WHERE row >= ? AND row < ?",
		no<<sessionShift, (no+1)<<sessionShift)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	old := map[int64]stored{}
	for rows.Next() {
		var row int64
		var p stored
		if err := rows.Scan(&row, &p.place, &p.kind, &p.text); err != nil {
			return nil, errors.Join(errOdd, err)
		}
		p.rank = rankOf(row)
		old[row] = p
	}
	return old, rows.Err()
}

// removePlaces takes places out of both tables.
func removePlaces(ctx context.Context, tx *sql.Tx, old map[int64]stored) error {
	for row, p := range old {
		parts, wholes := tokens(p.text)
		if _, err := tx.ExecContext(ctx, "INSERT INTO words (words, rowid, parts, wholes) VALUES ('delete', ?, ?, ?)",
			row, parts, wholes); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM places WHERE row = ?", row); err != nil {
			return err
		}
	}
	return nil
}

// remove takes a session out.
func remove(ctx context.Context, tx *sql.Tx, id string) error {
	var no int64
	err := tx.QueryRowContext(ctx, "SELECT no FROM sessions WHERE id = ?", id).Scan(&no)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	old, err := placesOf(ctx, tx, no)
	if err == nil {
		err = removePlaces(ctx, tx, old)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM details WHERE no = ?1", no)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "DELETE FROM sessions WHERE no = ?1", no)
	}
	return err
}
