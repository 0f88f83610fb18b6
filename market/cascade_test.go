package market_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

func TestVerifyingASellerVerifiesTheirPhones(t *testing.T) {
	e := newEnv(t)
	admin, seller := e.admin(), e.seller()
	first, second := e.phone(seller), e.phone(seller)
	other := e.phone(e.seller())
	e.drain()

	n, err := e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{})
	if e.must(err); n != 1 {
		t.Fatalf("changed %d users, want 1", n)
	}
	for _, p := range []market.Product{first, second} {
		if got := e.stored(p); !got.Verified || got.Version != p.Version+1 {
			t.Errorf("the phone is not verified: %+v", got)
		}
	}
	if e.stored(other).Verified {
		t.Error("another seller's phone is verified")
	}
	e.wantEvents("admin user.changed", "me:"+seller.User.UID+" seller.verified", "brand:"+e.brand.ID+" product.changed")
	if n, err = e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{}); err != nil || n != 0 {
		t.Errorf("verifying again changed %d, %v", n, err)
	}
	if later := e.phone(e.reload(seller)); !later.Verified {
		t.Error("a phone added later is not verified")
	}
}

func TestPhoneAddedDuringVerificationIsVerified(t *testing.T) {
	e := newEnv(t)
	seller := e.seller() // as read by a call in progress
	_, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{})
	e.must(err)
	late := e.phone(seller)
	if late.Verified {
		t.Fatal("the phone is verified before the sweep")
	}
	e.must(e.janitor.Step(e.ctx))
	if !e.stored(late).Verified {
		t.Error("the sweep did not verify the phone")
	}
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if remaining, err := e.store.UsersToSweep(e.ctx, 10); err != nil || len(remaining) != 0 {
		t.Errorf("users to sweep after a minute: %v, %v", remaining, err)
	}
}

// A verification is valid for the name under which the seller was verified.
func TestRenamedSellerLosesVerification(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	_, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{})
	e.must(err)
	seller = e.reload(seller)
	advertised, other := e.phone(seller), e.phone(seller)
	_, err = e.Advertise(e.ctx, seller, advertised.ID)
	e.must(err)
	e.must(e.Rename(e.ctx, seller.User.UID, seller.User.Name)) // unchanged name
	if !e.reload(seller).User.IsVerified() {
		t.Fatal("renaming to the same name ended the verification")
	}
	e.drain()

	e.must(e.Rename(e.ctx, seller.User.UID, "Apple Store Official"))
	if got := e.reload(seller).User; got.IsVerified() || got.Name != "Apple Store Official" {
		t.Errorf("the renamed seller is %+v", got)
	}
	for _, p := range []market.Product{advertised, other} {
		if got := e.stored(p); got.Verified || got.Advertised || got.SellerName != "Apple Store Official" {
			t.Errorf("the phone is still verified or advertised, or has the old name: %+v", got)
		}
	}
	e.wantEvents("admin user.changed", "me:"+seller.User.UID+" seller.verified", "brand:"+e.brand.ID+" product.changed", "advertised advertised.changed")

	late := e.phone(seller) // added by a call in progress, which has read the seller before
	e.must(e.janitor.Step(e.ctx))
	if e.stored(late).Verified {
		t.Error("a phone added during the renaming is still verified")
	}
	if _, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{}); err != nil || !e.stored(other).Verified {
		t.Errorf("an admin cannot verify the seller again: %v", err)
	}
}

func TestPhonesShowNewNameOfSeller(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	late := e.phone(seller)
	e.must(e.Rename(e.ctx, seller.User.UID, "Ann the Second"))
	for _, p := range []market.Product{p, late} {
		if got := e.stored(p); got.SellerName != "Ann the Second" || got.Version != p.Version+1 {
			t.Errorf("the phone after the seller's renaming: %+v", got)
		}
	}
	late = e.phone(seller) // added by a call in progress, which has read the seller before
	e.must(e.janitor.Step(e.ctx))
	if got := e.stored(late); got.SellerName != "Ann the Second" {
		t.Errorf("a phone added during the renaming shows %q", got.SellerName)
	}
	seller = e.reload(seller)
	price := 41
	if n, err := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{SellerName: seller.User.Name, ResalePrice: &price}); err != nil || n != 1 {
		t.Errorf("a change with the new name: %d, %v", n, err)
	}
}

