package apitest_test

import (
	"net/http"
	"testing"
	"time"

	"secondring/market"
)

// payFor pays for a booking and returns the ID of the payment.
func (p *person) payFor(booking string) string {
	p.t.Helper()
	secret := p.createIntent(booking)
	p.env.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
	return p.postPayment(p.paymentFields(booking, secret)).insertedID()
}

// wantOffer fails the test unless the person's offer has this status and price.
func (p *person) wantOffer(id string, status market.OfferStatus, price float64) map[string]any {
	p.t.Helper()
	for _, o := range p.get("/offers?email=" + p.user.Email).items() {
		if o["_id"] == id {
			if o["status"] != string(status) || o["price"] != price {
				p.t.Errorf("the offer is %v, want %s at %v", o, status, price)
			}
			return o
		}
	}
	p.t.Fatalf("there is no offer %s", id)
	return nil
}

func TestOfferIsAccepted(t *testing.T) {
	e := newEnv(t)
	seller, buyer, other := e.seller("Sue"), e.buyer("Bob"), e.buyer("Fay")
	phone := seller.addPhone(e.brand("Nokia"))
	made := buyer.offer(phone, 100, fields{"text": "Cash today", "key": "k"})
	offer := made.insertedID()
	if again := buyer.offer(phone, 100, fields{"text": "Cash today", "key": "k"}).insertedID(); again != offer {
		t.Errorf("the same key makes the offer %s, want %s", again, offer)
	}
	otherOffer := other.offer(phone, 90, nil).insertedID()
	thread := made.object()["threadId"].(string)
	if got := seller.texts(thread); len(got) != 1 || got[0] != "theirs offer: Cash today" {
		t.Errorf("the thread is %q", got)
	}
	if list := seller.get("/offers?email=" + seller.user.Email + "&productID=" + phone); len(list.items()) != 2 || list.Header.Get("X-Total-Count") != "2" {
		t.Errorf("the seller has the offers %s", list.body)
	}

	accepted := seller.answer(offer, "accept", nil)
	accepted.wantCount("modifiedCount", 1)
	booking := accepted.object()["bookingId"].(string)
	if again := seller.answer(offer, "accept", nil); again.object()["bookingId"] != booking || again.object()["modifiedCount"] != 0.0 {
		t.Errorf("the second time the answer is %s", again.body)
	}
	b := buyer.ownBookings().items()[0]
	if b["_id"] != booking || b["price"] != 100.0 || b["listPrice"] != 120.0 || b["status"] != "held" {
		t.Errorf("the booking is %v", b)
	}
	until, err := time.Parse(time.RFC3339Nano, b["holdUntil"].(string))
	if must(t, err); until.Sub(e.clock.Now()).Round(time.Second) != 12*time.Hour {
		t.Errorf("the hold lasts %v, want 12 hours", until.Sub(e.clock.Now()))
	}
	if o := buyer.wantOffer(offer, market.OfferAccepted, 100); o["bookingId"] != booking || o["expiresAt"] != b["holdUntil"] {
		t.Errorf("the buyer's offer is %v", o)
	}
	if o := seller.wantOffer(offer, market.OfferAccepted, 100); o["bookingId"] != nil {
		t.Errorf("the seller sees the booking %v", o["bookingId"])
	}
	// The buyer's own booking, with either price left out.
	if again := buyer.do(http.MethodPut, "/bookings", buyer.bookingFields(phone).with("price", 100)).insertedID(); again != booking {
		t.Errorf("booking the phone again answers %s, want %s", again, booking)
	}
	other.wantOffer(otherOffer, market.OfferOpen, 90)
	seller.answer(otherOffer, "accept", nil).wantError(http.StatusConflict, market.CodeHeld)
	buyer.offer(phone, 110, nil).wantError(http.StatusConflict, market.CodeHeld)

	buyer.payFor(booking)
	e.runDueWork()
	buyer.wantPaid(t, booking)
	other.wantOffer(otherOffer, market.OfferGone, 90)
	seller.answer(otherOffer, "accept", nil).wantError(http.StatusConflict, market.CodeOver)
	buyer.wantOffer(offer, market.OfferAccepted, 100)
	other.offer(phone, 110, nil).wantError(http.StatusConflict, market.CodeSold)
}

func TestOfferIsCountered(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	seller.byCookie, buyer.byCookie = true, true // a token is valid for an hour
	offer := buyer.offer(seller.addPhone(e.brand("Nokia")), 100, nil).insertedID()
	for _, price := range []any{100, 120, 99, 130, "many"} {
		seller.answer(offer, "counter", fields{"price": price}).wantInvalid("price")
	}
	e.clock.Pass(23 * time.Hour)
	seller.answer(offer, "counter", fields{"price": 110}).wantCount("modifiedCount", 1)
	seller.answer(offer, "counter", fields{"price": 110}).wantCount("modifiedCount", 0)
	seller.answer(offer, "counter", fields{"price": 115}).wantError(http.StatusConflict, market.CodeOver)
	seller.answer(offer, "accept", nil).wantStatus(http.StatusForbidden)
	e.clock.Pass(23 * time.Hour)
	e.runDueWork()
	if o := buyer.wantOffer(offer, market.OfferCountered, 110); o["by"] != "seller" {
		t.Errorf("the offer is %v", o)
	}
	accepted := buyer.answer(offer, "accept", nil)
	accepted.wantCount("modifiedCount", 1)
	if b := buyer.ownBookings().items()[0]; b["price"] != 110.0 || b["_id"] != accepted.object()["bookingId"] {
		t.Errorf("the booking is %v", b)
	}
}

