package market

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Evidence is a photograph that a side of a paid order has added to it, for a problem of the order. Its
// picture is a file of the image host, which only both sides and admins get.
type Evidence struct {
	ID        string // random: the last part of the picture's address
	BookingID string
	ByUID     string // who has added it
	Number    int    // of the person's photographs of the order, from 1; the store sets it
	At        time.Time
	KeptUntil time.Time // when it is deleted, or kept for longer
	Version   int64
}

// EvidencePath is what the addresses of evidence photographs begin with. The ID follows.
const EvidencePath = "/evidence/"

// Limits of evidence photographs.
const (
	maxEvidence     = 12 // of one person and order
	maxEvidenceUsed = 6  // of one problem, answer or objection
)

// EvidenceRetention is how long a photograph is kept after the settlement of its order.
const EvidenceRetention = 180 * 24 * time.Hour

const evidenceIDBytes = 16

// IsEvidenceID returns whether a text has the form of the ID of an evidence photograph.
func IsEvidenceID(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == evidenceIDBytes && s == strings.ToLower(s)
}

// Address returns the path at which the server has the picture.
func (e Evidence) Address() string { return EvidencePath + e.ID }

// MayAddEvidence returns an error unless a person may add a photograph to an order: its buyer or its
// seller, while it is paid and not settled.
func (m *Market) MayAddEvidence(ctx context.Context, who Actor, bookingID string) error {
	b, err := m.Booking(ctx, who, bookingID)
	switch {
	case err != nil:
		return err
	case who.User.UID != b.BuyerUID && who.User.UID != b.SellerUID:
		return forbidden("Only the buyer and the seller of an order can add photographs to it")
	case b.Status != BookingPaid || b.Fulfilment == nil || b.Fulfilment.State == FulfilmentSettled:
		return refuse(CodeConflict, "You can add photographs to an order from its payment until it is settled")
	}
	return nil
}

// AddEvidence adds a photograph to an order, for a person who may add one. The caller stores its picture
// next. If it is killed before, the photograph has no picture, and nobody knows its address.
func (m *Market) AddEvidence(ctx context.Context, who Actor, bookingID string) (Evidence, error) {
	now := m.clock.Now()
	id := make([]byte, evidenceIDBytes)
	rand.Read(id) // never fails: crypto/rand.Read ends the program instead
	e := Evidence{
		ID: hex.EncodeToString(id), BookingID: bookingID, ByUID: who.User.UID, At: now, KeptUntil: now.Add(EvidenceRetention), Version: 1,
	}
	err := m.store.AddEvidence(ctx, e, maxEvidence)
	if errors.Is(err, ErrLimit) {
		err = refuse(CodeTooMany, fmt.Sprintf("You have added %d photographs to this order. That is the limit", maxEvidence))
	}
	return e, err
}

// Evidence returns an evidence photograph to both sides of its order and to admins, and CodeNotFound to
// everybody else.
func (m *Market) Evidence(ctx context.Context, who Actor, id string) (Evidence, error) {
	found, err := m.store.EvidenceByID(ctx, []string{id})
	if err != nil {
		return Evidence{}, err
	}
	if len(found) == 0 {
		return Evidence{}, missing("photograph")
	}
	_, err = m.Booking(ctx, who, found[0].BookingID)
	if CodeOf(err) != "" {
		return Evidence{}, missing("photograph")
	}
	return found[0], err
}

// RemoveEvidence removes a photograph. The caller has deleted its picture.
func (m *Market) RemoveEvidence(ctx context.Context, e Evidence) error {
	e.Version++
	return ignoreTaken(m.store.RemoveEvidence(ctx, e))
}

// AddEvidenceDeletion adds the deletion of the photographs of orders that were settled EvidenceRetention
// ago. deletePicture deletes the picture of a photograph. It must be safe to repeat.
func (m *Market) AddEvidenceDeletion(r *Runner, deletePicture func(context.Context, Evidence) error) {
	due := DueItems[Evidence]{
		Clock: m.clock, Read: m.store.EvidenceDue, ID: evidenceID, Due: func(e Evidence) time.Time { return e.KeptUntil }, Workers: 1,
		Do: func(ctx context.Context, e Evidence) error {
			until, err := m.evidenceUntil(ctx, e)
			if err != nil {
				return err
			}
			if m.clock.Now().Before(until) {
				e.KeptUntil, e.Version = until, e.Version+1
				return ignoreConflict(m.store.SaveEvidence(ctx, e))
			}
			if err := deletePicture(ctx, e); err != nil {
				return err
			}
			return m.RemoveEvidence(ctx, e)
		},
	}
	r.Add(Work{Name: "evidence", Queue: EvidenceQueue, Look: time.Hour, Step: due.Step})
}

// EvidenceQueue is the queue of the store in which evidence photographs are due.
const EvidenceQueue = "evidence"

func evidenceID(e Evidence) string { return e.ID }

// evidenceUntil returns until when a photograph is kept. While its order is not over that is at least
// EvidenceRetention from now, so no photograph of an order is due before the time that its settlement sets.
func (m *Market) evidenceUntil(ctx context.Context, e Evidence) (time.Time, error) {
	b, err := m.store.Booking(ctx, e.BookingID)
	if errors.Is(err, ErrNotFound) {
		return e.KeptUntil, nil
	}
	end := b.endedAt()
	if end.IsZero() {
		end = m.clock.Now()
	}
	return end.Add(EvidenceRetention), err
}

// mustBeEvidence adds an error to the field photos unless each address is that of another photograph which
// the person has added to the order, and there are at most maxEvidenceUsed. It returns errors of the store.
func (m *Market) mustBeEvidence(ctx context.Context, b Booking, uid string, f Fields, addresses []string) error {
	if len(addresses) == 0 {
		return nil
	}
	if len(addresses) > maxEvidenceUsed {
		f.Add("photos", fmt.Sprintf("must have at most %d", maxEvidenceUsed))
		return nil
	}
	ids := make([]string, len(addresses))
	for i, address := range addresses {
		id, ok := strings.CutPrefix(address, EvidencePath)
		if !ok || !IsEvidenceID(id) {
			f.Add("photos", "must be photographs that you have added to this order")
			return nil
		}
		if slices.Contains(ids, id) {
			f.Add("photos", "must have each photograph once")
			return nil
		}
		ids[i] = id
	}
	found, err := m.store.EvidenceByID(ctx, ids)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(e Evidence) bool { return e.BookingID != b.ID || e.ByUID != uid })
	if len(found) < len(ids) {
		f.Add("photos", "must be photographs that you have added to this order")
	}
	return nil
}

// eachEvidenceBy visits every photograph that a person has added to orders.
func (m *Market) eachEvidenceBy(ctx context.Context, uid string, visit func(Evidence) error) error {
	return each(func(page Page) ([]Evidence, error) { return m.store.EvidenceBy(ctx, uid, page) }, evidenceID, visit)
}
