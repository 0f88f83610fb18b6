package market

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// RemovalKind is the kind of a Removal.
type RemovalKind string

// The kinds of removals.
const (
	RemovalUser        RemovalKind = "user"        // an admin removed the user, or the user deleted their account
	RemovalAccount     RemovalKind = "account"     // the account was purged
	RemovalCredentials RemovalKind = "credentials" // how the account is entered changed
	RemovalRole        RemovalKind = "role"        // the user became an admin or a moderator, or is none any longer
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

	Leaving     bool         // for RemovalUser: the user deleted their account
	Closed      string       // for RemovalUser: the case that has closed the account, which may come back
	Returned    bool         // for RemovalUser: an appeal gave the account back
	Admin       bool         // for RemovalRole
	Moderator   bool         // for RemovalRole, with Admin
	Credentials *Credentials // for RemovalCredentials
}

// Credentials are how an account is entered.
type Credentials struct {
	Email        string
	Unconfirmed  bool
	PasswordHash string
	GoogleSub    string
	SecondFactor *SecondFactor
	RestoredAt   time.Time
	RestoredFrom time.Time
	Links        []AccountLink // those that give the account back to its owner
	Version      int64
}

// Credentials returns how the account is entered.
func (a Account) Credentials() Credentials {
	c := Credentials{
		Email: a.Email, Unconfirmed: a.Unconfirmed, PasswordHash: a.PasswordHash, GoogleSub: a.GoogleSub, SecondFactor: a.SecondFactor,
		RestoredAt: a.RestoredAt, RestoredFrom: a.RestoredFrom, Version: a.CredentialsVersion,
	}
	for _, l := range a.Links {
		if l.GivesBack() {
			c.Links = append(c.Links, l)
		}
	}
	return c
}

// Reapply makes the changes in a store that was restored from an older backup. It returns
// how many it made. The runner does the cascades of removed people. The caller deletes
// pictures. No other process may use the store.
func Reapply(ctx context.Context, store Store, removals []Removal, now time.Time) (made int, err error) {
	addressesTaken := []Removal{}
	for _, r := range removals {
		var changed bool
		switch r.Kind {
		case RemovalUser:
			changed, err = r.removeUser(ctx, store, now)
		case RemovalAccount:
			changed, err = r.removeAccount(ctx, store)
		case RemovalCredentials:
			changed, err = r.setCredentials(ctx, store)
			if errors.Is(err, ErrExists) { // the account that has the address or Google account may lose it, too
				addressesTaken, changed, err = append(addressesTaken, r), false, nil
			}
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
	n, err := setCredentialsLater(ctx, store, addressesTaken)
	return made + n, err
}

// setCredentialsLater changes the credentials of accounts whose new address or Google account
// belonged to another account. If it still does, the account keeps the address of the backup and has
// no Google account.
func setCredentialsLater(ctx context.Context, store Store, removals []Removal) (made int, err error) {
	for _, r := range removals {
		_, err := r.setCredentials(ctx, store)
		if errors.Is(err, ErrExists) {
			a, readErr := store.Account(ctx, r.ID)
			if readErr != nil {
				return made, readErr
			}
			kept := *r.Credentials
			kept.Email, kept.Unconfirmed, kept.GoogleSub = a.Email, a.Unconfirmed, ""
			_, err = Removal{Kind: r.Kind, ID: r.ID, Credentials: &kept}.setCredentials(ctx, store)
		}
		if err != nil {
			return made, fmt.Errorf("set the credentials of %s again: %w", r.ID, err)
		}
		made++
	}
	return made, nil
}

func (r Removal) removeUser(ctx context.Context, store Store, now time.Time) (changed bool, err error) {
	u, err := store.User(ctx, r.ID)
	if err != nil || u.Removed == !r.Returned && u.Closed == r.Closed {
		return false, err
	}
	u.Removed, u.Leaving, u.Closed, u.SweepUntil = !r.Returned, r.Leaving, r.Closed, now.Add(sweepFor)
	u.Version++
	return true, store.SaveUser(ctx, u, nil)
}

func (r Removal) removeAccount(ctx context.Context, store Store) (changed bool, err error) {
	if _, err := store.Account(ctx, r.ID); err != nil {
		return false, err
	}
	return true, store.PurgeAccount(ctx, r.ID, nil)
}

// setCredentials returns ErrExists if another account has the address or the Google account. It also
// reserves the addresses to which the account can return.
func (r Removal) setCredentials(ctx context.Context, store Store) (changed bool, err error) {
	a, err := store.Account(ctx, r.ID)
	if err != nil || a.Removed || reflect.DeepEqual(a.Credentials(), *r.Credentials) {
		return false, err
	}
	c := r.Credentials
	for _, l := range c.Links {
		if l.Email != c.Email && !l.Used {
			if err := ReserveAddress(ctx, store, l.Email, a.UID, l.Expires); err != nil {
				return false, err
			}
		}
	}
	a.Email, a.Unconfirmed, a.PasswordHash, a.GoogleSub, a.SecondFactor = c.Email, c.Unconfirmed, c.PasswordHash, c.GoogleSub, c.SecondFactor
	a.RestoredAt, a.RestoredFrom, a.Links, a.CredentialsVersion, a.KeptSession = c.RestoredAt, c.RestoredFrom, c.Links, c.Version, ""
	a.Version++
	return true, store.SaveAccount(ctx, a, nil)
}

func (r Removal) setRole(ctx context.Context, store Store) (changed bool, err error) {
	u, err := store.User(ctx, r.ID)
	if err != nil || u.Removed || (u.Admin == r.Admin && u.Moderator == r.Moderator) {
		return false, err
	}
	u.Admin, u.Moderator = r.Admin, r.Moderator
	u.Version++
	return true, store.SaveUser(ctx, u, nil)
}
