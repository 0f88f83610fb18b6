package market

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"math/big"
	"time"
)

// Handover is the code with which the two sides confirm that they have met. The buyer shows
// it, the seller enters it. It is not hashed, because a hash of six digits is easy to
// reverse, and it expires after minutes.
type Handover struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires"`
	Tries   int       `json:"tries"` // wrong codes that the seller has entered
}

// The limits of a handover code.
const (
	handoverDigits = 6
	handoverTTL    = 10 * time.Minute
	handoverTries  = 5
)

// OpenHandover makes the code that the buyer shows when they meet the seller, or the seller when the
// buyer returns the phone. It replaces an earlier code.
func (m *Market) OpenHandover(ctx context.Context, who Actor, id string) (Handover, error) {
	b, err := m.Booking(ctx, who, id)
	if err != nil {
		return Handover{}, err
	}
	step, getsPhone := b.handoverStep(), b.isBuyer(who)
	if step == stepHandBack {
		getsPhone = b.SellerUID == who.User.UID
	}
	if !getsPhone {
		return Handover{}, forbidden("Only the one who gets the phone can ask for the code")
	}
	code, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return Handover{}, err
	}
	h := Handover{Code: fmt.Sprintf("%0*d", handoverDigits, code), Expires: m.clock.Now().Add(handoverTTL)}
	_, err = m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		if _, err := b.next(step); err != nil {
			return false, nil, err
		}
		b.setHandover(h)
		f := b.Fulfilment
		if f.State != FulfilmentWaiting && f.State != FulfilmentReturning || !f.Deadline.Before(h.Expires) {
			return true, nil, nil
		}
		f.Deadline, b.Due = h.Expires, f.dueAt(now) // the two have met
		m.checkDisputeInTime(b)
		return true, m.bookingEvents(*b, now), nil
	})
	return h, err
}

// handoverStep returns the step that a code confirms: that the buyer has the phone, or that the seller has
// it back.
func (b Booking) handoverStep() fulfilmentStep {
	if b.Fulfilment != nil && b.Fulfilment.State == FulfilmentReturning {
		return stepHandBack
	}
	return stepHandOver
}

// setHandover replaces the code of a paid order.
func (b *Booking) setHandover(h Handover) {
	f := *b.Fulfilment
	f.Handover = &h
	b.Fulfilment = &f
}

// enterCode compares the code of the one who hands the phone over with the other side's. It stores the try before it
// compares, so that concurrent calls get no more tries than sequential ones.
func (m *Market) enterCode(ctx context.Context, b Booking, step fulfilmentStep, code string) error {
	other := "buyer"
	if step == stepHandBack {
		other = "seller"
	}
	var h Handover
	_, err := m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		f, err := b.next(step)
		if err != nil {
			return false, nil, err
		}
		if f.Handover == nil || !now.Before(f.Handover.Expires) {
			return false, nil, refuse(CodeClosed, "There is no valid code. Ask the "+other+" to show a new one")
		}
		h = *f.Handover
		if h.Tries >= handoverTries {
			return false, nil, refuse(CodeClosed, "Too many wrong codes were entered. Ask the "+other+" to show a new one")
		}
		h.Tries++
		b.setHandover(h)
		return true, nil, nil
	})
	if err == nil && subtle.ConstantTimeCompare([]byte(h.Code), []byte(code)) == 0 {
		return Invalid("code", fmt.Sprintf("This is not the %s's code. Tries left: %d", other, handoverTries-h.Tries))
	}
	return err
}
