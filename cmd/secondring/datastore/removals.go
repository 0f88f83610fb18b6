package datastore

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

// removalNotes records changes that a restore must not undo. Each change is recorded
// before it is made, so that a crash in between leaves the record of a requested change.
type removalNotes struct {
	store market.Store
	list  *sqlite.Removals
}

// hook is a market.StoreHook.
func (n removalNotes) hook(ctx context.Context, call market.StoreCall, do func() error) error {
	var err error
	switch entity := call.Entity.(type) {
	case market.User:
		if call.Method == "SaveUser" {
			err = n.savingUser(ctx, entity)
		}
	case market.Account:
		if call.Method == "SaveAccount" {
			err = n.savingAccount(ctx, entity)
		}
	case market.Record:
		if entity.Kind == images.RemovedKind {
			err = n.note(ctx, market.Removal{Kind: market.RemovalPicture, ID: entity.ID})
		}
	}
	if call.Method == "PurgeAccount" {
		err = n.purgingAccount(ctx, call.ID)
	}
	if err != nil {
		return err
	}
	return do()
}

func (n removalNotes) note(ctx context.Context, r market.Removal) error {
	r.At = market.SystemClock{}.Now()
	return n.list.Note(ctx, r)
}

func (n removalNotes) savingUser(ctx context.Context, u market.User) error {
	old, err := n.store.UserByID(ctx, u.ID)
	if err != nil {
		return err
	}
	if u.Removed && !old.Removed {
		if err := n.note(ctx, market.Removal{Kind: market.RemovalUser, ID: u.UID, Leaving: u.Leaving}); err != nil {
			return err
		}
	}
	if u.Admin != old.Admin {
		return n.note(ctx, market.Removal{Kind: market.RemovalRole, ID: u.UID, Admin: u.Admin})
	}
	return nil
}

func (n removalNotes) savingAccount(ctx context.Context, a market.Account) error {
	old, err := n.store.Account(ctx, a.UID)
	if err != nil {
		return err
	}
	if a.Removed || (a.PasswordHash == old.PasswordHash && a.GoogleSub == old.GoogleSub) {
		return nil
	}
	return n.note(ctx, market.Removal{
		Kind: market.RemovalCredentials, ID: a.UID, PasswordHash: a.PasswordHash, GoogleSub: a.GoogleSub,
	})
}

// purgingAccount deletes the recorded password hash of a purged account.
func (n removalNotes) purgingAccount(ctx context.Context, uid string) error {
	if err := n.list.Forget(ctx, market.RemovalCredentials, uid); err != nil {
		return err
	}
	return n.note(ctx, market.Removal{Kind: market.RemovalAccount, ID: uid})
}

// reapply repeats the changes that were recorded in dir since a backup was made, in its
// store at path, which no process has open. It returns their number.
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

// takeDownAgain records in a restored store that a picture was taken down. The image
// host stops serving it and deletes its files when it is due.
func takeDownAgain(ctx context.Context, store market.Store, name string, now time.Time) error {
	err := store.AddRecord(ctx, market.Record{Kind: images.RemovedKind, ID: name, Due: now, Version: 1}, nil)
	if errors.Is(err, market.ErrExists) {
		return nil
	}
	return err
}
