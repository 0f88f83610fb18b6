package market

import (
	"context"
	"errors"
	"fmt"
)

// OfferAction is what a side does with an offer.
type OfferAction string

// The actions.
const (
	ActionAccept   OfferAction = "accept"
	ActionDecline  OfferAction = "decline"
	ActionCounter  OfferAction = "counter"  // by the seller, once
	ActionWithdraw OfferAction = "withdraw" // by the buyer
)

// AnswerRequest is the payload of PUT /offers/{id}.
type AnswerRequest struct {
	Action OfferAction
	Price  int // of ActionCounter, whole US dollars
	Wrong  Fields
}

// Answer is the result of an action.
type Answer struct {
	Modified  int    // 0 if the offer was in that state already
	BookingID string // of an accepted offer
}

// AnswerOffer does an action of one side of an offer. The seller answers an offer, and the buyer a
// counter; an offer that is accepted books the phone for the buyer. It returns CodeOver, CodeSold,
// CodeHeld and CodeBuyerLimit, in this order.
func (m *Market) AnswerOffer(ctx context.Context, who Actor, id string, in AnswerRequest) (Answer, error) {
	o, err := m.store.Offer(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return Answer{}, missing("offer")
	}
	if err != nil {
		return Answer{}, err
	}
	uid := who.User.UID
	side := o.side(uid)
	if side == "" || !who.User.MayBuy() {
		return Answer{}, forbidden("This offer belongs to other people")
	}
	if err := m.mayTrade(ctx, who); err != nil {
		return Answer{}, err
	}
	if err := in.check(o, side); err != nil {
		return Answer{}, err
	}
	if in.Action == ActionAccept {
		return m.acceptOffer(ctx, o)
	}
	isChanged, err := m.changeOffer(ctx, id, uid, func(o *Offer) (bool, error) { return m.answerOther(o, in) })
	if !isChanged {
		return Answer{}, err
	}
	p, err := m.store.Product(ctx, o.ProductID)
	if err == nil && p.HeldFor(id) { // it is accepted at the same moment: see stillStands
		return Answer{}, offerIsOver()
	}
	return Answer{Modified: 1}, ignoreNotFound(err)
}

func (in AnswerRequest) check(o Offer, side OrderSide) error {
	f := FieldsOf(in.Wrong)
	f.oneOf("action", string(in.Action), string(ActionAccept), string(ActionDecline), string(ActionCounter), string(ActionWithdraw))
	if err := f.Err(); err != nil {
		return err
	}
	switch {
	case in.Action == ActionCounter && side != SideSeller:
		return forbidden("Only the seller can name another price")
	case in.Action == ActionWithdraw && side != SideBuyer:
		return forbidden("Only the buyer can withdraw an offer")
	case in.Action == ActionAccept && side == o.by() && o.Status.IsOpen():
		return forbidden("The other side has to accept this price")
	case in.Action == ActionDecline && side == SideBuyer && o.Status == OfferOpen:
		return forbidden("The seller has to answer your offer. You can withdraw it")
	}
	if in.Action == ActionCounter && (in.Price <= o.Price || in.Price >= o.ListPrice) {
		f.Add("price", fmt.Sprintf("must be whole US dollars between the offer, $%d, and the price of the phone, $%d", o.Price, o.ListPrice))
	}
	return f.Err()
}

func offerIsOver() error { return refuse(CodeOver, "This offer cannot be answered any more") }

// answerOther makes an action other than ActionAccept. It returns false if the offer is in that state
// already.
func (m *Market) answerOther(o *Offer, in AnswerRequest) (bool, error) {
	to := map[OfferAction]OfferStatus{ActionDecline: OfferDeclined, ActionCounter: OfferCountered, ActionWithdraw: OfferWithdrawn}[in.Action]
	switch {
	case o.Status == to && (to != OfferCountered || o.Counter == in.Price):
		return false, nil
	case !o.Status.IsOpen(), !m.clock.Now().Before(o.ExpiresAt), to == OfferCountered && o.Counter > 0:
		return false, offerIsOver()
	case to == OfferCountered:
		o.Counter, o.ExpiresAt = in.Price, m.clock.Now().Add(OfferTime)
	}
	o.Status = to
	return true, nil
}

