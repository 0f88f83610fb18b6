package market_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// An admin can remove a phone that is booked.
func TestAdminRemovesHeldPhone(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.mustBook(buyer, p)
	admin := e.admin()
	e.drain()
	n, err := e.RemoveProduct(e.ctx, admin, p.ID, market.RemovalReason{})
	if e.must(err); n != 1 {
		t.Fatalf("removed %d phones, want 1", n)
	}
	if _, err := e.store.Product(e.ctx, p.ID); err == nil {
		t.Error("the phone is still there")
	}
	if got := e.storedBooking(b); got.Status != market.BookingCancelled {
		t.Errorf("the booking is %s, want cancelled", got.Status)
	}
	e.wantEvents(
		"me:"+seller.User.UID+" product.removed", "me:"+buyer.User.UID+" booking.changed",
		"brand:"+e.brand.ID+" product.removed", "admin audit.added",
	)
}

func TestRemovedPhonePaymentIsCancelledOrRefunded(t *testing.T) {
	t.Run("an open payment is cancelled", func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		b, id := e.bookWithIntent(e.buyer(), p)
		_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID, market.RemovalReason{})
		e.must(err)
		e.wantIntent(id, market.IntentCancelled)
		if got := e.storedBooking(b); got.Status != market.BookingCancelled {
			t.Errorf("the booking is %s, want cancelled", got.Status)
		}
	})
	t.Run("a succeeded payment is refunded", func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		b, id := e.bookWithIntent(e.buyer(), p)
		e.bank.Confirm(id)
		_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID, market.RemovalReason{})
		e.must(err)
		if got := e.storedBooking(b); got.Status != market.BookingRefunded || e.bank.Refunds(id) != 1 {
			t.Errorf("the booking is %s, refunded %d times", got.Status, e.bank.Refunds(id))
		}
	})
	t.Run("a payment is cancelled after an outage of the provider", func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		b, id := e.bookWithIntent(e.buyer(), p)
		admin := e.admin()
		e.bank.SetUnavailable(true)
		_, err := e.RemoveProduct(e.ctx, admin, p.ID, market.RemovalReason{})
		e.must(err)
		if _, err := e.store.Product(e.ctx, p.ID); err == nil {
			t.Error("the phone is still there")
		}
		e.bank.SetUnavailable(false)
		e.clock.Pass(5 * time.Minute)
		e.step()
		e.wantIntent(id, market.IntentCancelled)
		if got := e.storedBooking(b); got.Status != market.BookingCancelled {
			t.Errorf("the booking is %s, want cancelled", got.Status)
		}
	})
	t.Run("a sold phone cannot be removed", func(t *testing.T) {
		e := newEnv(t)
		p := e.phone(e.seller())
		e.sellToAnotherBuyer(p)
		_, err := e.RemoveProduct(e.ctx, e.admin(), p.ID, market.RemovalReason{})
		e.wantCode(err, market.CodeHeld)
	})
}

func TestAccountWithOpenOrderCannotBeDeleted(t *testing.T) {
	e, seller, buyer, p, b := paidOrder(t)
	e.wantCode(e.deleteAccount(seller), market.CodeOpenOrders)
	e.wantCode(e.deleteAccount(buyer), market.CodeOpenOrders)
	if e.reload(seller).User.Removed || e.stored(p).Hold == nil {
		t.Error("a refused deletion changed the user or the phone")
	}
	e.clock.Pass(365 * 24 * time.Hour)
	e.wantCode(e.deleteAccount(seller), market.CodeOpenOrders)
	e.fulfil(buyer, b, market.FulfilmentRequest{Action: "problem", Reason: "It does not turn on"})
	e.wantCode(e.deleteAccount(buyer), market.CodeOpenOrders)
	admin := e.admin()
	e.fulfil(admin, b, market.FulfilmentRequest{Action: "settle", Outcome: "release", Reason: "It does"})
	before := len(e.auditEntries(admin))
	e.must(e.deleteAccount(seller))
	entries := e.auditEntries(admin)
	deletions := slices.DeleteFunc(slices.Clone(entries), func(entry market.AuditEntry) bool { return entry.Action != market.ActionDeleteAccount })
	if len(entries) != before+1 || len(deletions) != 1 || deletions[0].Actor != "" || deletions[0].TargetID != seller.User.ID {
		t.Errorf("the audit log is %+v", entries)
	}
	if got := e.storedBooking(b); got.Status != market.BookingPaid || got.Seller != nil {
		t.Errorf("the order of a deleted seller is %+v", got)
	}
	e.must(e.deleteAccount(buyer))
}

func TestPaidOrderHasSellerContact(t *testing.T) {
	e, seller, _, p, b := paidOrder(t)
	want := market.Contact{Name: seller.User.Name, Email: seller.User.Email, Phone: p.Phone, Location: p.Location}
	if got := e.storedBooking(b); got.Seller == nil || *got.Seller != want {
		t.Errorf("the seller is %+v, want %+v", got.Seller, want)
	}
	_, err := e.RemoveUser(e.ctx, e.admin(), seller.User.ID, market.RemovalReason{})
	e.must(err)
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if got := e.storedBooking(b); got.Status != market.BookingPaid || got.Seller == nil || *got.Seller != want {
		t.Errorf("the order after the seller's removal is %+v", got)
	}
}

// A payment may have succeeded before the market was notified.
func TestAccountWithSucceededPaymentCannotBeDeleted(t *testing.T) {
	for name, deleted := range map[string]func(seller, buyer market.Actor) market.Actor{
		"the seller": func(seller, _ market.Actor) market.Actor { return seller },
		"the buyer":  func(_, buyer market.Actor) market.Actor { return buyer },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			b, id := e.bookWithIntent(buyer, e.phone(seller))
			e.bank.Confirm(id)
			e.wantCode(e.deleteAccount(deleted(seller, buyer)), market.CodeOpenOrders)
			e.wantBooking(b, market.BookingPaid, true, true)
		})
		t.Run(name+", with an open intent", func(t *testing.T) {
			e := newEnv(t)
			seller, buyer := e.seller(), e.buyer()
			_, id := e.bookWithIntent(buyer, e.phone(seller))
			e.must(e.deleteAccount(deleted(seller, buyer)))
			e.wantIntent(id, market.IntentCancelled)
		})
	}
}

func TestAccountWithSettledOrderCanBeDeleted(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	e.fulfil(buyer, b, received)
	e.wantCode(e.deleteAccount(seller), market.CodeOpenOrders)
	e.passDeadline(b)
	e.must(e.deleteAccount(seller))
	e.must(e.deleteAccount(buyer))
}

// The seller and the admins may have the order open.
func TestErasedBuyerLeavesOpenOrders(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	e.fulfil(buyer, b, received)
	e.passDeadline(b)
	e.drain()
	e.must(e.deleteAccount(buyer))
	var topics []string
	for _, event := range e.drain() {
		if event.Entity != b.ID {
			continue
		}
		topics = append(topics, event.Topic)
		if strings.Contains(string(event.Data), buyer.User.Email) {
			t.Errorf("the event of %s has the address of the buyer: %s", event.Topic, event.Data)
		}
	}
	for _, topic := range []string{market.TopicMe(seller.User.UID), market.TopicAdmin} {
		if !slices.Contains(topics, topic) {
			t.Errorf("%s has no event of the order", topic)
		}
	}
}
