package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// OfferRequest is the payload of POST /offers.
type OfferRequest struct {
	ProductID       string
	Price           int // whole US dollars
	Phone, Location string
	Text            string // may be empty
	Key             string // made with the form; may be empty
	Confirm         bool   // as in MessageRequest
	// Network identifies the caller's network address; "" is not limited.
	Network string
	Wrong   Fields
}

// Limits of a buyer's offers. Concurrent calls may exceed them by their number.
const (
	maxOffersOnPhone = 3 // whatever became of them
	maxOpenOffers    = 10
)

func (in OfferRequest) check(p Product) error {
	f := FieldsOf(in.Wrong)
	f.text("productID", in.ProductID, maxShort)
	if _, isWrong := f["price"]; !isWrong && p.ID != "" {
		switch {
		case in.Price == 0:
			f.price("price", 0)
		case in.Price >= p.ResalePrice:
			f.Add("price", fmt.Sprintf("must be below the price of the phone, $%d", p.ResalePrice))
		case 2*in.Price < p.ResalePrice:
			f.Add("price", fmt.Sprintf("must be at least half of the price of the phone: $%d", (p.ResalePrice+1)/2))
		}
	}
	f.telephone(in.Phone)
	f.optional("location", in.Location, maxShort)
	if in.Text != "" {
		f.message("text", in.Text)
	}
	f.optional("key", in.Key, MaxKey)
	return f.Err()
}

// MakeOffer makes an offer for a phone, which stands in the thread of the phone and the buyer. It returns
// CodeSold, CodeHeld for the buyer who holds the phone, CodeNoOffers and CodeTooMany, in this order.
func (m *Market) MakeOffer(ctx context.Context, who Actor, in OfferRequest) (Offer, error) {
	p, err := m.productOrNone(ctx, in.ProductID)
	if err != nil {
		return Offer{}, err
	}
	if err := m.mayAsk(ctx, who, p); err != nil {
		return Offer{}, err
	}
	if err := in.check(p); err != nil {
		return Offer{}, err
	}
	uid := who.User.UID
	o := Offer{
		ProductID: p.ID, Name: p.Name, Img: p.Img, ListPrice: p.ResalePrice, BuyerUID: uid, SellerUID: p.SellerUID, Price: in.Price,
		Status: OfferOpen, ExpiresAt: m.clock.Now().Add(OfferTime), Phone: in.Phone, Location: in.Location, Network: in.Network,
		TermsVersion: p.TermsVersion, Version: 1,
	}
	t, v, err := m.addLine(ctx, who, func() (Thread, error) { return m.threadAbout(ctx, p, uid) }, line{
		text: in.Text, key: lineKey(uid, MessageOffer, in.Key), confirm: in.Confirm,
		offer: &o, mayOffer: func() error { return m.mayOffer(ctx, uid, p) },
	})
	if err != nil {
		return Offer{}, err
	}
	o.ID, o.ThreadID = v.OfferID, t.ID
	return o, nil
}

// mayOffer returns an error if a buyer may not make an offer for a phone.
func (m *Market) mayOffer(ctx context.Context, uid string, p Product) error {
	switch {
	case p.Sold:
		return refuse(CodeSold, "This phone has been sold")
	case p.Hold != nil && p.Hold.BuyerUID == uid:
		return refuse(CodeHeld, "You have booked this phone. Cancel the booking to make an offer")
	case p.NoOffers:
		return refuse(CodeNoOffers, "The seller takes no offers for this phone")
	}
	made, err := m.store.OffersOf(ctx, uid, SideBuyer, p.ID, Page{Limit: 1})
	if err != nil {
		return err
	}
	if made.Total >= maxOffersOnPhone {
		return refuse(CodeTooMany, fmt.Sprintf("You have made %d offers for this phone. That is the limit", maxOffersOnPhone))
	}
	open, err := m.store.CountOpenOffers(ctx, uid)
	if err == nil && open >= maxOpenOffers {
		return refuse(CodeTooMany, fmt.Sprintf("%d of your offers are open. Wait for an answer, or withdraw one first", maxOpenOffers))
	}
	return err
}

