package market

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// What happens to conversations by itself: offers expire, or end when their phone is sold, removed or
// changed; threads close, and are deleted a year after their last message.

// movedPhoneKind is the kind of the records of phones that were sold, removed or changed. Their offers
// and threads follow.
const movedPhoneKind = "moved-phone"

// movedPersonKind is the kind of the records of people whose name or verification has changed. Their
// threads show it to the other sides.
const movedPersonKind = "moved-person"

func movedPerson(u User, at time.Time) Record {
	return Record{Kind: movedPersonKind, ID: u.UID + ":" + strconv.FormatInt(u.Version, 10), Data: encode(u.UID), Due: at, Version: 1}
}

// movedPhone returns the record of a change of a phone that concerns its offers or threads.
func movedPhone(kind string, before, p Product, at time.Time) []Effect {
	if before.Version == 0 || kind != TypeProductRemoved && p.Sold == before.Sold && p.TermsVersion == before.TermsVersion {
		return nil
	}
	return []Effect{movedPhoneRecord(p.ID, p.ID+":"+strconv.FormatInt(p.Version, 10), at)}
}

// settledPhone returns the record of a settled order: the thread of its buyer closes some time later.
func settledPhone(b Booking, at time.Time) []Effect {
	if b.Fulfilment == nil || b.Fulfilment.State != FulfilmentSettled {
		return nil
	}
	return []Effect{movedPhoneRecord(b.ProductID, b.ID+":settled", at)}
}

func movedPhoneRecord(productID, id string, at time.Time) Record {
	return Record{Kind: movedPhoneKind, ID: id, Data: encode(productID), Due: at, Version: 1}
}

// AddConversations adds what ends offers and threads by time or with their phone, and what follows a block.
func (m *Market) AddConversations(r *Runner) {
	moved := DueRecords(m.clock, m.store, movedPhoneKind, 1, m.followPhone)
	agreed := DueRecords(m.clock, m.store, agreedKind, 1, m.followBooking)
	people := DueRecords(m.clock, m.store, movedPersonKind, 1, m.followPerson)
	blocks := DueRecords(m.clock, m.store, blockKind, 1, m.followBlock)
	offers := DueItems[Offer]{
		Clock: m.clock, Read: m.store.OffersDue, ID: offerID, Due: func(o Offer) time.Time { return o.ExpiresAt },
		Workers: 1, Do: func(ctx context.Context, o Offer) error { return m.endOffer(ctx, o.ID, OfferExpired) },
	}
	threads := DueItems[Thread]{
		Clock: m.clock, Read: m.store.ThreadsDue, ID: func(t Thread) string { return t.ID }, Due: Thread.Due, Workers: 1, Do: m.endThread,
	}
	r.Add(
		Work{Name: "moved phones", Queue: movedPhoneKind, Step: moved.Step},
		Work{Name: "booked offers", Queue: agreedKind, Step: agreed.Step},
		Work{Name: "moved people", Queue: movedPersonKind, Step: people.Step},
		Work{Name: "blocks", Queue: blockKind, Step: blocks.Step},
		Work{Name: "expired offers", Queue: "offer", Pause: shortPause, Step: offers.Step},
		Work{Name: "ended threads", Queue: "thread", Look: time.Minute, Pause: shortPause, Step: threads.Step},
	)
}

// followPerson shows a person to the other sides of their threads.
func (m *Market) followPerson(ctx context.Context, r Record) error {
	var uid string
	if err := json.Unmarshal(r.Data, &uid); err != nil {
		return err
	}
	err := m.eachThreadOf(ctx, uid, func(t Thread) error {
		return m.changeThread(ctx, t.ID, func(*Thread) ([]string, error) { return []string{t.other(uid)}, nil })
	})
	if err != nil {
		return err
	}
	return m.store.RemoveRecords(ctx, r.Kind, []string{r.ID})
}

