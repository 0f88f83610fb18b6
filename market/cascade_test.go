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
	e := newEnv(t)
	admin, seller := e.admin(), e.seller()
	first, second := e.phone(seller), e.phone(seller)
	other := e.phone(e.seller())
	e.drain()

	n, err := e.VerifySeller(e.ctx, admin, seller.User.ID)
	if e.must(err); n != 1 {
		t.Fatalf("changed %d", n)
	}
	for _, p := range []market.Product{first, second} {
		if got := e.stored(p); !got.Verified || got.Version != p.Version+1 {
			t.Errorf("phone: %+v", got)
		}
	}
	if e.stored(other).Verified {
		t.Error("another seller's phone was marked")
	}
	publishedEvents := e.publishedEvents()
	for _, want := range []string{"admin user.changed", "me:" + seller.User.UID + " seller.verified", "brand:" + e.brand.ID + " product.changed"} {
		if !slices.Contains(publishedEvents, want) {
			t.Errorf("no event %q: %q", want, publishedEvents)
		}
	}
	if n, err = e.VerifySeller(e.ctx, admin, seller.User.ID); err != nil || n != 0 {
		t.Errorf("verified twice: %d, %v", n, err)
	}
	if later := e.phone(e.again(seller)); !later.Verified {
		t.Error("a phone added later is not marked")
	}
}

func TestPhoneAddedDuringVerificationIsVerified(t *testing.T) {
	e := newEnv(t)
	seller := e.seller() // a call in progress has read it
	_, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID)
	e.must(err)
	late := e.phone(seller)
	if late.Verified {
		t.Fatal("not late enough for this test")
	}
	e.must(e.janitor.Step(e.ctx))
	if !e.stored(late).Verified {
		t.Error("the sweep missed it")
	}
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if remaining, err := e.store.UsersToSweep(e.ctx, 10); err != nil || len(remaining) != 0 {
		t.Errorf("the sweep goes on for ever: %v, %v", remaining, err)
	}
}

// The seller was verified under the old name.
func TestRenamedSellerLosesVerification(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	_, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID)
	e.must(err)
	seller = e.again(seller)
	shown, plain := e.phone(seller), e.phone(seller)
	_, err = e.Advertise(e.ctx, seller, shown.ID)
	e.must(err)
	e.must(e.Rename(e.ctx, seller.User.UID, seller.User.Name)) // unchanged name
	if !e.again(seller).User.IsVerified() {
		t.Fatal("the same name ended the verification")
	}
	e.drain()

	e.must(e.Rename(e.ctx, seller.User.UID, "Apple Store Official"))
	if got := e.again(seller).User; got.IsVerified() || got.Name != "Apple Store Official" {
		t.Errorf("renamed: %+v", got)
	}
	for _, p := range []market.Product{shown, plain} {
		if got := e.stored(p); got.Verified || got.Advertised {
			t.Errorf("phone: %+v", got)
		}
	}
	publishedEvents := e.publishedEvents()
	for _, want := range []string{"admin user.changed", "me:" + seller.User.UID + " seller.verified", "brand:" + e.brand.ID + " product.changed", "advertised advertised.changed"} {
		if !slices.Contains(publishedEvents, want) {
			t.Errorf("no event %q: %q", want, publishedEvents)
		}
	}

	late := e.phone(seller) // a call in progress still took the seller for verified
	e.must(e.janitor.Step(e.ctx))
	if e.stored(late).Verified {
		t.Error("a phone added meanwhile keeps the badge")
	}
	if _, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID); err != nil || !e.stored(plain).Verified {
		t.Errorf("an admin cannot verify them again: %v", err)
	}
}

func TestRemovedBuyerReleasesHolds(t *testing.T) {
	e := newEnv(t)
	admin, seller, buyer := e.admin(), e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.booked(buyer, p)
	e.drain()
	n, err := e.RemoveUser(e.ctx, admin, buyer.User.ID)
	if e.must(err); n != 1 {
		t.Fatalf("removed %d", n)
	}
	if e.stored(p).Booked() || e.storedBooking(b).Status != market.BookingCancelled {
		t.Errorf("phone %+v, booking %+v", e.stored(p), e.storedBooking(b))
	}
	publishedEvents := e.publishedEvents()
	for _, want := range []string{
		"admin user.removed", "me:" + buyer.User.UID + " account.removed", "control access.ended",
		"me:" + seller.User.UID + " product.released",
	} {
		if !slices.Contains(publishedEvents, want) {
			t.Errorf("no event %q: %q", want, publishedEvents)
		}
	}
	_, err = e.Actor(e.ctx, buyer.User.UID, buyer.Session)
	e.refused(err, market.CodeNoToken)
	if _, err := e.RemoveUser(e.ctx, admin, buyer.User.ID); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("removed twice: %v", err)
	}
}

