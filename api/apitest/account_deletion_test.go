package apitest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// endOrders settles the person's paid orders, so that they can delete their account.
func (c *roleEnv) endOrders(role int) {
	c.t.Helper()
	list, err := c.store.BookingsOf(c.t.Context(), c.people[role].user.UID, market.Page{Limit: 100})
	must(c.t, err)
	for _, b := range list.Items {
		if b.Status == market.BookingPaid {
			c.people[role].do(http.MethodPut, "/bookings/"+b.ID+"/fulfilment", fields{"action": "received"}).wantStatus(http.StatusOK)
		}
	}
	must(c.t, c.reconciler.Step(c.t.Context()))
}

func TestAccountDeletion(t *testing.T) {
	c := newRoleEnv(t)
	buyer, otherBuyer, seller := c.people[asBuyer], c.people[asOtherBuyer], c.people[asSeller]
	held := c.phoneOf(asSeller)
	c.bookingOf(asBuyer, held)
	deleted := c.markersAbout(asBuyer)
	socket := otherBuyer.connect(t)
	c.runDueWork()
	socket.subscribe(otherBuyer.get("/categories/" + c.brand.ID))

	buyer.withCookie(http.MethodPost, "/identity/leave", fields{"password": password}).
		wantError(http.StatusConflict, market.CodeOpenOrders)
	c.endOrders(asBuyer)
	buyer.withCookie(http.MethodPost, "/identity/leave", fields{"password": password}).wantStatus(http.StatusNoContent)
	c.runDueWork()
	t.Run("others get events about the released phones", func(t *testing.T) {
		socket.wantEvents(market.TypeProductReleased, market.TypeProductChanged)
	})
	t.Run("401 with their session and token", func(t *testing.T) {
		buyer.withCookie(http.MethodGet, "/identity/me", nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.get("/bookings?email="+buyer.user.Email).wantError(http.StatusUnauthorized, market.CodeNoToken)
	})
	c.clock.Pass(time.Minute)
	must(t, c.janitor.Step(t.Context()))
	c.runDueWork()
	t.Run("lists of others do not contain their data", func(t *testing.T) {
		for _, list := range []struct {
			reader *person
			path   string
		}{
			{seller, "/products?email=" + seller.user.Email},
			{c.people[asAdmin], "/users/buyers"},
			{c.people[asAdmin], "/auditLog"},
			{c.people[asAdmin], "/reportedItems"},
			{otherBuyer, "/categories/" + c.brand.ID},
		} {
			body := string(list.reader.get(list.path).wantStatus(http.StatusOK).body)
			for text, what := range deleted {
				if strings.Contains(body, text) {
					t.Errorf("%s contains %s", list.path, what)
				}
			}
		}
	})
	t.Run("201 for another account with their email address", func(t *testing.T) {
		c.visitor().do(http.MethodPost, "/identity/sign-up", fields{
			"email": buyer.user.Email, "password": password, "displayName": "Somebody else",
		}).wantStatus(http.StatusCreated)
	})
}

func TestAccountWithoutPasswordIsDeletedAfterRecentSignIn(t *testing.T) {
	c := newRoleEnv(t)
	otherBuyer := c.people[asOtherBuyer]
	a, err := c.store.Account(t.Context(), otherBuyer.user.UID)
	must(t, err)
	a.PasswordHash = ""
	a.Version++
	must(t, c.store.SaveAccount(t.Context(), a, nil))
	c.clock.Pass(11 * time.Minute)
	deleteAccount := func(p *person, confirm string) response {
		return p.withCookie(http.MethodPost, "/identity/leave", fields{"confirm": confirm})
	}
	deleteAccount(otherBuyer, a.Email).wantError(http.StatusForbidden, market.CodeForbidden)
	recent := c.newSession(otherBuyer, asOtherBuyer, month)
	deleteAccount(recent, "somebody@phones.example").wantInvalid("confirm")
	deleteAccount(recent, strings.ToUpper(a.Email)).wantStatus(http.StatusNoContent)
}
