package market_test

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

var discard = slog.New(slog.DiscardHandler)

func TestVerifyingASellerMarksEveryPhone(t *testing.T) {
	w := newEnv(t)
	admin, seller := w.admin(), w.seller()
	first, second := w.phone(seller), w.phone(seller)
	other := w.phone(w.seller())
	w.drain()

	n, err := w.VerifySeller(w.ctx, admin, seller.User.ID)
	if w.must(err); n != 1 {
		t.Fatalf("changed %d", n)
	}
	for _, p := range []market.Product{first, second} {
		if got := w.stored(p); !got.Verified || got.Version != p.Version+1 {
			t.Errorf("phone: %+v", got)
		}
	}
	if w.stored(other).Verified {
		t.Error("somebody else's phone was marked")
	}
	told := w.told()
	for _, want := range []string{"admin user.changed", "me:" + seller.User.UID + " seller.verified", "brand:" + w.brand.ID + " product.changed"} {
		if !slices.Contains(told, want) {
			t.Errorf("nobody was told %q: %q", want, told)
		}
	}
	if n, err = w.VerifySeller(w.ctx, admin, seller.User.ID); err != nil || n != 0 {
		t.Errorf("verified twice: %d, %v", n, err)
	}
	if later := w.phone(w.again(seller)); !later.Verified {
		t.Error("a phone added later is not marked")
	}
}

func TestAPhoneAddedWhileItsSellerIsVerifiedIsMarkedToo(t *testing.T) {
	w := newEnv(t)
	seller := w.seller() // as a call under way has read them
	_, err := w.VerifySeller(w.ctx, w.admin(), seller.User.ID)
	w.must(err)
	late := w.phone(seller)
	if late.Verified {
		t.Fatal("not late enough for this test")
	}
	w.must(w.janitor.Step(w.ctx))
	if !w.stored(late).Verified {
		t.Error("the sweep missed it")
	}
	w.clock.Pass(time.Minute)
	w.must(w.janitor.Step(w.ctx))
	if left, err := w.store.UsersToSweep(w.ctx, 10); err != nil || len(left) != 0 {
		t.Errorf("the sweep goes on for ever: %v, %v", left, err)
	}
}

// An admin verifies a seller under a name. Under another one they are somebody
// whom nobody has verified.
func TestARenamedSellerIsNotVerifiedAnyMore(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	_, err := w.VerifySeller(w.ctx, w.admin(), seller.User.ID)
	w.must(err)
	seller = w.again(seller)
	shown, plain := w.phone(seller), w.phone(seller)
	_, err = w.Advertise(w.ctx, seller, shown.ID)
	w.must(err)
	w.must(w.Rename(w.ctx, seller.User.UID, seller.User.Name)) // the same name
	if !w.again(seller).User.IsVerified() {
		t.Fatal("the same name ended the verification")
	}
	w.drain()

	w.must(w.Rename(w.ctx, seller.User.UID, "Apple Store Official"))
	if got := w.again(seller).User; got.IsVerified() || got.Name != "Apple Store Official" {
		t.Errorf("renamed: %+v", got)
	}
	for _, p := range []market.Product{shown, plain} {
		if got := w.stored(p); got.Verified || got.Advertised {
			t.Errorf("phone: %+v", got)
		}
	}
	told := w.told()
	for _, want := range []string{"admin user.changed", "me:" + seller.User.UID + " seller.verified", "brand:" + w.brand.ID + " product.changed", "advertised advertised.changed"} {
		if !slices.Contains(told, want) {
			t.Errorf("nobody was told %q: %q", want, told)
		}
	}

	late := w.phone(seller) // by a call that still took the seller for verified
	w.must(w.janitor.Step(w.ctx))
	if w.stored(late).Verified {
		t.Error("a phone added meanwhile keeps the badge")
	}
	if _, err := w.VerifySeller(w.ctx, w.admin(), seller.User.ID); err != nil || !w.stored(plain).Verified {
		t.Errorf("an admin cannot verify them again: %v", err)
	}
}