// acceptOffer holds the phone for the buyer at the offer's price, in the compare-and-set that a booking
// is. The Hold has the price and the offer. So after a crash the runner completes the booking at that
// price, and then the offer.
func (m *Market) acceptOffer(ctx context.Context, o Offer) (Answer, error) {
	for {
		if o.Status == OfferAccepted {
			return Answer{BookingID: o.BookingID}, nil
		}
		p, err := m.acceptable(ctx, o)
		if err != nil {
			return Answer{}, err
		}
		if !p.HeldFor(o.ID) {
			p, err = m.holdForOffer(ctx, p, o)
		}
		if errors.Is(err, ErrConflict) || errors.Is(err, ErrNotFound) { // the phone has changed
			if o, err = m.store.Offer(ctx, o.ID); err != nil {
				return Answer{}, err
			}
			continue
		}
		if err != nil {
			return Answer{}, err
		}
		b, err := m.bookingOf(ctx, p)
		if CodeOf(err) == CodeTooMany {
			return Answer{}, buyerLimit()
		}
		if err != nil {
			return Answer{}, err
		}
		return Answer{Modified: 1, BookingID: b.ID}, m.offerFollows(ctx, b)
	}
}

// acceptable returns the phone of an offer that can be accepted now, or is held for it.
func (m *Market) acceptable(ctx context.Context, o Offer) (Product, error) {
	p, err := m.store.Product(ctx, o.ProductID)
	switch {
	case errors.Is(err, ErrNotFound):
		return p, offerIsOver()
	case err != nil:
		return p, err
	case p.HeldFor(o.ID):
		return p, nil
	case !o.Status.IsOpen(), !m.clock.Now().Before(o.ExpiresAt):
		return p, offerIsOver()
	case p.TermsVersion != o.TermsVersion:
		return p, offerIsOver()
	case p.Sold:
		return p, refuse(CodeSold, "This phone has been sold")
	case p.Booked():
		return p, refuse(CodeHeld, "This phone is booked. The offer can be accepted when that booking ends without a payment")
	}
	if err := m.notBlocked(ctx, o.BuyerUID, o.SellerUID); CodeOf(err) == CodeBlocked {
		return p, offerIsOver()
	} else if err != nil {
		return p, err
	}
	return p, m.buyerMayHold(ctx, o)
}

// buyerMayHold returns CodeBuyerLimit if the buyer's own booking would be refused now.
func (m *Market) buyerMayHold(ctx context.Context, o Offer) error {
	buyer, err := m.store.User(ctx, o.BuyerUID)
	if errors.Is(err, ErrNotFound) || err == nil && (buyer.Removed || buyer.Leaving || !buyer.MayBuy()) {
		return refuse(CodeBuyerLimit, "The buyer cannot book phones now")
	}
	if err != nil {
		return err
	}
	err = m.mayHold(ctx, o.BuyerUID, o.ProductID)
	if err == nil {
		err = m.networkMayHold(ctx, o.Network, 1)
	}
	if code := CodeOf(err); code == CodeTooMany || code == CodeWait {
		return buyerLimit()
	}
	return err
}

func buyerLimit() error {
	return refuse(CodeBuyerLimit, "The buyer cannot book another phone now: they have reached the limit of unpaid bookings, "+
		"or a booking of this phone by them has just ended. Try again later")
}

// HeldFor returns whether the phone is held, or was bought, for an offer.
func (p Product) HeldFor(offerID string) bool {
	return p.Hold != nil && p.Hold.Offer != nil && p.Hold.Offer.ID == offerID
}

// holdForOffer writes the Hold of an offer to its phone.
func (m *Market) holdForOffer(ctx context.Context, p Product, o Offer) (Product, error) {
	buyer, err := m.store.User(ctx, o.BuyerUID)
	if err != nil {
		return p, err
	}
	now, before := m.clock.Now(), p
	p.Hold = &Hold{
		BookingID: NewID(now), BuyerUID: buyer.UID, Name: buyer.Name, Email: buyer.Email, Phone: o.Phone, Location: o.Location,
		At: now, Until: now.Add(m.rules.OfferHold), Network: o.Network,
		Offer: &HoldOffer{ID: o.ID, Price: o.price(), ListPrice: p.ResalePrice},
	}
	p.Version++
	return p, m.store.SaveProduct(ctx, p, m.productEvents(TypeProductBooked, before, p, now))
}
