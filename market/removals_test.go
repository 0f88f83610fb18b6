package market_test

import (
	"testing"
	"time"

	"secondring/market"
)

func TestReapplySkipsWhatTheBackupDoesNotHave(t *testing.T) {
	w := newEnv(t)
	var all []market.Removal
	for _, kind := range []market.RemovalKind{
		market.RemovalUser, market.RemovalAccount, market.RemovalCredentials, market.RemovalRole, market.RemovalPicture,
	} {
		all = append(all, market.Removal{Kind: kind, ID: "somebody of later", At: w.clock.Now(), Admin: true})
	}
	made, err := market.Reapply(w.ctx, w.store, all, w.clock.Now())
	if err != nil || made != 0 {
		t.Errorf("%d, %v", made, err)
	}
}

// The link to Google had moved from one account to another when it was noted. In
// the backup the first still has it.
func TestReapplyLeavesAGoogleAccountWhereTheBackupHasIt(t *testing.T) {
	w := newEnv(t)
	first, second := w.buyer(), w.buyer()
	a, err := w.store.Account(w.ctx, first.User.UID)
	w.must(err)
	a.GoogleSub = "g"
	a.Version++
	w.must(w.store.SaveAccount(w.ctx, a, nil))
	made, err := market.Reapply(w.ctx, w.store, []market.Removal{
		{Kind: market.RemovalCredentials, ID: second.User.UID, At: w.clock.Now(), PasswordHash: "new", GoogleSub: "g"},
	}, w.clock.Now())
	w.must(err)
	b, err := w.store.Account(w.ctx, second.User.UID)
	w.must(err)
	if made != 1 || b.PasswordHash != "new" || b.GoogleSub != "" {
		t.Errorf("%d, %+v", made, b)
	}
}

// Who was removed after the backup loses their phones by the janitor.
func TestReapplyLeavesTheCascadeToTheUpkeep(t *testing.T) {
	w := newEnv(t)
	seller := w.seller()
	p := w.phone(seller)
	made, err := market.Reapply(w.ctx, w.store, []market.Removal{{Kind: market.RemovalUser, ID: seller.User.UID}}, w.clock.Now())
	w.must(err)
	if made != 1 {
		t.Fatal(made)
	}
	w.must(w.janitor.Step(w.ctx))
	if _, err := w.store.Product(w.ctx, p.ID); err == nil {
		t.Error("the phone of a removed seller is still there")
	}
	w.clock.Pass(2 * time.Minute)
	w.must(w.janitor.Step(w.ctx))
	if a, err := w.store.Account(w.ctx, seller.User.UID); err != nil || !a.Removed {
		t.Errorf("%+v, %v", a, err)
	}
}