// followPhone ends the offers of a phone that is not for sale under their terms any more, and sets when
// its threads close.
func (m *Market) followPhone(ctx context.Context, r Record) error {
	var productID string
	if err := json.Unmarshal(r.Data, &productID); err != nil {
		return err
	}
	p, err := m.store.Product(ctx, productID)
	if ignoreNotFound(err) != nil {
		return err
	}
	isGone := err != nil
	err = each(func(page Page) ([]Offer, error) { return m.store.OpenOffersFor(ctx, productID, page) }, offerID,
		func(o Offer) error {
			if !isGone && (p.HeldFor(o.ID) || !p.Sold && p.TermsVersion == o.TermsVersion) {
				return nil
			}
			return m.endOffer(ctx, o.ID, OfferGone)
		})
	if err != nil {
		return err
	}
	err = m.eachThreadOfPhone(ctx, productID, func(t Thread) error {
		closesAt, err := m.closingTime(ctx, t, isGone || p.Sold)
		if err != nil {
			return err
		}
		return m.changeThread(ctx, t.ID, func(t *Thread) ([]string, error) {
			if !isGone {
				t.Phone = ThreadPhone{Name: p.Name, Img: p.Img, Price: p.ResalePrice}
			}
			if closesAt != t.ClosesAt {
				t.ClosesAt, t.Closed = closesAt, false
			}
			return []string{t.BuyerUID, t.SellerUID}, nil
		})
	})
	if err != nil {
		return err
	}
	return m.store.RemoveRecords(ctx, r.Kind, []string{r.ID})
}

// closingTime returns when a thread closes whose phone can be bought or not; zero for not at all. A time
// that is set stays.
func (m *Market) closingTime(ctx context.Context, t Thread, isGone bool) (time.Time, error) {
	if !isGone {
		return time.Time{}, nil
	}
	order, err := m.orderOf(ctx, t)
	switch {
	case err != nil:
		return time.Time{}, err
	case order.Fulfilment != nil && order.Fulfilment.State == FulfilmentSettled:
		return order.Fulfilment.SettledAt.Add(threadClosesAfterOrder), nil
	case order.Status == BookingPaid:
		return time.Time{}, nil
	case !t.ClosesAt.IsZero():
		return t.ClosesAt, nil
	}
	return m.clock.Now().Add(threadClosesAfterSale), nil
}

// endThread closes a thread whose time has come, or deletes it.
func (m *Market) endThread(ctx context.Context, t Thread) error {
	now := m.clock.Now()
	if now.Before(t.Last.At.Add(threadRetention)) {
		return m.changeThread(ctx, t.ID, func(t *Thread) ([]string, error) {
			if t.Closed || !t.isClosed(now) {
				return nil, nil
			}
			t.Closed = true
			return []string{t.BuyerUID, t.SellerUID}, nil
		})
	}
	return m.deleteThread(ctx, t)
}

// deleteThread deletes a thread with its messages and offers, and a block if it was the last thread of
// the two.
func (m *Market) deleteThread(ctx context.Context, t Thread) error {
	var messages, offers []string
	err := m.eachMessageOf(ctx, t.ID, func(v Message) error { messages = append(messages, v.ID); return nil })
	found, failure := m.store.OffersOfThread(ctx, t.ID)
	for _, o := range found {
		offers = append(offers, o.ID)
	}
	if err := errors.Join(err, failure); err != nil {
		return err
	}
	if err := errors.Join(m.store.RemoveMessages(ctx, messages), m.store.RemoveOffers(ctx, offers)); err != nil {
		return err
	}
	others, err := m.store.ThreadsOfPair(ctx, t.Pair(), Page{Limit: 2})
	if err == nil && len(others) < 2 {
		err = m.store.RemoveRecords(ctx, blockKind, []string{blockID(t.BuyerUID, t.SellerUID), blockID(t.SellerUID, t.BuyerUID)})
	}
	if err != nil {
		return err
	}
	t.Version++
	var effects []Effect
	for _, uid := range []string{t.BuyerUID, t.SellerUID} {
		effects = append(effects, Event{
			Topic: TopicMe(uid), Type: TypeThreadChanged, At: m.clock.Now(), Entity: t.ID, Version: t.Version,
			Data: encode(TombstoneView{ID: t.ID, Version: t.Version}),
		})
	}
	return ignoreConflict(m.store.RemoveThread(ctx, t, effects))
}

// leaveThreads ends the open offers of a person who was removed, erases the contact data in all of
// their offers, and tells the other sides of their threads. Their messages stay for the others.
func (m *Market) leaveThreads(ctx context.Context, uid string) error {
	err := each(func(page Page) ([]Offer, error) { return items(m.store.OffersOf(ctx, uid, SideBuyer, "", page)) },
		offerID, func(o Offer) error {
			if err := m.endOffer(ctx, o.ID, OfferGone); err != nil {
				return err
			}
			return m.eraseFromOffer(ctx, o.ID)
		})
	if err != nil {
		return err
	}
	return m.eachThreadOf(ctx, uid, func(t Thread) error {
		return m.changeThread(ctx, t.ID, func(t *Thread) ([]string, error) {
			left := &t.Left.Seller
			if uid == t.BuyerUID {
				left = &t.Left.Buyer
			}
			if *left {
				return nil, nil
			}
			*left = true
			return []string{t.other(uid)}, nil
		})
	})
}
