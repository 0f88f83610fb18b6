package market

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"
)

// Somebody who leaves while they are suspended, or while a case about them waits for an admin, is erased as ever.
// Their address cannot sign up again until that is over. A keyed hash of it is all that is kept for this.

// leftKind is the kind of the records of these addresses. The ID is the keyed hash.
const leftKind = "left"

// left is the content of the record.
type left struct {
	Until time.Time `json:"until,omitzero"` // the end of the suspension
	Cases []string  `json:"cases,omitempty"`
}

// leavesOpen returns the record that keeps the address of a person who leaves now; none if nothing is open.
func (m *Market) leavesOpen(ctx context.Context, u User, now time.Time) ([]Effect, error) {
	l := left{Until: u.SuspendedUntil(now)}
	err := each(func(page Page) ([]Case, error) { return m.store.CasesAbout(ctx, u.UID, page) }, caseID, func(c Case) error {
		if c.waitsForAdmin() {
			l.Cases = append(l.Cases, c.ID)
		}
		return nil
	})
	if err != nil || l.Until.IsZero() && len(l.Cases) == 0 {
		return nil, err
	}
	id := m.leftID(u.Email)
	if err := m.store.RemoveRecords(ctx, leftKind, []string{id}); err != nil { // of an account that had the address before
		return nil, err
	}
	return []Effect{Record{Kind: leftKind, ID: id, Data: encode(l), Expires: now.Add(CaseRetention), Version: 1}}, nil
}

func (c Case) waitsForAdmin() bool { return c.State == CaseOpen || c.State == CaseAppealed }

func (m *Market) leftID(email string) string {
	return hex.EncodeToString(m.keyedHash(NormalEmail(email)))
}

// MaySignUp returns CodeForbidden for the address of somebody who has left, while they would be suspended, or a case
// about them waits for an admin.
func (m *Market) MaySignUp(ctx context.Context, email string) error {
	r, err := m.store.Record(ctx, leftKind, m.leftID(email))
	if err != nil {
		return ignoreNotFound(err)
	}
	var l left
	if err := json.Unmarshal(r.Data, &l); err != nil {
		return err
	}
	isOpen := m.clock.Now().Before(l.Until)
	for _, id := range l.Cases {
		c, err := m.store.Case(ctx, id)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		isOpen = isOpen || err == nil && c.waitsForAdmin()
	}
	if !isOpen {
		return m.store.RemoveRecords(ctx, leftKind, []string{r.ID})
	}
	return forbidden("This email cannot sign up again yet, because a decision about its last account is still open")
}
