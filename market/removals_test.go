package market_test

import (
	"testing"
	"time"

	"secondring/market"
)

func TestReapplySkipsUnknownEntities(t *testing.T) {
	e := newEnv(t)
	var all []market.Removal
	for _, kind := range []market.RemovalKind{
		market.RemovalUser, market.RemovalAccount, market.RemovalCredentials, market.RemovalRole, market.RemovalPicture,
	} {
		all = append(all, market.Removal{Kind: kind, ID: "unknown", At: e.clock.Now(), Admin: true})
	}
	applied, err := market.Reapply(e.ctx, e.store, all, e.clock.Now())
	if err != nil || applied != 0 {
		t.Errorf("applied %d removals, %v, want none", applied, err)
	}
}

// The link to Google had moved from one account to another when it was recorded. In the
// backup the first account still has it.
func TestReapplyKeepsGoogleLinkOfBackup(t *testing.T) {
	e := newEnv(t)
	first, second := e.buyer(), e.buyer()
	a, err := e.store.Account(e.ctx, first.User.UID)
	e.must(err)
	a.GoogleSub = "g"
	a.Version++
	e.must(e.store.SaveAccount(e.ctx, a, nil))
	applied, err := market.Reapply(e.ctx, e.store, []market.Removal{
		{Kind: market.RemovalCredentials, ID: second.User.UID, At: e.clock.Now(), PasswordHash: "new", GoogleSub: "g"},
	}, e.clock.Now())
	e.must(err)
	b, err := e.store.Account(e.ctx, second.User.UID)
	e.must(err)
	if applied != 1 || b.PasswordHash != "new" || b.GoogleSub != "" {
		t.Errorf("applied %d removals, the account is %+v", applied, b)
	}
}

// The janitor removes the phones of a user who was removed after the backup.
func TestReapplyLeavesCascadeToJanitor(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	applied, err := market.Reapply(e.ctx, e.store, []market.Removal{{Kind: market.RemovalUser, ID: seller.User.UID}}, e.clock.Now())
	e.must(err)
	if applied != 1 {
		t.Fatalf("applied %d removals, want 1", applied)
	}
	e.must(e.janitor.Step(e.ctx))
	if _, err := e.store.Product(e.ctx, p.ID); err == nil {
		t.Error("the phone of a removed seller is still there")
	}
	e.clock.Pass(2 * time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if a, err := e.store.Account(e.ctx, seller.User.UID); err != nil || !a.Removed {
		t.Errorf("the account is not marked as removed: %+v, %v", a, err)
	}
}
