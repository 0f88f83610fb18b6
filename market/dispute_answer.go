package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// An admin answers a dispute at the buyer's bank once, with what the market knows about the order. Three
// steps, each of which may be the last before a crash:
//
//  1. the order: an answer was begun, with the entry in the audit log;
//  2. the answer goes to the provider, which knows a repeated call;
//  3. the order: answered.
//
// The payment check continues: it reads the dispute first, and stores that it is answered or sends the
// answer.

// DisputeAnswer is what the bank gets. All texts are in English; an empty one is not sent.
type DisputeAnswer struct {
	DisputeID         string
	Product           string // its name and its price
	BuyerName         string
	BuyerEmail        string
	Carrier, Tracking string
	SentOn            string // the day on which the phone was sent
	Facts             string // what happened, and the conversation: at most maxFacts characters
	Photos            []byte // a JPEG with all photographs of both sides; nil for none
}

// AnswerDispute sends what the market knows about an order to the bank at which its buyer disputes the
// payment, for admins. If it returns 1, the answer is sent, even if the provider fails in the meantime.
func (m *Market) AnswerDispute(ctx context.Context, who Actor, id string) (int, error) {
	b, err := m.orderForAdmin(ctx, who, id, func(Fields) {}, nil)
	if err != nil {
		return 0, err
	}
	if err := b.mayAnswerDispute(m.clock.Now()); err != nil {
		return 0, err
	}
	in, err := m.payments.Intent(ctx, b.Intent)
	if err != nil {
		return 0, unavailable(err)
	}
	if err := m.followDispute(ctx, b, in); err != nil {
		return 0, err
	}
	n, err := m.beginAnswer(ctx, b, who.User)
	if err != nil {
		return 0, err
	}
	if b, err = m.store.Booking(ctx, b.ID); err == nil {
		_ = m.checkPayment(ctx, b) // the runner tries again, and logs why it failed
	}
	return n, nil
}

// beginAnswer stores that an admin has decided to answer the dispute.
func (m *Market) beginAnswer(ctx context.Context, b Booking, admin User) (int, error) {
	seller, err := m.idOf(ctx, b.SellerUID)
	if err != nil {
		return 0, err
	}
	return m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		if err := b.mayAnswerDispute(now); err != nil {
			return false, nil, err
		}
		d := *b.Dispute
		d.AnswerBegunAt = now
		b.Dispute, b.Due = &d, now
		return true, append(m.bookingEvents(*b, now), NewAuditEntry(now, &admin, ActionAnswerDispute).of(b.ID, b.title(), seller)), nil
	})
}

// awaitsAnswer returns whether the bank may wait for an answer.
func (b Booking) awaitsAnswer() bool {
	return b.isDisputed() && !b.Dispute.AnswerBy.IsZero() && b.Dispute.AnswerBegunAt.IsZero() && b.Dispute.AnsweredAt.IsZero()
}

// mayAnswerDispute returns an error if the dispute cannot be answered.
func (b Booking) mayAnswerDispute(now time.Time) error {
	switch d := b.Dispute; {
	case !b.isDisputed():
		return refuse(CodeConflict, "The buyer does not dispute this payment at their bank")
	case !d.AnswerBegunAt.IsZero(), !d.AnsweredAt.IsZero():
		return refuse(CodeConflict, "This dispute has been answered already. The bank takes one answer")
	case d.AnswerBy.IsZero():
		return refuse(CodeConflict, "The bank takes no answer to this dispute")
	case !now.Before(d.AnswerBy):
		return refuse(CodeConflict, "The time to answer this dispute ended on "+inFull(d.AnswerBy))
	}
	return nil
}

// isAnswerDue returns whether the answer to the order's dispute was begun, and has to be sent.
func (m *Market) isAnswerDue(b Booking) bool {
	d := b.Dispute
	return b.isDisputed() && !d.AnswerBegunAt.IsZero() && d.AnsweredAt.IsZero() && m.clock.Now().Before(d.AnswerBy)
}