func TestRemovedBuyerReleasesHolds(t *testing.T) {
	e := newEnv(t)
	admin, seller, buyer := e.admin(), e.seller(), e.buyer()
	p := e.phone(seller)
	b := e.mustBook(buyer, p)
	e.drain()
	n, err := e.RemoveUser(e.ctx, admin, buyer.User.ID, market.RemovalReason{})
	if e.must(err); n != 1 {
		t.Fatalf("removed %d users, want 1", n)
	}
	if e.stored(p).Booked() || e.storedBooking(b).Status != market.BookingCancelled {
		t.Errorf("the hold was not released: phone %+v, booking %+v", e.stored(p), e.storedBooking(b))
	}
	e.wantEvents("admin user.removed", "me:"+buyer.User.UID+" account.removed", "control access.ended",
		"me:"+seller.User.UID+" product.released",
	)
	_, err = e.Actor(e.ctx, buyer.User.UID, buyer.Session)
	e.wantCode(err, market.CodeNoToken)
	if _, err := e.RemoveUser(e.ctx, admin, buyer.User.ID, market.RemovalReason{}); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("removing again returned %v", err)
	}
}

func TestRemovedSellerPhonesAreRemoved(t *testing.T) {
	e := newEnv(t)
	admin, seller, buyer := e.admin(), e.seller(), e.buyer()
	available, held := e.phone(seller), e.phone(seller)
	b := e.mustBook(buyer, held)
	e.drain()
	_, err := e.RemoveUser(e.ctx, admin, seller.User.ID, market.RemovalReason{})
	e.must(err)
	for _, p := range []market.Product{available, held} {
		if _, err := e.store.Product(e.ctx, p.ID); !errors.Is(err, market.ErrNotFound) {
			t.Errorf("a phone of the removed seller is still there: %v", err)
		}
	}
	if got := e.storedBooking(b); got.Status != market.BookingCancelled {
		t.Errorf("the booking is %s, want cancelled", got.Status)
	}
	if publishedEvents := e.publishedEvents(); !slices.Contains(publishedEvents, "me:"+buyer.User.UID+" booking.changed") {
		t.Errorf("the buyer was not notified: %q", publishedEvents)
	}
	late := e.phone(seller) // added by a call in progress
	e.must(e.janitor.Step(e.ctx))
	if _, err := e.store.Product(e.ctx, late.ID); !errors.Is(err, market.ErrNotFound) {
		t.Error("a phone added during the removal is still there")
	}
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if u, err := e.store.User(e.ctx, seller.User.UID); err != nil || !u.Removed || !u.SweepUntil.IsZero() {
		t.Errorf("the removed user is not sealed: %+v, %v", u, err)
	}
	if a, err := e.store.Account(e.ctx, seller.User.UID); err != nil || !a.Removed {
		t.Errorf("the account is not marked as removed: %+v, %v", a, err)
	}
}

func TestHoldTakenDuringBuyerRemovalEnds(t *testing.T) {
	e := newEnv(t)
	buyer, p := e.buyer(), e.phone(e.seller())
	_, err := e.RemoveUser(e.ctx, e.admin(), buyer.User.ID, market.RemovalReason{})
	e.must(err)
	_, err = e.book(buyer, p) // made by a call in progress
	e.must(err)
	e.must(e.janitor.Step(e.ctx))
	if e.stored(p).Booked() {
		t.Error("the phone is still held by the removed buyer")
	}
}

func TestAdminsAreNotListedOrRemoved(t *testing.T) {
	e := newEnv(t)
	admin, other := e.admin(), e.admin()
	buyer := e.buyer()
	list, err := e.Users(e.ctx, admin, market.AccountUser, market.Page{Limit: 10})
	if e.must(err); len(list.Items) != 1 || list.Items[0].ID != buyer.User.ID || list.Total != 1 {
		t.Errorf("the buyers are %+v, want the one without the admins", list)
	}
	_, err = e.RemoveUser(e.ctx, admin, other.User.ID, market.RemovalReason{})
	e.wantCode(err, market.CodeForbidden)
	_, err = e.RemoveUser(e.ctx, buyer, other.User.ID, market.RemovalReason{})
	e.wantCode(err, market.CodeForbidden)
	e.must(e.RevokeAdmin(e.ctx, strings.ToUpper(other.User.Email)))
	roles, err := e.RolesOf(e.ctx, admin, other.User.Email)
	if e.must(err); roles != (market.Roles{Buyer: true}) {
		t.Errorf("the roles of a former admin are %+v", roles)
	}
}

func TestExactlyOneRole(t *testing.T) {
	e := newEnv(t)
	seller, admin := e.seller(), e.admin()
	_, err := e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{})
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
	e.wantCode(err, market.CodeForbidden)
}
