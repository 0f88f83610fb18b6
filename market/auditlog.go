package market

import (
	"context"
	"errors"
	"time"
)

// AuditLogRetention is how long an entry of the audit log is kept: a year and a month.
const AuditLogRetention = 400 * 24 * time.Hour

// AuditAction is what was done: by an admin, by the operator with a command, or by a buyer
// or a seller (ActionDeleteAccount).
type AuditAction string

// The actions in the audit log.
const (
	ActionVerifySeller  AuditAction = "verify-seller"
	ActionTakeBadge     AuditAction = "take-badge"
	ActionRemoveBuyer   AuditAction = "remove-buyer"
	ActionRemoveSeller  AuditAction = "remove-seller"
	ActionReadCase      AuditAction = "read-case"
	ActionKeep          AuditAction = "keep"
	ActionWarn          AuditAction = "warn"
	ActionSuspend       AuditAction = "suspend"
	ActionUphold        AuditAction = "uphold-decision"
	ActionReverse       AuditAction = "reverse-decision"
	ActionRemovePhone   AuditAction = "remove-phone"
	ActionRemovePicture AuditAction = "remove-picture"
	ActionCloseReport   AuditAction = "settle-report" // the value is stored
	ActionReleaseOrder  AuditAction = "release-order"
	ActionReturnOrder   AuditAction = "return-order"
	ActionRefundOrder   AuditAction = "refund-order"
	ActionAnswerDispute AuditAction = "answer-dispute"
	ActionPayOut        AuditAction = "pay-out"
	ActionRepayment     AuditAction = "record-repayment"
	ActionMakeAdmin     AuditAction = "make-admin"
	ActionMakeModerator AuditAction = "make-moderator"
	ActionRevokeAdmin   AuditAction = "revoke-admin"
	ActionSetPassword   AuditAction = "set-password"
	ActionAllowAgain    AuditAction = "allow-again"
	ActionResetFactor   AuditAction = "reset-second-factor"
	ActionRestore       AuditAction = "restore"
	ActionDeleteAccount AuditAction = "leave" // a buyer or a seller deleted their own account
)

// AuditEntry is one entry of the audit log: who did what to whom, with the names at
// that time. It has no contact data. It never changes, except that the name of a person who
// deletes their account is removed (EraseFromAuditLog).
//
// An action and its entry are one write: the entry is an Effect of the write, and in the store's
// audit log when the write returns.
type AuditEntry struct {
	ID        string // begins with the time, like every ID
	At        time.Time
	ActorID   string // the User.ID of who did it; "" for the operator
	Actor     string // their name at that time; "" for the operator
	Action    AuditAction
	Target    string // the name of a person, a phone, a picture or a backup at that time
	TargetID  string // a person's User.ID, the ID of a phone or of a report, or a picture's name; "" for a backup
	ConcernID string // the User.ID of whom it concerns: that person, the phone's seller, the reporter; "" for a picture
}

// auditEntryVersion is the version of every entry: EraseFromAuditLog does not raise it.
const auditEntryVersion = 1

// NewAuditEntry returns the entry of an action. Without a user it is the operator's.
func NewAuditEntry(at time.Time, who *User, action AuditAction) AuditEntry {
	entry := AuditEntry{ID: NewID(at), At: at, Action: action}
	if who != nil {
		entry.ActorID, entry.Actor = who.ID, who.Name
	}
	return entry
}

// OfPerson sets the person that the action concerns: their User.ID, "" for an account
// without a user, and their name.
func (entry AuditEntry) OfPerson(id, name string) AuditEntry {
	entry.Target, entry.TargetID, entry.ConcernID = name, id, id
	return entry
}

// of sets the phone or report that the action concerns, and the User.ID of its person.
func (entry AuditEntry) of(id, name, concern string) AuditEntry {
	entry.Target, entry.TargetID, entry.ConcernID = name, id, concern
	return entry
}

// Event returns the event that sends the entry to the admins.
func (entry AuditEntry) Event() Event {
	return Event{
		Topic: TopicAdmin, Type: TypeAuditEntryAdded, At: entry.At, Entity: entry.ID, Version: auditEntryVersion, Data: encode(entry.View()),
	}
}

// idOf returns the User.ID of a UID; "" if there is no such user.
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
