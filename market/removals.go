package market

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// RemovalKind is the kind of a Removal.
type RemovalKind string

// The kinds of removals.
const (
	RemovalUser        RemovalKind = "user"        // an admin removed the user, or the user deleted their account
	RemovalAccount     RemovalKind = "account"     // the account was purged
	RemovalCredentials RemovalKind = "credentials" // the password or the linked Google account changed
	RemovalRole        RemovalKind = "role"        // the user became an admin, or is no longer one
	RemovalPicture     RemovalKind = "picture"     // an admin took the picture down
)

// RemovalRetention is how long removals are kept: older backups should not be restored.
const RemovalRetention = 400 * 24 * time.Hour

// Removal is a change that must be made again when the store is restored from an earlier
// backup. Of several with the same Kind and ID the newest counts.
type Removal struct {
	Kind RemovalKind
	ID   string // a UID, or the name of a picture for RemovalPicture
	At   time.Time

	Leaving      bool   // for RemovalUser: the user deleted their account
	Admin        bool   // for RemovalRole
	PasswordHash string // for RemovalCredentials, like GoogleSub
	GoogleSub    string
}

// Reapply makes the changes in a store that was restored from an older backup. It returns
// how many it made. The janitor does the cascades of removed people. The caller deletes
// pictures. No other process may use the store.
func Reapply(ctx context.Context, store Store, removals []Removal, now time.Time) (made int, err error) {
	for _, r := range removals {
		var changed bool
		switch r.Kind {
		case RemovalUser:
			changed, err = r.removeUser(ctx, store, now)
		case RemovalAccount:
			changed, err = r.removeAccount(ctx, store)
		case RemovalCredentials:
			changed, err = r.setCredentials(ctx, store)
		case RemovalRole:
			changed, err = r.setRole(ctx, store)
		case RemovalPicture:
		}
		if err != nil && !errors.Is(err, ErrNotFound) { // a user who is not in the backup signed up later
			return made, fmt.Errorf("make a change of %s again: %s of %s: %w", r.At.Format(time.RFC3339), r.Kind, r.ID, err)
		}
		if changed {
			made++
		}
	}
	return made, nil
}

func (r Removal) removeUser(ctx context.Context, store Store, now time.Time) (changed bool, err error) {
	u, err := store.User(ctx, r.ID)
	if err != nil || u.Removed {
		return false, err
	}
	u.Removed, u.Leaving, u.SweepUntil = true, r.Leaving, now.Add(sweepFor)
	u.Version++
	return true, store.SaveUser(ctx, u, nil)
}

func (r Removal) removeAccount(ctx context.Context, store Store) (changed bool, err error) {
	if _, err := store.Account(ctx, r.ID); err != nil {
		return false, err
	}
	return true, store.PurgeAccount(ctx, r.ID, nil)
}

// setCredentials also unlinks Google from another account that the backup has linked.
func (r Removal) setCredentials(ctx context.Context, store Store) (changed bool, err error) {
	a, err := store.Account(ctx, r.ID)
	if err != nil || a.Removed || (a.PasswordHash == r.PasswordHash && a.GoogleSub == r.GoogleSub) {
		return false, err
	}
	a.PasswordHash, a.GoogleSub = r.PasswordHash, r.GoogleSub
	a.Version++
	err = store.SaveAccount(ctx, a, nil)
	if errors.Is(err, ErrExists) {
		a.GoogleSub = ""
		err = store.SaveAccount(ctx, a, nil)
	}
	return true, err
}

func (r Removal) setRole(ctx context.Context, store Store) (changed bool, err error) {
	u, err := store.User(ctx, r.ID)
	if err != nil || u.Removed || u.Admin == r.Admin {
		return false, err
	}
	u.Admin = r.Admin
	u.Version++
	return true, store.SaveUser(ctx, u, nil)
}
