package app

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"secondring/api/images"
	"secondring/market"
	"secondring/store/sqlite"
)

// RemovalsFile in DATA_DIR has what a restore must not undo. It is in no backup.
const RemovalsFile = "removals.db"

func openRemovals(ctx context.Context, dir string) (*sqlite.Removals, error) {
	return sqlite.OpenRemovals(ctx, filepath.Join(dir, RemovalsFile), market.SystemClock{}.Now())
}

// notesRemovals is a store that notes what a restore must not undo. Each change is
// noted before it is made: a crash in between leaves a note of what somebody had
// asked for.
type notesRemovals struct {
	*sqlite.Store
	list *sqlite.Removals
}

func (s notesRemovals) note(ctx context.Context, r market.Removal) error {
	r.At = market.SystemClock{}.Now()
	return s.list.Note(ctx, r)
}

// SaveUser implements market.Store.
func (s notesRemovals) SaveUser(ctx context.Context, u market.User, events []market.Event) error {
	old, err := s.UserByID(ctx, u.ID)
	if err != nil {
		return err
	}
	if u.Removed && !old.Removed {
		if err := s.note(ctx, market.Removal{Kind: market.RemovalUser, ID: u.UID, Leaving: u.Leaving}); err != nil {
			return err
		}
	}
	if u.Admin != old.Admin {
		if err := s.note(ctx, market.Removal{Kind: market.RemovalRole, ID: u.UID, Admin: u.Admin}); err != nil {
			return err
		}
	}
	return s.Store.SaveUser(ctx, u, events)
}

// SaveAccount implements market.Store.
func (s notesRemovals) SaveAccount(ctx context.Context, a market.Account, events []market.Event) error {
	old, err := s.Account(ctx, a.UID)
	if err != nil {
		return err
	}
	if !a.Removed && (a.PasswordHash != old.PasswordHash || a.GoogleSub != old.GoogleSub) {
		err := s.note(ctx, market.Removal{
			Kind: market.RemovalCredentials, ID: a.UID, PasswordHash: a.PasswordHash, GoogleSub: a.GoogleSub,
		})
		if err != nil {
			return err
		}
	}
	return s.Store.SaveAccount(ctx, a, events)
}

// PurgeAccount implements market.Store. The hash of a password that nobody has any
// more is not kept.
func (s notesRemovals) PurgeAccount(ctx context.Context, uid string, events []market.Event) error {
	err := s.list.Forget(ctx, market.RemovalCredentials, uid)
	if err == nil {
		err = s.note(ctx, market.Removal{Kind: market.RemovalAccount, ID: uid})
	}
	if err != nil {
		return err
	}
	return s.Store.PurgeAccount(ctx, uid, events)
}

// AddRecord implements market.Store.
func (s notesRemovals) AddRecord(ctx context.Context, r market.Record, events []market.Event) error {
	if r.Kind == images.RemovedKind {
		if err := s.note(ctx, market.Removal{Kind: market.RemovalPicture, ID: r.ID}); err != nil {
			return err
		}
	}
	return s.Store.AddRecord(ctx, r, events)
}

// Close implements market.Store.
func (s notesRemovals) Close() error { return errors.Join(s.Store.Close(), s.list.Close()) }

// reapply makes the changes that were noted in dir since a backup was made again,
// in its store at path, which nobody has open. It tells how many there were.
func reapply(ctx context.Context, dir, path string, made time.Time) (n int, err error) {
	list, err := openRemovals(ctx, dir)
	if err != nil {
		return 0, err
	}
	removals, err := list.Since(ctx, made)
	if err := errors.Join(err, list.Close()); err != nil || len(removals) == 0 {
		return 0, err
	}
	store, err := sqlite.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	now := market.SystemClock{}.Now()
	n, err = market.Reapply(ctx, store, removals, now)
	for _, r := range removals {
		if err == nil && r.Kind == market.RemovalPicture {
			err = takeDownAgain(ctx, store, r.ID, now)
			n++
		}
	}
	return n, errors.Join(err, store.Close())
}

// takeDownAgain notes in a restored store that a picture was taken down. The image
// host serves it no more, and deletes its files when it is due.
func takeDownAgain(ctx context.Context, store market.Store, name string, now time.Time) error {
	err := store.AddRecord(ctx, market.Record{Kind: images.RemovedKind, ID: name, Due: now, Version: 1}, nil)
	if errors.Is(err, market.ErrExists) {
		return nil
	}
	return err
}
