package market_test

import (
	"slices"
	"testing"
	"time"

	"secondring/market"
)

// An admin can remove a phone that is booked.
func TestAdminRemovesHeldPhone(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.booked(buyer, p)
	admin := e.admin()
	e.drain()
	n, err := e.RemoveProduct(e.ctx, admin, p.ID)
	if e.must(err); n != 1 {
		t.Fatalf("removed %d", n)
	}
	if _, err := e.store.Product(e.ctx, p.ID); err == nil {
		t.Error("the phone is still there")
	}
	if got := e.storedBooking(b); got.Status != market.BookingCancelled {
		t.Errorf("the booking is %s", got.Status)
	}
	publishedEvents := e.publishedEvents()
	for _, want := range []string{
		"me:" + seller.User.UID + " product.removed", "me:" + buyer.User.UID + " booking.changed",
		"brand:" + e.brand.ID + " product.removed", "admin trail.added",
	} {
		if !slices.Contains(publishedEvents, want) {
			t.Errorf("no event %q: %q", want, publishedEvents)
		}
	}
}

func TestRemovedPhonePaymentIsCancelledOrRefunded(t *testing.T) {
	t.Run("an open one is cancelled", func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		b, id := e.order(e.buyer(), p)
		_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID)
		e.must(err)
		e.intentIs(id, market.IntentCancelled)
		if got := e.storedBooking(b); got.Status != market.BookingCancelled {
			t.Errorf("the booking is %s", got.Status)
		}
	})
	t.Run("one that has succeeded is refunded", func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		b, id := e.order(e.buyer(), p)
		e.bank.Confirm(id)
		_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID)
		e.must(err)
		if got := e.storedBooking(b); got.Status != market.BookingRefunded || e.bank.Refunds(id) != 1 {
			t.Errorf("the booking is %s, refunded %d times", got.Status, e.bank.Refunds(id))
		}
	})
	t.Run("later, while the provider is unavailable", func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		b, id := e.order(e.buyer(), p)
		admin := e.admin()
		e.bank.SetUnavailable(true)
		_, err := e.RemoveProduct(e.ctx, admin, p.ID)
		e.must(err)
		if _, err := e.store.Product(e.ctx, p.ID); err == nil {
			t.Error("the phone is still there")
		}
		e.bank.SetUnavailable(false)
		e.clock.Pass(5 * time.Minute)
		e.step()
		e.intentIs(id, market.IntentCancelled)
		if got := e.storedBooking(b); got.Status != market.BookingCancelled {
			t.Errorf("the booking is %s", got.Status)
		}
	})
	t.Run("a sold phone stays", func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		e.buy(p)
		_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID)
		e.refused(err, market.CodeHeld)
	})
}

func (e *env) deleteAccount(who market.Actor) error {
	return e.DeleteAccount(e.ctx, market.Account{UID: who.User.UID})
}

// paidOrder returns a phone and the order that has just paid for it.
func paidOrder(t *testing.T) (e *env, seller, buyer market.Actor, p market.Product, b market.Booking) {
	t.Helper()
	rules := plainRules
	rules.Payouts = market.PayoutsManual
	e = newEnvWith(t, rules)
	seller, buyer = e.seller(), e.buyer()
	p = e.phone(seller)
	b, id := e.order(buyer, p)
	e.bank.Confirm(id)
	_, err := e.pay(buyer, b, id)
	e.must(err)
	return e, seller, buyer, p, b
}

func TestAccountWithOpenOrderCannotBeDeleted(t *testing.T) {
	e, seller, buyer, p, b := paidOrder(t)
	e.refused(e.deleteAccount(seller), market.CodeOpenOrders)
	e.refused(e.deleteAccount(buyer), market.CodeOpenOrders)
	if e.again(seller).User.Removed || e.stored(p).Hold == nil {
		t.Error("something was begun all the same")
	}
	e.clock.Pass(365 * 24 * time.Hour)
	e.refused(e.deleteAccount(seller), market.CodeOpenOrders)
	e.fulfil(buyer, b, market.FulfilmentRequest{Action: "problem", Reason: "It does not turn on"})
	e.refused(e.deleteAccount(buyer), market.CodeOpenOrders)
	admin := e.admin()
	e.fulfil(admin, b, market.FulfilmentRequest{Action: "settle", Outcome: "release", Reason: "It does"})
	before := len(e.auditEntries(admin))
	e.must(e.deleteAccount(seller))
	entries := e.auditEntries(admin)
	left := slices.DeleteFunc(slices.Clone(entries), func(entry market.AuditEntry) bool { return entry.Action != market.ActionDeleteAccount })
	if len(entries) != before+1 || len(left) != 1 || left[0].Actor != "" || left[0].TargetID != seller.User.ID {
		t.Errorf("the audit log: %+v", entries)
	}
	if got := e.storedBooking(b); got.Status != market.BookingPaid || got.Seller != nil {
		t.Errorf("the order of a seller who has left: %+v", got)
	}
	e.must(e.deleteAccount(buyer))
}

func TestPaidOrderHasSellerContact(t *testing.T) {
	e, seller, _, p, b := paidOrder(t)
	want := market.Contact{Name: seller.User.Name, Email: seller.User.Email, Phone: p.Phone, Location: p.Location}
	if got := e.storedBooking(b); got.Seller == nil || *got.Seller != want {
		t.Errorf("the seller is %+v", got.Seller)
	}
	_, err := e.RemoveUser(e.ctx, e.admin(), seller.User.ID)
	e.must(err)
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if got := e.storedBooking(b); got.Status != market.BookingPaid || got.Seller == nil || *got.Seller != want {
		t.Errorf("once an admin has deleted the seller: %+v", got)
	}
}

// A payment may have succeeded before the market was notified.
func TestAccountWithSucceededPaymentCannotBeDeleted(t *testing.T) {
	for name, leaver := range map[string]func(seller, buyer market.Actor) market.Actor{
		"the seller": func(seller, _ market.Actor) market.Actor { return seller },
		"the buyer":  func(_, buyer market.Actor) market.Actor { return buyer },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			b, id := e.order(buyer, e.phone(seller))
			e.bank.Confirm(id)
			e.refused(e.deleteAccount(leaver(seller, buyer)), market.CodeOpenOrders)
			e.expectBooking(b, market.BookingPaid, true, true)
		})
		t.Run(name+", of a payment that was only begun", func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			_, id := e.order(buyer, e.phone(seller))
			e.must(e.deleteAccount(leaver(seller, buyer)))
			e.intentIs(id, market.IntentCancelled)
		})
	}
}

func TestAccountWithSettledOrderCanBeDeleted(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	e.fulfil(buyer, b, market.FulfilmentRequest{Action: "received"})
	e.refused(e.deleteAccount(seller), market.CodeOpenOrders)
	e.step()
	e.must(e.deleteAccount(seller))
	e.must(e.deleteAccount(buyer))
}