func TestRemovedSellerPhonesAreRemoved(t *testing.T) {
	e := newEnv(t)
	admin, seller, buyer := e.admin(), e.seller(), e.buyer()
	free, held := e.phone(seller), e.phone(seller)
	b := e.booked(buyer, held)
	e.drain()
	_, err := e.RemoveUser(e.ctx, admin, seller.User.ID)
	e.must(err)
	for _, p := range []market.Product{free, held} {
		if _, err := e.store.Product(e.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("still on sale: %v", err)
		}
	}
	if got := e.storedBooking(b); got.Status != market.BookingCancelled {
		t.Errorf("booking %+v", got)
	}
	if publishedEvents := e.publishedEvents(); !slices.Contains(publishedEvents, "me:"+buyer.User.UID+" booking.changed") {
		t.Errorf("the buyer was not notified: %q", publishedEvents)
	}
	late := e.phone(seller) // added by a call in progress
	e.must(e.janitor.Step(e.ctx))
	if _, err := e.store.Product(e.ctx, late.ID); !errors.Is(err, market.ErrNotFound) {
		t.Error("a phone added meanwhile stays on sale")
	}
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if _, err := e.store.User(e.ctx, seller.User.UID); !errors.Is(err, market.ErrNotFound) {
		t.Error("the tombstone stays for ever")
	}
	if a, err := e.store.Account(e.ctx, seller.User.UID); err != nil || !a.Removed {
		t.Errorf("the address is free again: %+v, %v", a, err)
	}
}

func TestHoldTakenDuringBuyerRemovalEnds(t *testing.T) {
	e := newEnv(t)
	buyer, p := e.buyer(), e.phone(e.seller())
	_, err := e.RemoveUser(e.ctx, e.admin(), buyer.User.ID)
	e.must(err)
	_, err = e.book(buyer, p) // made by a call in progress
	e.must(err)
	e.must(e.janitor.Step(e.ctx))
	if e.stored(p).Booked() {
		t.Error("a removed buyer keeps a phone")
	}
}

func TestAdminsAreNotListedOrRemoved(t *testing.T) {
	e := newEnv(t)
	admin, other := e.admin(), e.admin()
	buyer := e.buyer()
	list, err := e.Users(e.ctx, admin, market.AccountUser, market.Page{Limit: 10})
	if e.must(err); len(list.Items) != 1 || list.Items[0].ID != buyer.User.ID || list.Total != 1 {
		t.Errorf("buyers: %+v", list)
	}
	_, err = e.RemoveUser(e.ctx, admin, other.User.ID)
	e.refused(err, market.CodeForbidden)
	_, err = e.RemoveUser(e.ctx, buyer, other.User.ID)
	e.refused(err, market.CodeForbidden)
	e.must(e.RevokeAdmin(e.ctx, strings.ToUpper(other.User.Email)))
	roles, err := e.RolesOf(e.ctx, admin, other.User.Email)
	if e.must(err); roles != (market.Roles{Buyer: true}) {
		t.Errorf("after revoke: %+v", roles)
	}
}

func TestExactlyOneRole(t *testing.T) {
	e := newEnv(t)
	seller, admin := e.seller(), e.admin()
	_, err := e.VerifySeller(e.ctx, admin, seller.User.ID)
	e.must(err)
	for _, c := range []struct {
		who  market.Actor
		want market.Roles
	}{{e.buyer(), market.Roles{Buyer: true}}, {seller, market.Roles{Seller: true, Verified: true}}, {admin, market.Roles{Admin: true}}} {
		got, err := e.RolesOf(e.ctx, c.who, strings.ToUpper(c.who.User.Email))
		if e.must(err); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.who.User.Email, got, c.want)
		}
	}
	_, err = e.RolesOf(e.ctx, seller, admin.User.Email)
	e.refused(err, market.CodeForbidden)
}
