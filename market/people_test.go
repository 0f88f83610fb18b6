package market_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"secondring/market"
)

func (e *env) account(email string) market.Account {
	e.t.Helper()
	a := market.Account{UID: market.NewID(e.clock.Now()), Email: email, DisplayName: "Ann", Version: 1, CreatedAt: e.clock.Now()}
	e.must(e.store.AddAccount(e.ctx, a, nil))
	return a
}

func TestAddUserIsIdempotent(t *testing.T) {
	e := newEnv(t)
	a := e.account("ann@example.com")
	in := market.UserRequest{Name: "Ann", Email: "ANN@example.com", AccountType: market.AccountSeller}
	var all sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]bool{}
	for range 50 {
		all.Go(func() {
			u, err := e.AddUser(e.ctx, a, in)
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
		t.Errorf("%d users for one account, want 1", len(ids))
	}
	if publishedEvents := e.publishedEvents(); !slices.Equal(publishedEvents, []string{"admin user.created"}) {
		t.Errorf("published %q, want one event about the user", publishedEvents)
	}
	in.AccountType = market.AccountUser
	_, err := e.AddUser(e.ctx, a, in)
	e.wantCode(err, market.CodeExists)
}

func TestAddUserPermissions(t *testing.T) {
	e := newEnv(t)
	a := e.account("ann@example.com")
	for name, c := range map[string]struct {
		in   market.UserRequest
		code market.Code
	}{
		"another user":     {market.UserRequest{Name: "Bob", Email: "bob@example.com", AccountType: "User"}, market.CodeForbidden},
		"an admin":         {market.UserRequest{Name: "Ann", Email: a.Email, AccountType: "Admin"}, market.CodeInvalid},
		"without a name":   {market.UserRequest{Email: a.Email, AccountType: "User"}, market.CodeInvalid},
		"without an email": {market.UserRequest{Name: "Ann", AccountType: "User"}, market.CodeInvalid},
		"without a type":   {market.UserRequest{Name: "Ann", Email: a.Email}, market.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := e.AddUser(e.ctx, a, c.in); market.CodeOf(err) != c.code {
				t.Errorf("got %v, want code %s", err, c.code)
			}
		})
	}
}

func TestRenamePublishesOneAdminEvent(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	e.drain()
	e.must(e.Rename(e.ctx, buyer.User.UID, "Ann the Second"))
	e.must(e.Rename(e.ctx, buyer.User.UID, "Ann the Second"))
	if publishedEvents := e.publishedEvents(); !slices.Equal(publishedEvents, []string{"admin user.changed"}) {
		t.Errorf("published %q, want one event about the user", publishedEvents)
	}
	if got := e.reload(buyer).User; got.Name != "Ann the Second" || got.Version != buyer.User.Version+1 {
		t.Errorf("the renamed user is %+v", got)
	}
}

func TestAdminChangesPublishControlEvents(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer()
	a, err := e.store.Account(e.ctx, buyer.User.UID)
	e.must(err)
	e.drain()
	e.must(e.MakeAdmin(e.ctx, a))
	e.must(e.RevokeAdmin(e.ctx, a.Email))
	me := market.TopicMe(a.UID) + " user.changed"
	want := []string{
		"admin user.removed", me, "control access.changed", "admin audit.added",
		"admin user.created", me, "control access.changed", "admin audit.added",
	}
	if publishedEvents := e.publishedEvents(); !slices.Equal(publishedEvents, want) {
		t.Errorf("published %q, want %q", publishedEvents, want)
	}
	e.wantCode(e.RevokeAdmin(e.ctx, a.Email), market.CodeNotFound)
	e.wantCode(e.RevokeAdmin(e.ctx, "nobody@example.com"), market.CodeNotFound)
}

// A client shows the account's name, which may differ from the user's.
func TestUserMayHaveAccountName(t *testing.T) {
	e := newEnv(t)
	p := e.phone(e.seller())
	a := e.account("ann@example.com")
	u, err := e.AddUser(e.ctx, a, market.UserRequest{Name: "Ann of the market", Email: a.Email, AccountType: market.AccountUser})
	e.must(err)
	who := market.Actor{User: u}
	in := market.BookingRequest{ProductID: p.ID, Phone: "01800000", UserName: "Bob"}
	_, err = e.Book(e.ctx, who, in)
	e.wantCode(err, market.CodeInvalid)
	in.UserName = a.DisplayName
	b, err := e.Book(e.ctx, who, in)
	if e.must(err); b.UserName != u.Name {
		t.Errorf("the booking has the name %q, want %q", b.UserName, u.Name)
	}
	_, err = e.AddReport(e.ctx, who, market.ReportRequest{ProductID: p.ID, Reason: "x", UserName: a.DisplayName})
	e.must(err)
}

// A seller's phones show the new address. An order keeps the address of its payment.
func TestPhonesShowChangedAddress(t *testing.T) {
	e := newEnv(t)
	seller, other := e.seller(), e.seller()
	phone, held := e.phone(seller), e.phone(seller)
	e.mustBook(e.buyer(), held)
	e.must(e.ChangeEmail(e.ctx, seller.User.UID, "new@example.com"))
	for _, p := range []market.Product{phone, held} {
		now, err := e.store.Product(e.ctx, p.ID)
		e.must(err)
		if now.SellerEmail != "new@example.com" {
			t.Errorf("the phone has the address %q", now.SellerEmail)
		}
	}
	if u, err := e.store.UserByEmail(e.ctx, "NEW@example.com"); err != nil || u.UID != seller.User.UID {
		t.Errorf("the user is %+v, %v", u, err)
	}
	if err := e.ChangeEmail(e.ctx, other.User.UID, "New@example.com"); market.CodeOf(err) != market.CodeExists {
		t.Errorf("changing to an address in use returned %v", err)
	}
	if err := e.ChangeEmail(e.ctx, "nobody", "nobody@example.com"); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("changing the address of an unknown user returned %v", err)
	}
}
