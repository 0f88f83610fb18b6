package market_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

// A restore brings back neither the rights of a former admin nor money for a moderator.
func TestReapplySetsTheRole(t *testing.T) {
	e := newEnv(t)
	admin, buyer := e.admin(), e.buyer()
	for _, c := range []struct {
		who  market.Actor
		role market.Removal
		want market.AdminRole
	}{
		{admin, market.Removal{Admin: true, Moderator: true}, market.Moderator},
		{admin, market.Removal{Admin: true}, market.FullAdmin},
		{admin, market.Removal{}, market.NoAdmin},
		{buyer, market.Removal{Admin: true, Moderator: true}, market.Moderator},
	} {
		c.role.Kind, c.role.ID, c.role.At = market.RemovalRole, c.who.User.UID, e.clock.Now()
		for round, want := range []int{1, 0} {
			made, err := market.Reapply(e.ctx, e.store, []market.Removal{c.role}, e.clock.Now())
			if e.must(err); made != want {
				t.Errorf("round %d: %+v made %d changes, want %d", round, c.role, made, want)
			}
		}
		if got := e.reload(c.who).User.AdminRole(); got != c.want {
			t.Errorf("after %+v the role is %q, want %q", c.role, got, c.want)
		}
	}
}

// credentials records the present credentials of a user's account, changed by a function.
func (e *env) credentials(who market.Actor, change func(*market.Credentials)) market.Removal {
	e.t.Helper()
	a, err := e.store.Account(e.ctx, who.User.UID)
	e.must(err)
	c := a.Credentials()
	c.Version++
	change(&c)
	return market.Removal{Kind: market.RemovalCredentials, ID: a.UID, At: e.clock.Now(), Credentials: &c}
}

// reapply makes changes again, and returns the account of a user.
func (e *env) reapply(who market.Actor, removals ...market.Removal) market.Account {
	e.t.Helper()
	if made, err := market.Reapply(e.ctx, e.store, removals, e.clock.Now()); err != nil || made != len(removals) {
		e.t.Errorf("made %d changes, %v, want %d", made, err, len(removals))
	}
	a, err := e.store.Account(e.ctx, who.User.UID)
	e.must(err)
	return a
}

// A restore keeps a second factor, a change of the address, and the links with which the owner can
// get the account back.
func TestReapplySetsAllCredentials(t *testing.T) {
	e := newEnv(t)
	who := e.buyer()
	old := who.User.Email
	want := market.Credentials{
		Email: "new@example.com", PasswordHash: "new", Version: 7, RestoredAt: e.clock.Now(),
		SecondFactor: &market.SecondFactor{Secret: "sealed", Confirmed: true, LastStep: 3, Recovery: []string{"one"}},
		Links: []market.AccountLink{
			{Purpose: market.LinkUndo, Hash: "u", Email: old, Expires: e.clock.Now().Add(time.Hour)},
			{Purpose: market.LinkFactorOff, Hash: "f", Email: "new@example.com", Expires: e.clock.Now().Add(time.Hour)},
		},
	}
	a := e.reapply(who, e.credentials(who, func(c *market.Credentials) { *c = want }))
	if diff := cmp.Diff(want, a.Credentials()); diff != "" {
		t.Errorf("the credentials differ (-recorded +restored):\n%s", diff)
	}
	if uid, err := market.AddressReservedFor(e.ctx, e.store, old, e.clock.Now()); err != nil || uid != a.UID {
		t.Errorf("the old address is reserved for %q, %v", uid, err)
	}
}

// An address and a Google account had moved from one account to another. The newest changes are
// made again in any order.
func TestReapplyMovesAddressesBetweenAccounts(t *testing.T) {
	e := newEnv(t)
	first, second := e.buyer(), e.buyer()
	taken := first.User.Email
	a := e.reapply(second,
		e.credentials(second, func(c *market.Credentials) { c.Email, c.GoogleSub = taken, "g" }),
		e.credentials(first, func(c *market.Credentials) { c.Email = "elsewhere@example.com" }),
	)
	if a.Email != taken || a.GoogleSub != "g" {
		t.Errorf("the account is %+v", a)
	}
}

// In the backup another account has the address and the Google account, and no change of it was
// recorded. Everything else is changed.
func TestReapplyKeepsAddressAndGoogleAccountOfOther(t *testing.T) {
	e := newEnv(t)
	first, second := e.buyer(), e.buyer()
	e.reapply(first, e.credentials(first, func(c *market.Credentials) { c.GoogleSub = "g" }))
	a := e.reapply(second, e.credentials(second, func(c *market.Credentials) {
		c.Email, c.PasswordHash, c.GoogleSub = first.User.Email, "new", "g"
	}))
	if a.PasswordHash != "new" || a.GoogleSub != "" || a.Email != second.User.Email {
		t.Errorf("the account is %+v", a)
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
