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
	gone := c.markersAbout(asBuyer)
	screen := otherBuyer.connect(t)
	c.settle()
	screen.subscribe(otherBuyer.get("/categories/" + c.brand.ID))

	buyer.withCookie(http.MethodPost, "/identity/leave", fields{"password": password}).
		wantError(http.StatusConflict, market.CodeOpenOrders)
	c.endOrders(asBuyer)
	buyer.withCookie(http.MethodPost, "/identity/leave", fields{"password": password}).wantStatus(http.StatusNoContent)
	c.settle()
	t.Run("their holds end on every screen", func(t *testing.T) { screen.wantEvents(market.TypeProductReleased, market.TypeProductChanged) })
	t.Run("their session and token end", func(t *testing.T) {
		buyer.withCookie(http.MethodGet, "/identity/me", nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.get("/bookings?email="+buyer.user.Email).wantError(http.StatusUnauthorized, market.CodeNoToken)
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
			{otherBuyer, "/categories/" + c.brand.ID},
		} {
			body := string(list.by.get(list.path).wantStatus(http.StatusOK).body)
			for marker, what := range gone {
				if strings.Contains(body, marker) {
					t.Errorf("%s tells %s", list.path, what)
				}
			}
		}
	})
	t.Run("their email address can be used again", func(t *testing.T) {
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
	leave := func(p *person, confirm string) response {
		return p.withCookie(http.MethodPost, "/identity/leave", fields{"confirm": confirm})
	}
	leave(otherBuyer, a.Email).wantError(http.StatusForbidden, market.CodeForbidden)
	fresh := c.newSession(otherBuyer, asOtherBuyer, month)
	leave(fresh, "somebody@phones.example").wantInvalid("confirm")
	leave(fresh, strings.ToUpper(a.Email)).wantStatus(http.StatusNoContent)
}
