package market_test

import (
	"errors"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// onboard opens the seller's payout account and makes the provider accept it.
func (e *env) onboard(seller market.Actor) (accountID string) {
	e.t.Helper()
	_, err := e.OpenOnboarding(e.ctx, seller)
	e.must(err)
	id := e.reload(seller).User.PayoutAccount.ID
	e.bank.ChangeAccount(id, func(a *markettest.Account) { a.IsReady = true })
	return id
}

func TestOnlyTheSellerSeesTheStateOfThePayoutAccount(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller := e.seller()
	wantState := func(state market.AccountState) {
		t.Helper()
		earnings, err := e.Earnings(e.ctx, seller, market.Page{Limit: 200})
		e.must(err)
		if earnings.Account != state {
			t.Errorf("the account is %q, want %q", earnings.Account, state)
		}
	}
	wantState(market.AccountNone)
	url, err := e.OpenOnboarding(e.ctx, seller)
	e.must(err)
	id := e.reload(seller).User.PayoutAccount.ID
	if url != "https://bank.example.com/"+id {
		t.Errorf("the onboarding link is %q", url)
	}
	wantState(market.AccountPending)
	e.bank.SetUnavailable(true)
	wantState(market.AccountPending)
	e.bank.SetUnavailable(false)
	e.bank.ChangeAccount(id, func(a *markettest.Account) { a.IsReady = true })
	wantState(market.AccountReady)
	if _, err := e.OpenOnboarding(e.ctx, seller); err != nil || e.reload(seller).User.PayoutAccount.ID != id {
		t.Errorf("the second onboarding opened another account, or returned %v", err)
	}
	e.bank.ChangeAccount(id, func(a *markettest.Account) { a.IsReady = false })
	e.must(e.RefreshPayoutAccount(e.ctx, id))
	wantState(market.AccountPending)
	e.bank.ChangeAccount(id, func(a *markettest.Account) { a.IsDeleted = true })
	wantState(market.AccountPending)
	if _, err := e.OpenOnboarding(e.ctx, seller); err != nil || e.reload(seller).User.PayoutAccount.ID == id {
		t.Errorf("the onboarding after the account was deleted opened no new one, or returned %v", err)
	}
	e.must(e.RefreshPayoutAccount(e.ctx, "acct_unknown"))
}

func TestOnlySellersSetUpPayouts(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	for _, who := range []market.Actor{e.buyer(), e.admin()} {
		_, err := e.OpenOnboarding(e.ctx, who)
		e.wantCode(err, market.CodeForbidden)
	}
	seller := e.seller()
	e.bank.SetUnavailable(true)
	_, err := e.OpenOnboarding(e.ctx, seller)
	e.wantCode(err, market.CodeUnavailable)
	e = newEnv(t)
	_, err = e.OpenOnboarding(e.ctx, e.seller())
	e.wantCode(err, market.CodeClosed)
}

func TestDataExportHasThePayoutAccount(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller := e.seller()
	id := e.onboard(seller)
	a, err := e.store.Account(e.ctx, seller.User.UID)
	e.must(err)
	v, err := e.Person(e.ctx, a)
	e.must(err)
	if v.PayoutAccount == nil || v.PayoutAccount.ID != id {
		t.Errorf("the export has the account %+v, want %s", v.PayoutAccount, id)
	}
}

func TestPayoutAccountOfDeletedSellerIsErased(t *testing.T) {
	e := newEnvWith(t, stripeRules)
	seller := e.seller()
	e.onboard(seller)
	e.must(e.deleteAccount(seller))
	e.clock.Pass(time.Minute)
	e.must(e.janitor.Step(e.ctx))
	if u, err := e.store.User(e.ctx, seller.User.UID); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("the user is still stored: %+v, %v", u, err)
	}
}
