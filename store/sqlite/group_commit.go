package sqlite

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"
)

// maxGroup bounds how many changes share one transaction, so that the last of
// them does not wait for long.
const maxGroup = 256

// change is one caller's write. It waits in the line until somebody who has the
// writing connection takes it, with others, into one transaction.
type change struct {
	ctx  context.Context
	do   func(tx *conn) error
	err  error         // how it ended; read it after done
	cry  any           // what do panicked with
	done chan struct{} // closed when it is on disk, or refused
}

// line is the changes that nobody has taken yet, in the order of their calls.
type line struct {
	mu      sync.Mutex
	waiting []*change
}

func (l *line) join(changes ...*change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, changes...)
}

// back puts changes first again.
func (l *line) back(changes []*change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(changes, l.waiting...)
}

// take returns those who are first.
func (l *line) take() []*change {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(l.waiting), maxGroup)
	group := l.waiting[:n:n]
	l.waiting = l.waiting[n:]
	return group
}

// leave takes one out who does not want to wait any more. It returns false where
// the change was taken already: how it ends will be told.
func (l *line) leave(w *change) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, other := range l.waiting {
		if other == w {
			l.waiting = append(l.waiting[:i:i], l.waiting[i+1:]...)
			return true
		}
	}
	return false
}

func (w *change) over() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// end tells the caller.
func (w *change) end(err error) {
	w.err = err
	close(w.done)
}

// write stores what do changes, durably: when it returns nil all of it is on
// disk, otherwise nothing is. This is the one place where the store writes.
//
// Changes that wait at the same time share a transaction, and so one sync of the
// disk. There is no goroutine for it: of those who wait, one gets the writing
// connection and stores what all of them want. Who writes alone waits for
// nobody. Do may run again, and in another caller's goroutine.
//
// A context that ends while the change waits takes it out of the line: nothing
// of it is stored then. Once it is taken, its end is waited for.
func (s *Store) write(ctx context.Context, what string, do func(tx *conn) error) error {
	if err := s.mayStart(ctx); err != nil {
		return named(what, err)
	}
	w := &change{ctx: ctx, do: do, done: make(chan struct{})}
	s.line.join(w)
	select {
	case <-w.done:
	case c := <-s.writers:
		s.lead(c, w)
		s.writers <- c
	case <-ctx.Done():
		if s.line.leave(w) {
			return named(what, ctx.Err())
		}
		<-w.done
	case <-s.closed:
		if s.line.leave(w) {
			return named(what, errClosed)
		}
		<-w.done
	}
	if w.cry != nil {
		panic(w.cry)
	}
	return named(what, w.err)
}

// lead stores what waits until own is over, which may be already.
func (s *Store) lead(c *conn, own *change) {
	if own.over() {
		return
	}
	// Those whom the last group has just set free come back with more before the
	// next one sets off. Where nobody is, this is over at once.
	runtime.Gosched()
	for !own.over() {
		s.store(c, own, inTime(s.line.take()))
	}
}

// inTime ends the changes that are too late.
func inTime(group []*change) (left []*change) {
	for _, w := range group {
		if err := w.ctx.Err(); err != nil {
			w.end(err)
		} else {
			left = append(left, w)
		}
	}
	return left
}

// store stores a group. Where another process keeps the file locked, it is tried
// until own is over; what others still want then goes back into the line.
func (s *Store) store(c *conn, own *change, group []*change) {
	for len(group) > 0 {
		err := c.open(context.Background(), s.db) // no caller's context: it is everybody's
		if err == nil {
			group, err = c.together(group)
		}
		if !isBusy(err) {
			for _, w := range group {
				w.end(err)
			}
			return
		}
		if group = inTime(group); own.over() {
			s.line.back(group)
			return
		}
	}
}

// together stores a group in one transaction, and returns whoever has not been
// told how it ended, with what to tell them.
//
// A change that is refused at its first step, as nearly all that are refused
// are, has done nothing, and the others go on. One that fails when it has
// changed something takes the transaction with it: it is told, and the others
// are begun again without it.
func (c *conn) together(group []*change) ([]*change, error) {
	for len(group) > 0 {
		if _, err := c.exec(qImmediate); err != nil {
			return group, err
		}
		spoiler, err := c.all(group)
		if err == nil && spoiler < 0 {
			err = c.finish()
		}
		if err == nil && spoiler < 0 {
			for _, w := range group {
				close(w.done)
			}
			return nil, nil
		}
		_, undo := c.exec(qRollback) // which fails where SQLite has done so itself
		if err == nil {
			err = undo
		}
		if err != nil {
			return group, err
		}
		close(group[spoiler].done)
		group = append(group[:spoiler:spoiler], group[spoiler+1:]...)
	}
	return nil, nil
}

// finish ends a transaction in which all that was wanted is done.
func (c *conn) finish() error {
	if c.behind >= lateMost {
		if err := c.shelve(); err != nil {
			return err
		}
	}
	_, err := c.exec(qCommit)
	return err
}

// all does what the group wants, inside a transaction. It returns the place of
// one who has failed half-way, or -1, and an error that ends it for all.
func (c *conn) all(group []*change) (spoiler int, err error) {
	for i, w := range group {
		c.touched = false
		if w.err = c.one(w); w.err == nil {
			continue
		}
		switch {
		case endsAll(w.err):
			return -1, w.err
		case c.touched:
			return i, nil
		}
	}
	return -1, nil
}

// one does what one wants. A panic is told as an error, and again where it
// belongs (see write).
func (c *conn) one(w *change) (err error) {
	defer func() {
		if w.cry = recover(); w.cry != nil {
			c.touched = true // for all we know
			err = fmt.Errorf("sqlite: a change panicked: %v", w.cry)
		}
	}()
	return w.do(c)
}

// endsAll tells whether an error is of the file or the disk rather than of the
// change that met it. SQLite may have rolled the transaction back then.
func endsAll(err error) bool {
	switch codeOf(err) & 0xff {
	case sqlite3.SQLITE_OK, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH:
		return false
	default:
		return true
	}
}
