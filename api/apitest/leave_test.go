package apitest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// concerning lists the markers that a user may read, by subject.
func (c *roleEnv) concerning(kind int) map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]string{}
	for n, m := range c.marks {
		if strings.HasSuffix(m.what, " of "+kindNames[kind]) || strings.HasPrefix(m.what, "where "+kindNames[kind]+" ") {
			all[markerText(n)] = m.what
		}
	}
	return all
}

// The export has all data of the person. TestAccessMatrix checks that it has no data of
// others.
func TestExportOfPersonalData(t *testing.T) {
	c := newRoleEnv(t)
	c.reportOf(asBuyer)
	c.people[asBuyer].do(http.MethodPut, "/watches/"+c.phoneOf(asOther), nil).is(http.StatusOK)
	c.people[asBuyer].do(http.MethodPost, "/searches", fields{
		"name": c.mark("the saved search of the buyer", exactlyOne(asBuyer)), "query": "q=pixel",
	}).is(http.StatusOK)
	c.people[asBuyer].do(http.MethodPut, "/notifications/settings", fields{"email": fields{"price": "daily"}}).is(http.StatusOK)
	for _, kind := range []int{asBuyer, asSeller} {
		got := c.people[kind].withCookie(http.MethodGet, "/identity/data", nil).is(http.StatusOK)
		if where := got.Header.Get("Content-Disposition"); !strings.HasPrefix(where, "attachment; ") {
			t.Errorf("Content-Disposition is %q", where)
		}
		for mark, what := range c.concerning(kind) {
			if there := strings.Contains(string(got.body), mark); there == strings.HasPrefix(what, "the session cookie") {
				t.Errorf("%s of %s: %v", what, kindNames[kind], there)
			}
		}
		c.reads(t, kind, "the data", string(got.body))
		var data market.PersonView
		got.into(&data)
		if kind == asBuyer && (len(data.Bookings) != 1 || len(data.Payments) != 1 || len(data.Reports) != 1 || data.Reports[0].SellerID != "" || len(data.Sessions) == 0) {
			t.Errorf("the buyer's data: %+v", data)
		}
		if kind == asBuyer && (len(data.Watches) != 1 || len(data.Searches) != 1) {
			t.Errorf("the buyer watches: %+v %+v", data.Watches, data.Searches)
		}
		if kind == asBuyer && (len(data.Emails) != 1 || data.Emails[0].When != market.EmailDaily) {
			t.Errorf("the buyer gets emails: %+v", data.Emails)
		}
		if len(data.Notifications) == 0 {
			t.Errorf("there are no notifications of %s", kindNames[kind])
		}
		if kind == asSeller && len(data.Phones) != 3 {
			t.Errorf("the seller's data: %+v", data)
		}
	}
	var verified market.PersonView
	c.people[asVerified].withCookie(http.MethodGet, "/identity/data", nil).is(http.StatusOK).into(&verified)
	if len(verified.AuditLog) != 1 || verified.AuditLog[0].Action != market.ActionVerifySeller {
		t.Errorf("the audit entries about the verified seller: %+v", verified.AuditLog)
	}
}

// endOrders settles the person's paid orders, so that they can delete their account.
func (c *roleEnv) endOrders(kind int) {
	c.t.Helper()
	list, err := c.store.BookingsOf(c.t.Context(), c.people[kind].user.UID, market.Page{Limit: 100})
	must(c.t, err)
	for _, b := range list.Items {
		if b.Status == market.BookingPaid {
			c.people[kind].do(http.MethodPut, "/bookings/"+b.ID+"/fulfilment", fields{"action": "received"}).is(http.StatusOK)
		}
	}
	must(c.t, c.reconciler.Step(c.t.Context()))
}

func TestAccountDeletion(t *testing.T) {
	c := newRoleEnv(t)
	buyer, rival, seller := c.people[asBuyer], c.people[asRival], c.people[asSeller]
	held := c.phoneOf(asSeller)
	c.bookingOf(asBuyer, held)
	gone := c.concerning(asBuyer)
	screen := rival.live(t)
	c.settle()
	screen.from(rival.get("/categories/" + c.brand.ID))

	buyer.withCookie(http.MethodPost, "/identity/leave", fields{"password": password}).
		refused(http.StatusConflict, market.CodeOpenOrders)
	c.endOrders(asBuyer)
	buyer.withCookie(http.MethodPost, "/identity/leave", fields{"password": password}).is(http.StatusNoContent)
	c.settle()
	t.Run("their holds end on every screen", func(t *testing.T) { screen.expectEvents(market.TypeProductReleased, market.TypeProductChanged) })
	t.Run("their session and token end", func(t *testing.T) {
		buyer.withCookie(http.MethodGet, "/identity/me", nil).refused(http.StatusUnauthorized, market.CodeNoToken)
		buyer.get("/bookings?email="+buyer.user.Email).refused(http.StatusUnauthorized, market.CodeNoToken)
	})
	c.clock.Pass(time.Minute)
	must(t, c.janitor.Step(t.Context()))
	c.settle()
	t.Run("no response shows them after that", func(t *testing.T) {
		for _, list := range []struct {
			by   *person
			path string
		}{
			{seller, "/products?email=" + seller.user.Email},
			{c.people[asAdmin], "/users/buyers"},
			{c.people[asAdmin], "/trail"},
			{c.people[asAdmin], "/reportedItems"},
			{rival, "/categories/" + c.brand.ID},
		} {
			body := string(list.by.get(list.path).is(http.StatusOK).body)
			for mark, what := range gone {
				if strings.Contains(body, mark) {
					t.Errorf("%s tells %s", list.path, what)
				}
			}
		}
	})
	t.Run("their email address can be used again", func(t *testing.T) {
		c.visitor().do(http.MethodPost, "/identity/sign-up", fields{
			"email": buyer.user.Email, "password": password, "displayName": "Somebody else",
		}).is(http.StatusCreated)
	})
}

func TestAccountWithoutPasswordIsDeletedAfterRecentSignIn(t *testing.T) {
	c := newRoleEnv(t)
	rival := c.people[asRival]
	a, err := c.store.Account(t.Context(), rival.user.UID)
	must(t, err)
	a.PasswordHash = ""
	a.Version++
	must(t, c.store.SaveAccount(t.Context(), a, nil))
	c.clock.Pass(11 * time.Minute)
	leave := func(p *person, confirm string) answer {
		return p.withCookie(http.MethodPost, "/identity/leave", fields{"confirm": confirm})
	}
	leave(rival, a.Email).refused(http.StatusForbidden, market.CodeForbidden)
	fresh := c.newSession(rival, asRival, month)
	leave(fresh, "somebody@phones.example").invalid("confirm")
	leave(fresh, strings.ToUpper(a.Email)).is(http.StatusNoContent)
}