// Offers lists a person's own offers: those that they made and those for their phones, newest first;
// only those for one phone if productID is not "".
func (m *Market) Offers(ctx context.Context, who Actor, email, productID string, page Page) (List[OfferView], error) {
	uid := who.User.UID
	switch {
	case !who.User.MayBuy():
		return List[OfferView]{}, forbidden("Admins have no offers")
	case email == "":
		return List[OfferView]{}, Invalid("email", "is required")
	case NormalEmail(email) != NormalEmail(who.User.Email):
		return List[OfferView]{}, forbidden("You can only see your own offers here")
	}
	var all []Offer
	var list List[OfferView]
	for _, side := range []OrderSide{SideBuyer, SideSeller} {
		found, err := m.store.OffersOf(ctx, uid, side, productID, page)
		if err != nil {
			return List[OfferView]{}, err
		}
		all, list.Total, list.More = append(all, found.Items...), list.Total+found.Total, list.More || found.More
	}
	slices.SortFunc(all, func(a, b Offer) int { return strings.Compare(b.ID, a.ID) })
	if len(all) > page.Limit {
		all, list.More = all[:page.Limit], true
	}
	for _, o := range all {
		list.Items = append(list.Items, o.ViewFor(uid))
	}
	return list, nil
}

func offerID(o Offer) string { return o.ID }

// offerEvents returns the events of an offer for both sides.
func (m *Market) offerEvents(o Offer, at time.Time) []Effect {
	var effects []Effect
	for _, uid := range []string{o.BuyerUID, o.SellerUID} {
		effects = append(effects, Event{
			Topic: TopicMe(uid), Type: TypeOfferChanged, At: at, Entity: o.ID, Version: o.Version, Data: encode(Absolute(m, o.ViewFor(uid))),
		})
	}
	return effects
}

// changeOffer applies a change to an offer and stores it with its events. change returns false to change
// nothing. uid is the person who answers the offer; their answer stands in the thread. It is "" if it
// changes by itself, or is accepted.
func (m *Market) changeOffer(ctx context.Context, id, uid string, change func(*Offer) (bool, error)) (isChanged bool, err error) {
	for {
		o, err := m.store.Offer(ctx, id)
		if err != nil {
			return false, err
		}
		before := o
		if ok, err := change(&o); err != nil || !ok {
			return false, err
		}
		o.Version++
		now := m.clock.Now()
		effects := m.offerEvents(o, now)
		if o.Status == OfferAccepted {
			uid = o.accepter()
		}
		if o.Status != before.Status && before.Status != OfferLapsed { // of a late payment, the order tells
			more, err := m.withoutRemoved(ctx, o.notices(uid, now))
			if err != nil {
				return false, err
			}
			effects = slices.Concat(effects, m.noteOf(o, uid, now), more)
		}
		err = m.store.SaveOffer(ctx, o, effects)
		if !errors.Is(err, ErrConflict) {
			return err == nil, err
		}
	}
}

// noteOf returns the note of a person's answer to an offer, with its events. It is a message of the
// thread beside those that people write: it does not change the thread.
func (m *Market) noteOf(o Offer, uid string, at time.Time) []Effect {
	text := o.answer()
	if uid == "" || text == "" {
		return nil
	}
	if earliest := o.CreatedAt.Add(time.Millisecond); at.Before(earliest) { // the clock of another node
		at = earliest
	}
	v := Message{ID: NewID(at), ThreadID: o.ThreadID, Kind: MessageNote, ByUID: uid, Text: text, OfferID: o.ID, At: at, Version: 1}
	return append([]Effect{v}, m.messageEvents(v, &o, o.BuyerUID, o.SellerUID)...)
}

// endOffer ends an open offer that nobody has answered. It does nothing to another one.
func (m *Market) endOffer(ctx context.Context, id string, as OfferStatus) error {
	_, err := m.changeOffer(ctx, id, "", func(o *Offer) (bool, error) {
		isDue := as != OfferExpired || !m.clock.Now().Before(o.ExpiresAt)
		isOpen := o.Status.IsOpen() && isDue
		if isOpen {
			o.Status = as
		}
		return isOpen, nil
	})
	return ignoreNotFound(err)
}

// eraseFromOffer erases the contact data of a buyer.
func (m *Market) eraseFromOffer(ctx context.Context, id string) error {
	_, err := m.changeOffer(ctx, id, "", func(o *Offer) (bool, error) {
		isErased := o.Phone == "" && o.Location == "" && o.Network == ""
		o.Phone, o.Location, o.Network = "", "", ""
		return !isErased, nil
	})
	return ignoreNotFound(err)
}

// answer returns the text of the note about an answer.
func (o Offer) answer() string {
	switch o.Status {
	case OfferCountered:
		return fmt.Sprintf("Asks $%d instead of $%d.", o.Counter, o.Price)
	case OfferAccepted:
		return fmt.Sprintf("Accepted $%d.", o.price())
	case OfferDeclined:
		return fmt.Sprintf("Declined $%d.", o.price())
	case OfferWithdrawn:
		return fmt.Sprintf("Withdrew the offer of $%d.", o.Price)
	case OfferOpen, OfferExpired, OfferLapsed, OfferGone:
	}
	return ""
}
