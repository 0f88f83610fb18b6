package market_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// No line and no offer passes a block that was made while it was written.
func TestBlockWhileALineIsWritten(t *testing.T) {
	o := newOffered(t)
	block := func() {
		_, err := o.Block(o.ctx, o.seller, o.offer.ThreadID)
		o.must(err)
	}
	_, err := o.beforeWrite(isThread, block).MakeOffer(o.ctx, o.buyer, market.OfferRequest{ProductID: o.phone.ID, Price: 31, Phone: "01800000"})
	o.wantCode(err, market.CodeBlocked)
	o.wantOffer(market.OfferGone)
	if n, err := o.store.CountOpenOffers(o.ctx, o.buyer.User.UID); err != nil || n != 0 {
		t.Errorf("%d offers of a blocked buyer are open, %v", n, err)
	}
	_, err = o.Unblock(o.ctx, o.seller, o.offer.ThreadID)
	o.must(err)
	_, err = o.beforeWrite(isThread, block).SendMessage(o.ctx, o.buyer, o.offer.ThreadID, market.MessageRequest{Text: "Hello?"})
	o.wantCode(err, market.CodeBlocked)
	if lines := o.lines(); len(lines) != 1 {
		t.Errorf("the thread has the lines %q", lines)
	}
}

func TestBlockBesideAccepts(t *testing.T) {
	for range 5 {
		e := newEnv(t)
		seller, buyer := e.seller(), e.buyer()
		var offers []market.Offer
		for range 3 { // as many as a buyer may hold
			offers = append(offers, e.mustOffer(buyer, e.phone(seller)))
		}
		var all sync.WaitGroup
		accepted := make([]error, len(offers))
		for i, o := range offers {
			all.Go(func() {
				_, accepted[i] = e.AnswerOffer(e.ctx, seller, o.ID, market.AnswerRequest{Action: market.ActionAccept})
			})
		}
		all.Go(func() {
			if _, err := e.Block(e.ctx, seller, offers[0].ThreadID); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		for i, o := range offers {
			want := market.OfferAccepted
			if accepted[i] != nil {
				e.wantCode(accepted[i], market.CodeOver)
				want = market.OfferGone
			}
			got, err := e.store.Offer(e.ctx, o.ID)
			e.must(err)
			p := e.stored(market.Product{ID: o.ProductID})
			if got.Status != want || p.Booked() != (want == market.OfferAccepted) {
				t.Errorf("the accept returned %v, the offer is %s, and the phone is booked: %v", accepted[i], got.Status, p.Booked())
			}
		}
	}
}

// lateCopies is a store that finds no message by its key: one that copies messages from their thread may
// not have copied the newest ones.
type lateCopies struct{ market.Store }

func (lateCopies) MessageOfKey(context.Context, string, string) (market.Message, error) {
	return market.Message{}, market.ErrNotFound
}

func TestKeyOfALineIsUsedOnceBeforeItsCopy(t *testing.T) {
	o := newOffered(t)
	m := market.New(lateCopies{o.store}, o.clock, o.rules, o.bank)
	send := func(who market.Actor) market.Message {
		t.Helper()
		v, err := m.SendMessage(o.ctx, who, o.offer.ThreadID, market.MessageRequest{Text: "Hello", Key: "k"})
		o.must(err)
		return v
	}
	first := send(o.buyer)
	if again := send(o.buyer); again.ID != first.ID {
		t.Errorf("the same key adds the message %s, want %s", again.ID, first.ID)
	}
	offer := func() market.Offer {
		t.Helper()
		made, err := m.MakeOffer(o.ctx, o.buyer, market.OfferRequest{ProductID: o.phone.ID, Price: 31, Phone: "01800000", Key: "k"})
		o.must(err)
		return made
	}
	second := offer()
	if again := offer(); second.ID == "" || again.ID != second.ID {
		t.Errorf("the same key makes the offers %q and %q", second.ID, again.ID)
	}
	// The other side may use the same key.
	if theirs := send(o.seller); theirs.ID == first.ID || theirs.ByUID != o.seller.User.UID {
		t.Errorf("the seller's message is %+v", theirs)
	}
	if lines := o.lines(); len(lines) != 4 {
		t.Errorf("the thread has the lines %q", lines)
	}
}

// The clock of another node is late.
func TestNoteStandsAfterItsOffer(t *testing.T) {
	o := newOffered(t)
	clock := markettest.NewClock(o.clock.Now().Add(-time.Second))
	_, err := market.New(o.store, clock, o.rules, o.bank).
		AnswerOffer(o.ctx, o.seller, o.offer.ID, market.AnswerRequest{Action: market.ActionDecline})
	o.must(err)
	if lines := o.lines(); len(lines) != 2 || lines[0] != "Declined $30." {
		t.Errorf("the thread has the lines %q, newest first", lines)
	}
}
