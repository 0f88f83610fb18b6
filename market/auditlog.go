package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// AuditLogKept is how long an entry of the audit log is kept: a year and a month.
const AuditLogKept = 400 * 24 * time.Hour

// AuditAction is what an admin did, or the operator by a command.
type AuditAction string

// The actions in the audit log.
const (
	DeedVerifySeller  AuditAction = "verify-seller"
	DeedRemoveBuyer   AuditAction = "remove-buyer"
	DeedRemoveSeller  AuditAction = "remove-seller"
	DeedRemovePhone   AuditAction = "remove-phone"
	DeedRemovePicture AuditAction = "remove-picture"
	DeedSettleReport  AuditAction = "settle-report"
	DeedMakeAdmin     AuditAction = "make-admin"
	DeedRevokeAdmin   AuditAction = "revoke-admin"
	DeedSetPassword   AuditAction = "set-password"
	DeedAllowAgain    AuditAction = "allow-again"
	DeedRestore       AuditAction = "restore"
	DeedLeave         AuditAction = "leave" // of a buyer or a seller, who deleted their own account
)

// AuditEntry is one entry of the audit log: who did what to whom, with names as of
// then. It has no contact data and is never changed.
//
// An action and its entry are one write: the entry is in an event of the write
// (TypeTrailAdded), and in the store's audit log when the write returns.
type AuditEntry struct {
	ID        string // begins with the time, as every id
	At        time.Time
	ActorID   string // the admin's User.ID; "" for the operator, who works by commands
	Actor     string // the admin's name as of then; "" for the operator
	Deed      AuditAction
	Target    string // a name as of then: of a person, of a phone, of a picture, or of a backup
	TargetID  string // a person's User.ID, the ID of a phone or of a report, or a picture's name; "" for a backup
	ConcernID string // the User.ID of whom it concerns: that person, the phone's seller, the reporter; "" for a picture
}

// auditEntryVersion is the version of every entry: entries do not change.
const auditEntryVersion = 1

// NewAuditEntry starts the entry of an action. Without an actor it is the operator's.
func NewAuditEntry(at time.Time, who *User, deed AuditAction) AuditEntry {
	l := AuditEntry{ID: NewID(at), At: at, Deed: deed}
	if who != nil {
		l.ActorID, l.Actor = who.ID, who.Name
	}
	return l
}

// OfPerson sets the person it was done to: their User.ID, "" for an account without
// a user, and their name.
func (l AuditEntry) OfPerson(id, name string) AuditEntry {
	l.Target, l.TargetID, l.ConcernID = name, id, id
	return l
}

// OfPicture sets the picture it was done to, by its name.
func (l AuditEntry) OfPicture(name string) AuditEntry { return l.of(name, name, "") }

// of sets the phone or report it was done to, and the person that it concerns.
func (l AuditEntry) of(id, name, concern string) AuditEntry {
	l.Target, l.TargetID, l.ConcernID = name, id, concern
	return l
}

// Event is the event that stores the entry with the write of its action and brings
// it to the admins.
func (l AuditEntry) Event() Event {
	return Event{
		Topic: TopicAdmin, Type: TypeTrailAdded, At: l.At, Entity: l.ID, Version: auditEntryVersion, Data: encode(l.View()),
	}
}

// AuditEntriesOf returns the entries in events, which a store keeps with them.
func AuditEntriesOf(events []Event) ([]AuditEntry, error) {
	var lines []AuditEntry
	for _, e := range events {
		if e.Type != TypeTrailAdded {
			continue
		}
		var v AuditEntryView
		if err := json.Unmarshal(e.Data, &v); err != nil {
			return nil, fmt.Errorf("read the line of an event: %w", err)
		}
		lines = append(lines, v.entry())
	}
	return lines, nil
}

// idOf finds the User.ID of the person that an entry concerns; "" where there is none.
func (m *Market) idOf(ctx context.Context, uid string) (string, error) {
	u, err := m.store.User(ctx, uid)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return u.ID, err
}

// AuditLog lists the audit log, newest first, for admins.
func (m *Market) AuditLog(ctx context.Context, who Actor, page Page) (List[AuditEntry], error) {
	if err := mustAdmin(who); err != nil {
		return List[AuditEntry]{}, err
	}
	return m.store.AuditEntries(ctx, page)
}
