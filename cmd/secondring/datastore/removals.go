package datastore

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"secondring/api/images"
	"secondring/market"
	"secondring/store"
	"secondring/store/sqlite"
)

// RemovalsFile is the name of the file in DATA_DIR that records changes which a restore must
// not undo. No backup contains it.
const RemovalsFile = "removals.db"

func openRemovals(ctx context.Context, dir string) (*sqlite.Removals, error) {
	return sqlite.OpenRemovals(ctx, filepath.Join(dir, RemovalsFile), market.SystemClock{}.Now())
}

// removalRecorder records changes that a restore must not undo. Each change is recorded
// before it is made, so that a crash in between leaves the record of a requested change.
type removalRecorder struct {
	store    market.Store
	removals *sqlite.Removals
	// accounts is held while the credentials of an account are recorded and changed, so that the
	// record of a write that is refused cannot replace that of another.
	accounts *sync.Mutex
}

// hook is a market.StoreHook that records removals.
func (r removalRecorder) hook(ctx context.Context, call market.StoreCall, do func() error) error {
	var err error
	switch entity := call.Entity.(type) {
	case market.User:
		if call.Op == market.OpSave {
			err = r.recordUser(ctx, entity)
		}
	case market.Account:
		switch call.Op {
		case market.OpSave:
			return r.changeAccount(ctx, entity, do)
		case market.OpRemove:
			err = r.recordPurge(ctx, entity.UID)
		}
	case market.Record:
		if call.Op == market.OpAdd && entity.Kind == images.RemovedKind {
			err = r.record(ctx, market.Removal{Kind: market.RemovalPicture, ID: entity.ID})
		}
	}
	if err != nil {
		return err
	}
	return do()
}

// record adds a removal with the current time.
func (r removalRecorder) record(ctx context.Context, removal market.Removal) error {
	removal.At = market.SystemClock{}.Now()
	return r.removals.Record(ctx, removal)
}

// recordUser records that a user is about to be removed or given back, or to get another role as an admin.
func (r removalRecorder) recordUser(ctx context.Context, u market.User) error {
	old, err := r.store.UserByID(ctx, u.ID)
	if err != nil {
		return err
	}
	if u.Removed != old.Removed || u.Closed != old.Closed {
		if err := r.record(ctx, market.Removal{Kind: market.RemovalUser, ID: u.UID, Leaving: u.Leaving, Closed: u.Closed, Returned: !u.Removed}); err != nil {
			return err
		}
	}
	if u.AdminRole() != old.AdminRole() {
		return r.record(ctx, market.Removal{Kind: market.RemovalRole, ID: u.UID, Admin: u.Admin, Moderator: u.Moderator})
	}
	return nil
}

// changeAccount records the new credentials if they are about to change. If the write is refused,
// it records those that are stored.
func (r removalRecorder) changeAccount(ctx context.Context, a market.Account, do func() error) error {
	stored, err := r.store.Account(ctx, a.UID)
	if err != nil {
		return err
	}
	if a.Removed || reflect.DeepEqual(a.Credentials(), stored.Credentials()) {
		return do()
	}
	r.accounts.Lock()
	defer r.accounts.Unlock()
	if err := r.recordCredentials(ctx, a); err != nil {
		return err
	}
	err = do()
	if !errors.Is(err, market.ErrConflict) && !errors.Is(err, market.ErrExists) {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	stored, readErr := r.store.Account(ctx, a.UID)
	if readErr == nil {
		readErr = r.recordCredentials(ctx, stored)
	}
	return errors.Join(err, readErr)
}

func (r removalRecorder) recordCredentials(ctx context.Context, a market.Account) error {
	credentials := a.Credentials()
	return r.record(ctx, market.Removal{Kind: market.RemovalCredentials, ID: a.UID, Credentials: &credentials})
}

// recordPurge deletes the recorded credentials of an account that is about to be purged, and
// records the removal.
func (r removalRecorder) recordPurge(ctx context.Context, uid string) error {
	if err := r.removals.Delete(ctx, market.RemovalCredentials, uid); err != nil {
		return err
	}
	return r.record(ctx, market.Removal{Kind: market.RemovalAccount, ID: uid})
}

// reapply repeats the changes that were recorded in dir since a backup was made. It makes
// them in the restored store at path, which no process may have open, and returns their
// number.
func reapply(ctx context.Context, dir, path string, made time.Time) (n int, err error) {
	recorded, err := openRemovals(ctx, dir)
	if err != nil {
		return 0, err
	}
	removals, err := recorded.Since(ctx, made)
	if err := errors.Join(err, recorded.Close()); err != nil || len(removals) == 0 {
		return 0, err
	}
	engine, err := sqlite.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	db := store.New(engine)
	n, err = repeatRemovals(ctx, db, removals)
	return n, errors.Join(err, db.Close())
}

// repeatRemovals makes removals again in a restored or imported store, and returns their number.
func repeatRemovals(ctx context.Context, db market.Store, removals []market.Removal) (n int, err error) {
	now := market.SystemClock{}.Now()
	n, err = market.Reapply(ctx, db, removals, now)
	for _, r := range removals {
		if err == nil && r.Kind == market.RemovalPicture {
			err = recordImageRemoval(ctx, db, r.ID, now)
			n++
		}
	}
	return n, err
}

// recordImageRemoval records in a restored store that a picture was taken down. The image
// host stops serving the picture and deletes its files when the record is due.
func recordImageRemoval(ctx context.Context, db market.Store, name string, now time.Time) error {
	err := db.AddRecord(ctx, market.Record{Kind: images.RemovedKind, ID: name, Due: now, Version: 1}, nil)
	if errors.Is(err, market.ErrExists) {
		return nil
	}
	return err
}
