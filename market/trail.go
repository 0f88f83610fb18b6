package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// TrailKept is how long a line of the trail is kept: a year, and the month that
// it takes to look back on one.
const TrailKept = 400 * 24 * time.Hour

// Deed is what an admin, or the operator by a command, did.
type Deed string

// The deeds that the trail tells of.
const (
	DeedVerifySeller  Deed = "verify-seller"
	DeedRemoveBuyer   Deed = "remove-buyer"
	DeedRemoveSeller  Deed = "remove-seller"
	DeedRemovePhone   Deed = "remove-phone"
	DeedRemovePicture Deed = "remove-picture"
	DeedSettleReport  Deed = "settle-report"
	DeedMakeAdmin     Deed = "make-admin"
	DeedRevokeAdmin   Deed = "revoke-admin"
	DeedSetPassword   Deed = "set-password"
	DeedAllowAgain    Deed = "allow-again"
	DeedRestore       Deed = "restore"
	DeedLeave         Deed = "leave" // of a buyer or a seller, who deleted their own account
)

// Line is one line of the trail: who did what to whom, as of then. It holds no
// way to reach anybody, and is never changed.
//
// A deed and its line are one write: the line travels in an event of the write
// (TypeTrailAdded), and an engine has it in the trail when the write returns.
type Line struct {
	ID        string // begins with the time, as every id
	At        time.Time
	ActorID   string // the admin's User.ID; "" for the operator, who works by commands
	Actor     string // the admin's name as of then; "" for the operator
	Deed      Deed
	Target    string // a name as of then: of a person, of a phone, of a picture, or of a backup
	TargetID  string // a person's User.ID, the ID of a phone or of a report, or a picture's name; "" for a backup
	ConcernID string // the User.ID of whom it concerns: that person, the phone's seller, the reporter; "" for a picture
}

// lineVersion is that of every line: none has a second.
const lineVersion = 1

// NewLine begins the line of a deed. Without an actor it is the operator's.
func NewLine(at time.Time, who *User, deed Deed) Line {
	l := Line{ID: NewID(at), At: at, Deed: deed}
	if who != nil {
		l.ActorID, l.Actor = who.ID, who.Name
	}
	return l
}

// OfPerson says to whom it was done: their User.ID, "" where an account never
// became one, and their name.
func (l Line) OfPerson(id, name string) Line {
	l.Target, l.TargetID, l.ConcernID = name, id, id
	return l
}

// OfPicture says to which picture of the image host, by its name.
func (l Line) OfPicture(name string) Line { return l.of(name, name, "") }

// of says to which phone or report, and whom that concerns.
func (l Line) of(id, name, concern string) Line {
	l.Target, l.TargetID, l.ConcernID = name, id, concern
	return l
}

// Event carries the line in the write of its deed, and brings it to the admins.
func (l Line) Event() Event {
	return Event{
		Topic: TopicAdmin, Type: TypeTrailAdded, At: l.At, Entity: l.ID, Version: lineVersion, Data: encode(l.View()),
	}
}

// LinesOf returns the lines that events carry: what an engine keeps with them.
func LinesOf(events []Event) ([]Line, error) {
	var lines []Line
	for _, e := range events {
		if e.Type != TypeTrailAdded {
			continue
		}
		var v LineView
		if err := json.Unmarshal(e.Data, &v); err != nil {
			return nil, fmt.Errorf("read the line of an event: %w", err)
		}
		lines = append(lines, v.line())
	}
	return lines, nil
}

// idOf finds the ID of a person whom a line concerns; "" where they are gone.
func (m *Market) idOf(ctx context.Context, uid string) (string, error) {
	u, err := m.store.User(ctx, uid)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return u.ID, err
}

// Trail lists what admins did, newest first, for admins.
func (m *Market) Trail(ctx context.Context, who Actor, page Page) (List[Line], error) {
	if err := mustAdmin(who); err != nil {
		return List[Line]{}, err
	}
	return m.store.Lines(ctx, page)
}