func TestOfferEnds(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	seller.byCookie, buyer.byCookie = true, true // a token is valid for an hour
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	declined, withdrawn, expired := buyer.offer(phone, 90, nil).insertedID(), buyer.offer(phone, 95, nil).insertedID(), buyer.offer(phone, 100, nil).insertedID()
	seller.answer(declined, "decline", nil).wantCount("modifiedCount", 1)
	buyer.answer(withdrawn, "withdraw", nil).wantCount("modifiedCount", 1)
	buyer.offer(phone, 105, nil).wantError(http.StatusConflict, market.CodeTooMany)
	e.clock.Pass(24 * time.Hour)
	e.runDueWork()
	buyer.wantOffer(declined, market.OfferDeclined, 90)
	buyer.wantOffer(withdrawn, market.OfferWithdrawn, 95)
	buyer.wantOffer(expired, market.OfferExpired, 100)
	seller.answer(expired, "accept", nil).wantError(http.StatusConflict, market.CodeOver)

	edited := seller.addPhone(brand)
	changed := buyer.offer(edited, 100, nil).insertedID()
	seller.do(http.MethodPatch, "/products/"+edited, fields{"resalePrice": 119}).wantCount("modifiedCount", 1)
	seller.answer(changed, "accept", nil).wantError(http.StatusConflict, market.CodeOver)
	e.runDueWork()
	buyer.wantOffer(changed, market.OfferGone, 100)

	gone := seller.addPhone(brand)
	removed := buyer.offer(gone, 100, nil).insertedID()
	seller.do(http.MethodDelete, "/products/"+gone, nil).wantCount("deletedCount", 1)
	e.runDueWork()
	buyer.wantOffer(removed, market.OfferGone, 100)

	silent := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("offers", false)).insertedID()
	buyer.offer(silent, 100, nil).wantError(http.StatusConflict, market.CodeNoOffers)
}

func TestOfferOfABuyerWhoMayNotBook(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.MaxHolds = 1 })
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	offer := buyer.offer(seller.addPhone(brand), 100, nil).insertedID()
	booking := buyer.book(seller.addPhone(brand))
	seller.answer(offer, "accept", nil).wantError(http.StatusConflict, market.CodeBuyerLimit)
	buyer.cancel(booking).wantCount("deletedCount", 1)
	seller.answer(offer, "accept", nil).wantCount("modifiedCount", 1)
}

func TestAcceptedOfferLapses(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.OfferHold = time.Minute })
	seller, buyer, waiting := e.seller("Sue"), e.buyer("Bob"), e.buyer("Fay")
	phone := seller.addPhone(e.brand("Nokia"))
	offer := buyer.offer(phone, 100, nil).insertedID()
	booking := seller.answer(offer, "accept", nil).object()["bookingId"].(string)
	waiting.joinWaitlist(phone).wantStatus(http.StatusOK)
	secret := buyer.createIntent(booking)
	e.clock.Pass(61 * time.Second)
	e.runDueWork()
	buyer.wantOffer(offer, market.OfferLapsed, 100)
	next := waiting.ownBookings().items()[0]
	if next["price"] != 120.0 || next["listPrice"] != nil || next["turn"] != true {
		t.Errorf("the next in line has %v, want the list price", next)
	}
	if got := e.confirm(secret, "pm_card_visa"); got.StatusCode == http.StatusOK {
		t.Errorf("the intent of a lapsed offer can be paid while another buyer has the phone: %s", got.body)
	}
	waiting.cancel(next["_id"].(string)).wantCount("deletedCount", 1)
	buyer.offer(phone, 100, nil).insertedID() // an accepted one that lapsed counts as one of three
}

// Many accept, book and offer at once: one buyer gets the phone, at one agreed price.
func TestAcceptBesideBookings(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	for range 5 {
		seller := e.seller("Sue")
		phone := seller.addPhone(brand)
		var people []*person
		var offers []string
		for i := range 4 {
			p := e.buyer("Bob")
			people, offers = append(people, p), append(offers, p.offer(phone, 100+i, nil).insertedID())
		}
		direct := e.buyer("Dan")
		atOnce(len(offers)+1, func(i int) {
			if i == len(offers) {
				direct.do(http.MethodPut, "/bookings", direct.bookingFields(phone))
				return
			}
			seller.answer(offers[i], "accept", nil)
		})
		holders := 0
		for i, p := range append(people, direct) {
			for _, b := range p.ownBookings().items() {
				holders++
				want := 100.0 + float64(i)
				if p == direct {
					want = 120
				}
				if b["price"] != want {
					t.Errorf("the booking is %v, want the price %v", b, want)
				}
			}
		}
		if holders != 1 {
			t.Errorf("%d people have booked the phone", holders)
		}
	}
}