func TestRemovingABuyerFreesTheirPhones(t *testing.T) {
	w := newEnv(t)
	admin, seller, buyer := w.admin(), w.seller(), w.buyer()
	p := w.phone(seller)
	b := w.booked(buyer, p)
	w.drain()
	n, err := w.RemoveUser(w.ctx, admin, buyer.User.ID)
	if w.must(err); n != 1 {
		t.Fatalf("removed %d", n)
	}
	if w.stored(p).Booked() || w.storedBooking(b).Status != market.BookingCancelled {
		t.Errorf("phone %+v, booking %+v", w.stored(p), w.storedBooking(b))
	}
	told := w.told()
	for _, want := range []string{
		"admin user.removed", "me:" + buyer.User.UID + " account.removed", "control access.ended",
		"me:" + seller.User.UID + " product.released",
	} {
		if !slices.Contains(told, want) {
			t.Errorf("nobody was told %q: %q", want, told)
		}
	}
	_, err = w.Actor(w.ctx, buyer.User.UID, buyer.Session)
	w.refused(err, market.CodeNoToken)
	if _, err := w.RemoveUser(w.ctx, admin, buyer.User.ID); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("removed twice: %v", err)
	}
}

func TestRemovingASellerWithdrawsTheirPhones(t *testing.T) {
	w := newEnv(t)
	admin, seller, buyer := w.admin(), w.seller(), w.buyer()
	free, held := w.phone(seller), w.phone(seller)
	b := w.booked(buyer, held)
	w.drain()
	_, err := w.RemoveUser(w.ctx, admin, seller.User.ID)
	w.must(err)
	for _, p := range []market.Product{free, held} {
		if _, err := w.store.Product(w.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("still on sale: %v", err)
		}
	}
	if got := w.storedBooking(b); got.Status != market.BookingCancelled {
		t.Errorf("booking %+v", got)
	}
	if told := w.told(); !slices.Contains(told, "me:"+buyer.User.UID+" booking.changed") {
		t.Errorf("the buyer was not told: %q", told)
	}
	late := w.phone(seller) // by a call that was under way
	w.must(w.janitor.Step(w.ctx))
	if _, err := w.store.Product(w.ctx, late.ID); !errors.Is(err, market.ErrNotFound) {
		t.Error("a phone added meanwhile stays on sale")
	}
	w.clock.Pass(time.Minute)
	w.must(w.janitor.Step(w.ctx))
	if _, err := w.store.User(w.ctx, seller.User.UID); !errors.Is(err, market.ErrNotFound) {
		t.Error("the tombstone stays for ever")
	}
	if a, err := w.store.Account(w.ctx, seller.User.UID); err != nil || !a.Removed {
		t.Errorf("the address is free again: %+v, %v", a, err)
	}
}

func TestAHoldTakenWhileItsBuyerIsRemovedEnds(t *testing.T) {
	w := newEnv(t)
	buyer, p := w.buyer(), w.phone(w.seller())
	_, err := w.RemoveUser(w.ctx, w.admin(), buyer.User.ID)
	w.must(err)
	_, err = w.book(buyer, p) // by a call that was under way
	w.must(err)
	w.must(w.janitor.Step(w.ctx))
	if w.stored(p).Booked() {
		t.Error("a removed buyer keeps a phone")
	}
}

func TestAdminsAreInNoListAndNobodyDeletesThem(t *testing.T) {
	w := newEnv(t)
	admin, other := w.admin(), w.admin()
	buyer := w.buyer()
	list, err := w.Users(w.ctx, admin, market.AccountUser, market.Page{Limit: 10})
	if w.must(err); len(list.Items) != 1 || list.Items[0].ID != buyer.User.ID || list.Total != 1 {
		t.Errorf("buyers: %+v", list)
	}
	_, err = w.RemoveUser(w.ctx, admin, other.User.ID)
	w.refused(err, market.CodeForbidden)
	_, err = w.RemoveUser(w.ctx, buyer, other.User.ID)
	w.refused(err, market.CodeForbidden)
	w.must(w.RevokeAdmin(w.ctx, strings.ToUpper(other.User.Email)))
	roles, err := w.RolesOf(w.ctx, admin, other.User.Email)
	if w.must(err); roles != (market.Roles{Buyer: true}) {
		t.Errorf("after revoke: %+v", roles)
	}
}

func TestExactlyOneRole(t *testing.T) {
	w := newEnv(t)
	seller, admin := w.seller(), w.admin()
	_, err := w.VerifySeller(w.ctx, admin, seller.User.ID)
	w.must(err)
	for who, want := range map[market.Actor]market.Roles{
		w.buyer(): {Buyer: true}, seller: {Seller: true, Verified: true}, admin: {Admin: true},
	} {
		got, err := w.RolesOf(w.ctx, who, strings.ToUpper(who.User.Email))
		if w.must(err); got != want {
			t.Errorf("%s: %+v, want %+v", who.User.Email, got, want)
		}
	}
	_, err = w.RolesOf(w.ctx, seller, admin.User.Email)
	w.refused(err, market.CodeForbidden)
}
