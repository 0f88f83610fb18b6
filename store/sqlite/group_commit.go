package sqlite

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"
)

// maxGroupSize is how many changes share one transaction at most, which bounds how long
// the last of them waits.
const maxGroupSize = 256

// change is one caller's write. It waits in the queue until a caller that has the
// writing connection takes it, with others, into one transaction.
type change struct {
	ctx      context.Context
	do       func(tx *conn) error
	err      error         // the result; read it after done
	panicked any           // the value that do panicked with
	done     chan struct{} // closed when the change is on disk or has failed
	gaveUp   error         // why the caller no longer waits for the connection; guarded by changeQueue.mu
}

// changeQueue holds the changes that no group has taken yet, in the order of their calls.
type changeQueue struct {
	mu      sync.Mutex
	waiting []*change
}

func (q *changeQueue) push(w *change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, w)
}

// putBack puts the changes of a group back at the front. It ends those whose callers have given
// up: such a caller no longer waits for the connection, so there may be nobody who would commit
// its change.
func (q *changeQueue) putBack(group []*change) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var again []*change
	for _, w := range group {
		if w.gaveUp != nil {
			w.complete(w.gaveUp)
		} else {
			again = append(again, w)
		}
	}
	q.waiting = append(again, q.waiting...)
}

// next removes and returns the first maxGroupSize changes.
func (q *changeQueue) next() []*change {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.waiting), maxGroupSize)
	group := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	return group
}

// giveUp takes out a change whose caller stops waiting, and ends it with err. If a group has
// taken the change already, it ends with the result of the group, or with err if it is put back.
func (q *changeQueue) giveUp(w *change, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w.gaveUp = err
	if i := slices.Index(q.waiting, w); i >= 0 {
		q.waiting = slices.Concat(q.waiting[:i], q.waiting[i+1:])
		w.complete(err)
	}
}

func (w *change) isDone() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// complete sets the result and wakes the caller.
func (w *change) complete(err error) {
	w.err = err
	close(w.done)
}

// write stores what do changes, durably: when it returns nil all of it is on
// disk, otherwise nothing is. This is the one place where the store writes.
//
// Changes that wait at the same time share a transaction, and so one sync of the
// disk. There is no goroutine for it: one of the waiting callers gets the writing
// connection and commits the changes of all. A single caller does not
// wait. do may run again, and in another caller's goroutine.
//
// A context that ends while the change is queued removes it: nothing of it is stored
// then. Once a group has taken the change, write waits for the result.
func (s *Store) write(ctx context.Context, operation string, do func(tx *conn) error) error {
	if err := s.checkCanStart(ctx); err != nil {
		return wrapError(operation, err)
	}
	w := &change{ctx: ctx, do: do, done: make(chan struct{})}
	s.queue.push(w)
	select {
	case <-w.done:
	case c := <-s.writers:
		s.commitUntil(c, w)
		s.writers <- c
	case <-ctx.Done():
		s.queue.giveUp(w, ctx.Err())
	case <-s.closed:
		s.queue.giveUp(w, errClosed)
	}
	<-w.done
	if w.panicked != nil {
		panic(w.panicked)
	}
	return wrapError(operation, w.err)
}

// exec writes with one statement, and returns the number of changed rows.
func (s *Store) exec(ctx context.Context, operation string, q *statement, args ...any) (changed int, err error) {
	err = s.write(ctx, operation, func(tx *conn) error {
		n, err := tx.exec(q, args...)
		changed = int(n)
		return err
	})
	return changed, err
}

// commitUntil commits queued changes until own has ended, which may be at once.
func (s *Store) commitUntil(c *conn, own *change) {
	if own.isDone() {
		return
	}
	// Callers whom the last group has just woken may queue more before the next group
	// is taken. If there are none, this returns at once.
	runtime.Gosched()
	for !own.isDone() {
		s.commit(c, own, endExpired(s.queue.next()))
	}
}

// endExpired ends the changes whose contexts have ended, and returns the others.
func endExpired(group []*change) (remaining []*change) {
	for _, w := range group {
		if err := w.ctx.Err(); err != nil {
			w.complete(err)
		} else {
			remaining = append(remaining, w)
		}
	}
	return remaining
}

// commit commits a group. While another process has the file locked, it tries again
// until own has ended; the changes that remain then go back into the queue.
func (s *Store) commit(c *conn, own *change, group []*change) {
	for len(group) > 0 {
		err := c.open(context.Background(), s.db) // without a caller's context: all callers share the connection
		if err == nil {
			group, err = c.commitGroup(group)
		}
		if !isBusy(err) {
			for _, w := range group {
				w.complete(err)
			}
			return
		}
		if group = endExpired(group); own.isDone() {
			s.queue.putBack(group)
			return
		}
	}
}

// commitGroup commits a group in one transaction. On an error it returns the changes
// that have no result yet.
//
// A change that fails before it has changed a row, as nearly all that fail do,
// leaves the transaction to the others. One that fails later has the transaction
// rolled back, and the others run again without it.
func (c *conn) commitGroup(group []*change) ([]*change, error) {
	for len(group) > 0 {
		if _, err := c.exec(qImmediate); err != nil {
			return group, err
		}
		failed, err := c.applyAll(group)
		if err == nil && failed < 0 {
			err = c.indexAndCommit()
		}
		if err == nil && failed < 0 {
			for _, w := range group {
				close(w.done)
			}
			return nil, nil
		}
		_, rollbackErr := c.exec(qRollback) // which fails if SQLite has rolled back itself
		if err == nil {
			err = rollbackErr
		}
		if err != nil {
			return group, err
		}
		close(group[failed].done)
		group = append(group[:failed:failed], group[failed+1:]...)
	}
	return nil, nil
}

// indexAndCommit commits, after it has updated the search index if many phones have changed.
func (c *conn) indexAndCommit() error {
	if c.unindexed >= maxUnindexed {
		if err := c.updateIndex(); err != nil {
			return err
		}
	}
	_, err := c.exec(qCommit)
	return err
}

// applyAll runs the changes of a group inside a transaction. It returns the index of
// one that failed after it had changed rows, or -1, and an error that ends all.
func (c *conn) applyAll(group []*change) (failed int, err error) {
	for i, w := range group {
		c.changedRows = false
		if w.err = c.apply(w); w.err == nil {
			continue
		}
		switch {
		case abortsTransaction(w.err):
			return -1, w.err
		case c.changedRows:
			return i, nil
		}
	}
	return -1, nil
}

// apply runs one change. Its panic becomes an error here, and write panics with it
// again in the goroutine of the caller.
func (c *conn) apply(w *change) (err error) {
	defer func() {
		if w.panicked = recover(); w.panicked != nil {
			c.changedRows = true // it may have
			err = fmt.Errorf("sqlite: a change panicked: %v", w.panicked)
		}
	}()
	return w.do(c)
}

// abortsTransaction reports whether an error is of the file or the disk rather than of
// one change. SQLite may have rolled the transaction back then.
func abortsTransaction(err error) bool {
	switch codeOf(err) & 0xff {
	case sqlite3.SQLITE_OK, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH:
		return false
	default:
		return true
	}
}
