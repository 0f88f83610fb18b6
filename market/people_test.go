package market_test

import (
	"slices"
	"sync"
	"testing"

	"secondring/market"
)

func (w *env) account(email string) market.Account {
	w.t.Helper()
	a := market.Account{UID: market.NewID(w.clock.Now()), Email: email, DisplayName: "Ann", Version: 1, CreatedAt: w.clock.Now()}
	w.must(w.store.AddAccount(w.ctx, a))
	return a
}

func TestAddingOneselfIsIdempotent(t *testing.T) {
	w := newEnv(t)
	a := w.account("ann@example.com")
	in := market.NewUser{Name: "Ann", Email: "ANN@example.com", AccountType: market.AccountSeller}
	var all sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]bool{}
	for range 50 {
		all.Go(func() {
			u, err := w.AddUser(w.ctx, a, in)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			ids[u.ID] = true
		})
	}
	all.Wait()
	if len(ids) != 1 {
		t.Errorf("%d users for one account", len(ids))
	}
	if told := w.told(); !slices.Equal(told, []string{"admin user.created"}) {
		t.Errorf("told %q", told)
	}
	in.AccountType = market.AccountUser
	_, err := w.AddUser(w.ctx, a, in)
	w.refused(err, market.CodeExists)
}

func TestWhoMayBeAdded(t *testing.T) {
	w := newEnv(t)
	a := w.account("ann@example.com")
	for name, c := range map[string]struct {
		in   market.NewUser
		code market.Code
	}{
		"somebody else":    {market.NewUser{Name: "Bob", Email: "bob@example.com", AccountType: "User"}, market.CodeForbidden},
		"an admin":         {market.NewUser{Name: "Ann", Email: a.Email, AccountType: "Admin"}, market.CodeInvalid},
		"without a name":   {market.NewUser{Email: a.Email, AccountType: "User"}, market.CodeInvalid},
		"without an email": {market.NewUser{Name: "Ann", AccountType: "User"}, market.CodeInvalid},
		"without a type":   {market.NewUser{Name: "Ann", Email: a.Email}, market.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.AddUser(w.ctx, a, c.in); market.CodeOf(err) != c.code {
				t.Errorf("got %v, want code %s", err, c.code)
			}
		})
	}
}

func TestRenamingTellsTheAdminsOnce(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	w.drain()
	w.must(w.Rename(w.ctx, buyer.User.UID, "Ann the Second"))
	w.must(w.Rename(w.ctx, buyer.User.UID, "Ann the Second"))
	if told := w.told(); !slices.Equal(told, []string{"admin user.changed"}) {
		t.Errorf("told %q", told)
	}
	if got := w.again(buyer).User; got.Name != "Ann the Second" || got.Version != buyer.User.Version+1 {
		t.Errorf("renamed: %+v", got)
	}
}

func TestBecomingAndCeasingToBeAnAdminTellsEveryNode(t *testing.T) {
	w := newEnv(t)
	buyer := w.buyer()
	a, err := w.store.Account(w.ctx, buyer.User.UID)
	w.must(err)
	w.drain()
	w.must(w.MakeAdmin(w.ctx, a))
	w.must(w.RevokeAdmin(w.ctx, a.Email))
	want := []string{
		"admin user.removed", "control access.changed", "admin trail.added",
		"admin user.created", "control access.changed", "admin trail.added",
	}
	if told := w.told(); !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	w.refused(w.RevokeAdmin(w.ctx, a.Email), market.CodeNotFound)
	w.refused(w.RevokeAdmin(w.ctx, "nobody@example.com"), market.CodeNotFound)
}

// A client shows the name of the account, which may be another than the market's.
func TestAPersonMayBeCalledByTheirAccountsName(t *testing.T) {
	w := newEnv(t)
	p := w.phone(w.seller())
	a := w.account("ann@example.com")
	u, err := w.AddUser(w.ctx, a, market.NewUser{Name: "Ann of the market", Email: a.Email, AccountType: market.AccountUser})
	w.must(err)
	who := market.Actor{User: u}
	in := market.BookingRequest{ProductID: p.ID, Phone: "01800000", UserName: "Bob"}
	_, err = w.Book(w.ctx, who, in)
	w.refused(err, market.CodeInvalid)
	in.UserName = a.DisplayName
	b, err := w.Book(w.ctx, who, in)
	if w.must(err); b.UserName != u.Name {
		t.Errorf("booked under %q", b.UserName)
	}
	_, err = w.AddReport(w.ctx, who, market.NewReport{ProductID: p.ID, Reason: "x", UserName: a.DisplayName})
	w.must(err)
}
