package market_test

import (
	"slices"
	"testing"
	"time"

	"secondring/market"
)

// An accomplice who books a bad listing does not protect it from an admin.
func TestAnAdminTakesDownAHeldPhone(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller(), w.buyer()
	p := w.phone(seller)
	b := w.booked(buyer, p)
	admin := w.admin()
	w.drain()
	n, err := w.RemoveProduct(w.ctx, admin, p.ID)
	if w.must(err); n != 1 {
		t.Fatalf("removed %d", n)
	}
	if _, err := w.store.Product(w.ctx, p.ID); err == nil {
		t.Error("the phone is still there")
	}
	if got := w.storedBooking(b); got.Status != market.BookingCancelled {
		t.Errorf("the booking is %s", got.Status)
	}
	told := w.told()
	for _, want := range []string{
		"me:" + seller.User.UID + " product.removed", "me:" + buyer.User.UID + " booking.changed",
		"brand:" + w.brand.ID + " product.removed", "admin trail.added",
	} {
		if !slices.Contains(told, want) {
			t.Errorf("nobody was told %q: %q", want, told)
		}
	}
}

func TestATakenDownPhonesPaymentIsCancelledOrRefunded(t *testing.T) {
	t.Run("an open one is cancelled", func(t *testing.T) {
		w := newEnv(t)
		p := w.phone(w.seller())
		b, id := w.order(w.buyer(), p)
		_, err := w.RemoveProduct(w.ctx, w.admin(), p.ID)
		w.must(err)
		w.intentIs(id, market.IntentCancelled)
		if got := w.storedBooking(b); got.Status != market.BookingCancelled {
			t.Errorf("the booking is %s", got.Status)
		}
	})
	t.Run("one that has succeeded is refunded", func(t *testing.T) {
		w := newEnv(t)
		p := w.phone(w.seller())
		b, id := w.order(w.buyer(), p)
		w.bank.Confirm(id)
		_, err := w.RemoveProduct(w.ctx, w.admin(), p.ID)
		w.must(err)
		if got := w.storedBooking(b); got.Status != market.BookingRefunded || w.bank.Refunds(id) != 1 {
			t.Errorf("the booking is %s, refunded %d times", got.Status, w.bank.Refunds(id))
		}
	})
	t.Run("later, while the provider is away", func(t *testing.T) {
		w := newEnv(t)
		p := w.phone(w.seller())
		b, id := w.order(w.buyer(), p)
		admin := w.admin()
		w.bank.SetUnavailable(true)
		_, err := w.RemoveProduct(w.ctx, admin, p.ID)
		w.must(err)
		if _, err := w.store.Product(w.ctx, p.ID); err == nil {
			t.Error("the phone is still there")
		}
		w.bank.SetUnavailable(false)
		w.clock.Pass(5 * time.Minute)
		w.step()
		w.intentIs(id, market.IntentCancelled)
		if got := w.storedBooking(b); got.Status != market.BookingCancelled {
			t.Errorf("the booking is %s", got.Status)
		}
	})
	t.Run("a sold phone stays", func(t *testing.T) {
		w := newEnv(t)
		p := w.phone(w.seller())
		w.buy(p)
		_, err := w.RemoveProduct(w.ctx, w.admin(), p.ID)
		w.refused(err, market.CodeHeld)
	})
}

func (w *env) leave(who market.Actor) error {
	return w.DeleteAccount(w.ctx, market.Account{UID: who.User.UID})
}

// paidOrder is a phone that a buyer has paid for just now.
func paidOrder(t *testing.T) (w *env, seller, buyer market.Actor, p market.Product, b market.Booking) {
	t.Helper()
	w = newEnv(t)
	seller, buyer = w.seller(), w.buyer()
	p = w.phone(seller)
	b, id := w.order(buyer, p)
	w.bank.Confirm(id)
	_, err := w.pay(buyer, b, id)
	w.must(err)
	return w, seller, buyer, p, b
}

func TestNobodyLeavesAnOrderThatWasPaidLately(t *testing.T) {
	w, seller, buyer, p, b := paidOrder(t)
	w.refused(w.leave(seller), market.CodeOpenOrders)
	w.refused(w.leave(buyer), market.CodeOpenOrders)
	if w.again(seller).User.Removed || w.stored(p).Hold == nil {
		t.Error("something was begun all the same")
	}
	w.clock.Pass(14*24*time.Hour - time.Minute)
	w.refused(w.leave(seller), market.CodeOpenOrders)
	w.clock.Pass(time.Minute)
	admin := w.admin()
	before := len(w.lines(admin))
	w.must(w.leave(seller))
	lines := w.lines(admin)
	left := slices.DeleteFunc(slices.Clone(lines), func(l market.AuditEntry) bool { return l.Deed != market.DeedLeave })
	if len(lines) != before+1 || len(left) != 1 || left[0].Actor != "" || left[0].TargetID != seller.User.ID {
		t.Errorf("the trail: %+v", lines)
	}
	if got := w.storedBooking(b); got.Status != market.BookingPaid || got.Seller != nil {
		t.Errorf("the order of a seller who has left: %+v", got)
	}
	w.must(w.leave(buyer))
}

func TestAnOrderSaysHowToReachItsSeller(t *testing.T) {
	w, seller, _, p, b := paidOrder(t)
	want := market.Contact{Name: seller.User.Name, Email: seller.User.Email, Phone: p.Phone, Location: p.Location}
	if got := w.storedBooking(b); got.Seller == nil || *got.Seller != want {
		t.Errorf("the seller is %+v", got.Seller)
	}
	_, err := w.RemoveUser(w.ctx, w.admin(), seller.User.ID)
	w.must(err)
	w.clock.Pass(time.Minute)
	w.must(w.janitor.Step(w.ctx))
	if got := w.storedBooking(b); got.Status != market.BookingPaid || got.Seller == nil || *got.Seller != want {
		t.Errorf("once an admin has deleted the seller: %+v", got)
	}
}

// A payment may have succeeded a moment ago, and nobody has told the market yet.
func TestNobodyLeavesAnOrderThatIsPaidJustNow(t *testing.T) {
	for name, leaver := range map[string]func(seller, buyer market.Actor) market.Actor{
		"the seller": func(seller, _ market.Actor) market.Actor { return seller },
		"the buyer":  func(_, buyer market.Actor) market.Actor { return buyer },
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t)
			seller, buyer := w.seller(), w.buyer()
			b, id := w.order(buyer, w.phone(seller))
			w.bank.Confirm(id)
			w.refused(w.leave(leaver(seller, buyer)), market.CodeOpenOrders)
			w.stands(b, market.BookingPaid, true, true)
		})
		t.Run(name+", of a payment that was only begun", func(t *testing.T) {
			w := newEnv(t)
			seller, buyer := w.seller(), w.buyer()
			_, id := w.order(buyer, w.phone(seller))
			w.must(w.leave(leaver(seller, buyer)))
			w.intentIs(id, market.IntentCancelled)
		})
	}
}
