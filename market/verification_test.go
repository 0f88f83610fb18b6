package market_test

import (
	"context"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// A seller who changes their name between the admin's look at the list and the verification
// is not verified: the admin has never seen the new name.
func TestSellerIsVerifiedUnderTheNameThatTheAdminSaw(t *testing.T) {
	e := newEnv(t)
	admin, seller := e.admin(), e.seller()
	seen := int(seller.User.Version)
	e.must(e.Rename(e.ctx, seller.User.UID, "Apple Store Official"))
	e.drain()
	_, err := e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{Version: &seen})
	e.wantCode(err, market.CodeConflict)
	if e.reload(seller).User.IsVerified() || len(e.drain()) > 0 {
		t.Error("a seller with a new name was verified")
	}
	current := int(e.reload(seller).User.Version)
	for i, want := range []int{1, 0} { // repeated after a lost response: there is nothing to change
		n, err := e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{Version: &current})
		if e.must(err); n != want {
			t.Errorf("call %d changed %d sellers, want %d", i+1, n, want)
		}
	}
}

// A change by another call between the read and the write counts, too.
func TestSellerWhoIsRenamedDuringTheVerificationIsNotVerified(t *testing.T) {
	e := newEnv(t)
	admin, seller := e.admin(), e.seller()
	seen, renamed := int(seller.User.Version), false
	m := market.New(e.store.Hooked(func(ctx context.Context, call market.StoreCall, do func() error) error {
		if _, isUser := call.Entity.(market.User); isUser && !renamed {
			renamed = true
			e.must(e.Rename(ctx, seller.User.UID, "Apple Store Official"))
		}
		return do()
	}), e.clock, e.rules, market.NoPayments{})
	_, err := m.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{Version: &seen})
	e.wantCode(err, market.CodeConflict)
	if e.reload(seller).User.IsVerified() {
		t.Error("a seller with a new name was verified")
	}
}

func TestBadgeIsTakenBack(t *testing.T) {
	e := newEnv(t)
	admin, seller := e.admin(), e.seller()
	_, err := e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{})
	e.must(err)
	seller = e.reload(seller)
	advertised, held := e.phone(seller), e.phone(seller)
	_, err = e.Advertise(e.ctx, seller, advertised.ID)
	e.must(err)
	e.mustBook(e.buyer(), held)
	e.drain()

	n, err := e.TakeBadge(e.ctx, admin, seller.User.ID)
	if e.must(err); n != 1 || e.reload(seller).User.IsVerified() {
		t.Fatalf("changed %d sellers, want 1; verified is %t", n, e.reload(seller).User.IsVerified())
	}
	for _, p := range []market.Product{advertised, held} {
		if got := e.stored(p); got.Verified || got.Advertised {
			t.Errorf("the phone is still verified or advertised: %+v", got)
		}
	}
	e.wantEvents("admin user.changed", "me:"+seller.User.UID+" seller.verified", "brand:"+e.brand.ID+" product.changed",
		"advertised advertised.changed", "admin audit.added", "me:"+seller.User.UID+" notification.added")
	if entry := e.auditEntry(admin, market.ActionTakeBadge); entry.Actor != admin.User.Name || entry.TargetID != seller.User.ID {
		t.Errorf("the audit entry is %+v", entry)
	}

	late := e.phone(seller) // added by a call in progress, which has read the seller before
	e.must(e.janitor.Step(e.ctx))
	if e.stored(late).Verified {
		t.Error("a phone added meanwhile is still verified")
	}
	if n, err = e.TakeBadge(e.ctx, admin, seller.User.ID); err != nil || n != 0 {
		t.Errorf("taking the badge back again changed %d, %v", n, err)
	}
	e.wantNotified(seller, "verified: An admin has taken your Verified badge back. Your phones no longer carry it.",
		"booked: Your Nokia 3310 was booked.", "verified: You are now a verified seller. Your phones carry a Verified badge.")
}

func TestBadgeIsTakenBackByAdminsOnly(t *testing.T) {
	e := newEnv(t)
	admin, seller, buyer := e.admin(), e.seller(), e.buyer()
	_, err := e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{})
	e.must(err)
	_, err = e.TakeBadge(e.ctx, seller, seller.User.ID)
	e.wantCode(err, market.CodeForbidden)
	for _, id := range []string{"nobody", buyer.User.ID, admin.User.ID} {
		_, err = e.TakeBadge(e.ctx, admin, id)
		e.wantCode(err, market.CodeNotFound)
	}
	if !e.reload(seller).User.IsVerified() {
		t.Error("the seller is not verified any more")
	}
}

// Admins hear of every version of a seller, or an open list would have versions with which
// nobody can be verified.
func TestAdminsHearEveryVersionOfASeller(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	admin, seller := e.admin(), e.seller()
	heard := func() (version int64) {
		for _, event := range e.drain() {
			if event.Topic == market.TopicAdmin && event.Type == market.TypeUserChanged && event.Entity == seller.User.ID {
				version = event.Version
			}
		}
		return version
	}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"a new name", func() error { return e.Rename(e.ctx, seller.User.UID, "Ann the Second") }},
		{"the end of the update of the phones", func() error {
			e.clock.Pass(time.Minute)
			return e.janitor.Step(e.ctx)
		}},
		{"a payout account", func() error { _, err := e.OpenOnboarding(e.ctx, seller); return err }},
		{"the setup of the payout account", func() error {
			id := e.reload(seller).User.PayoutAccount.ID
			e.bank.ChangeAccount(id, func(a *markettest.Account) { a.IsReady = true })
			return e.RefreshPayoutAccount(e.ctx, id)
		}},
	} {
		before := e.reload(seller).User.Version
		e.must(c.do())
		stored := e.reload(seller).User.Version
		if got := heard(); stored == before || got != stored {
			t.Errorf("after %s the admins heard of version %d, want %d, which is not %d", c.name, got, stored, before)
		}
	}
	version := int(e.reload(seller).User.Version)
	if n, err := e.VerifySeller(e.ctx, admin, seller.User.ID, market.VerifyRequest{Version: &version}); err != nil || n != 1 {
		t.Errorf("verified %d sellers, %v", n, err)
	}
}