// sendDisputeAnswer sends an answer that the provider does not have, as a check has just read.
func (m *Market) sendDisputeAnswer(ctx context.Context, b Booking) (Booking, error) {
	a, err := m.disputeAnswer(ctx, b)
	if err == nil {
		err = unavailable(m.payments.AnswerDispute(ctx, a))
	}
	if err != nil {
		return b, errors.Join(err, m.scheduleCheck(context.WithoutCancel(ctx), b))
	}
	_, err = m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		if b.Dispute == nil || b.Dispute.ID != a.DisputeID || !b.Dispute.AnsweredAt.IsZero() {
			return false, nil, nil
		}
		d := *b.Dispute
		d.AnsweredAt = now
		b.Dispute, b.Due = &d, now // the check does what else is due
		return true, m.bookingEvents(*b, now), nil
	})
	if err != nil {
		return b, err
	}
	return m.store.Booking(ctx, b.ID)
}

// EvidencePictures has the pictures of evidence photographs.
type EvidencePictures interface {
	// ContactSheet returns a JPEG of at most maxBytes with the pictures, in rows of three, from left to
	// right. The place of a picture that does not exist any more is empty.
	ContactSheet(ctx context.Context, photos []Evidence, maxBytes int) ([]byte, error)
}

// UseEvidencePictures sets what has the pictures. Call it before the market is used.
func (m *Market) UseEvidencePictures(p EvidencePictures) { m.evidencePictures = p }

// maxSheet is the length of the picture of all photographs, in bytes. Stripe takes 4.5 MB for all files
// of a dispute (https://docs.stripe.com/disputes/responding#supported-file-formats).
const maxSheet = 4_000_000

// disputeAnswer returns the answer to an order's dispute, with what was known when it was begun: so a
// repeated call sends the same.
func (m *Market) disputeAnswer(ctx context.Context, b Booking) (DisputeAnswer, error) {
	lines, err := m.linesAbout(ctx, b)
	if err != nil {
		return DisputeAnswer{}, err
	}
	a := DisputeAnswer{
		DisputeID: b.Dispute.ID, Product: b.productFacts(), BuyerName: b.UserName, BuyerEmail: b.Email, Facts: b.facts(lines),
	}
	if f := b.Fulfilment; f != nil {
		a.Carrier, a.Tracking = f.Carrier, f.Tracking
		if !f.SentAt.IsZero() {
			a.SentOn = OnDay(f.SentAt)
		}
	}
	a.Photos, err = m.contactSheet(ctx, b.shownPhotos())
	return a, err
}

// contactSheet returns a picture of the photographs at these addresses; nil for none.
func (m *Market) contactSheet(ctx context.Context, shown []shownPhotos) ([]byte, error) {
	var photos []Evidence
	for _, s := range shown {
		for _, address := range s.addresses {
			photos = append(photos, Evidence{ID: address[len(EvidencePath):]})
		}
	}
	if len(photos) == 0 || m.evidencePictures == nil {
		return nil, nil
	}
	return m.evidencePictures.ContactSheet(ctx, photos, maxSheet)
}

// linesAbout returns the messages of the order's buyer and seller about its phone, until the answer to
// the dispute was begun, oldest first.
func (m *Market) linesAbout(ctx context.Context, b Booking) ([]string, error) {
	t, err := m.store.ThreadOf(ctx, b.ProductID, b.BuyerUID)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	offers, err := m.store.OffersOfThread(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	var lines []string // newest first
	err = m.eachMessageOf(ctx, t.ID, func(v Message) error {
		if !v.At.After(b.Dispute.AnswerBegunAt) {
			i := slices.IndexFunc(offers, func(o Offer) bool { return v.Kind == MessageOffer && o.ID == v.OfferID })
			line := onMinute(v.At) + " " + string(t.side(v.ByUID)) + ": "
			if i >= 0 {
				line += "[offers " + fmt.Sprint("$", offers[i].Price) + "] "
			}
			lines = append(lines, line+v.Text)
		}
		return nil
	})
	slices.Reverse(lines)
	return lines, err
}
