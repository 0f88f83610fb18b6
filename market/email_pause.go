package market

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// emailPause is the least time between two emails to one person about notifications of one
// kind and one phone, or about the matches of one seller. What happens meanwhile is in one
// email at its end.
const emailPause = time.Hour

// plannedEmailKind is the Kind of the records of the last email of a person, kind and phone.
const plannedEmailKind = "email.planned"

// plannedEmail is the last email that was planned for a person, kind and phone.
type plannedEmail struct {
	At       time.Time
	Decision string // for which it was planned
}

// emailDueAt returns when the email about a notification that is decided on now is due. If this
// decision is repeated after a crash, the result is the same.
func (k *Emailer) emailDueAt(ctx context.Context, n Notification, now time.Time) (time.Time, error) {
	soon, about := now.Add(emailEvery), n.ProductID
	if n.Kind == NotifyMatch {
		about = n.Cause // the seller's
	}
	if about == "" {
		return soon, nil
	}
	decision := fmt.Sprint(n.ID, ":", n.EmailDue.UnixMilli())
	r := Record{Kind: plannedEmailKind, ID: fmt.Sprint(n.UID, ":", n.Kind, ":", about)}
	for {
		last, version, err := k.plannedEmail(ctx, r.ID)
		if err != nil || last.Decision == decision {
			return last.At, err
		}
		due := soon
		switch pauseEnd := last.At.Add(emailPause); {
		case n.isTurn(): // the person has little time
		case last.At.After(now):
			return last.At, nil
		case pauseEnd.After(soon):
			due = pauseEnd
		}
		r.Data, r.Version, r.Expires = encode(plannedEmail{due, decision}), version+1, due.Add(emailPause)
		if version == 0 {
			err = k.market.store.AddRecord(ctx, r, nil)
		} else {
			err = k.market.store.SaveRecord(ctx, r)
		}
		if !IsTaken(err) {
			return due, err
		}
	}
}

// plannedEmail returns the last planned email, and the version of its record; 0 if there is
// none.
func (k *Emailer) plannedEmail(ctx context.Context, id string) (last plannedEmail, version int64, err error) {
	r, err := k.market.store.Record(ctx, plannedEmailKind, id)
	if err != nil {
		return last, 0, ignoreNotFound(err)
	}
	return last, r.Version, json.Unmarshal(r.Data, &last)
}

// isTurn returns whether the person must pay for the phone within a short time.
func (n Notification) isTurn() bool {
	return n.Kind == NotifyTurn && strings.HasPrefix(n.Link, linkPayment)
}
