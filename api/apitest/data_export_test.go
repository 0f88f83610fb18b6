package apitest_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"secondring/api/rest"
	"secondring/market"
)

// markersAbout returns the marker texts about a user, with what each is.
func (c *roleEnv) markersAbout(role int) map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]string{}
	for n, m := range c.markers {
		if strings.HasSuffix(m.what, " of "+roleNames[role]) || strings.HasPrefix(m.what, "where "+roleNames[role]+" ") {
			all[markerText(n)] = m.what
		}
	}
	return all
}

// The export contains all data of the person. TestAccessMatrix checks that it contains no data
// of others.
func TestExportOfPersonalData(t *testing.T) {
	c := newRoleEnv(t)
	c.reportOf(asBuyer)
	c.people[asBuyer].do(http.MethodPut, "/watches/"+c.phoneOf(asOtherSeller), nil).wantStatus(http.StatusOK)
	c.people[asBuyer].do(http.MethodPost, "/searches", fields{
		"name": c.newMarker("the saved search of the buyer", exactlyOne(asBuyer)), "query": "q=pixel",
	}).wantStatus(http.StatusOK)
	c.people[asBuyer].do(http.MethodPut, "/notifications/settings", fields{"email": fields{"price": "daily"}}).wantStatus(http.StatusOK)
	for _, role := range []int{asBuyer, asSeller} {
		got := c.people[role].withCookie(http.MethodGet, "/identity/data", nil).wantStatus(http.StatusOK)
		if disposition := got.Header.Get("Content-Disposition"); !strings.HasPrefix(disposition, "attachment; ") {
			t.Errorf("Content-Disposition is %q, want an attachment", disposition)
		}
		for text, what := range c.markersAbout(role) {
			secret := strings.HasPrefix(what, "the session cookie")
			if contained := strings.Contains(string(got.body), text); contained == secret {
				t.Errorf("the export contains %s: %v, want %v", what, contained, !secret)
			}
		}
		c.wantNoLeak(t, role, "the export", string(got.body))
		var data market.PersonView
		got.decode(&data)
		if len(data.Notifications) == 0 {
			t.Errorf("the export of %s has no notifications", roleNames[role])
		}
		if role == asSeller && len(data.Phones) != 3 {
			t.Errorf("the seller's export has %d phones, want 3", len(data.Phones))
		}
		if role == asBuyer {
			wantBuyersData(t, data)
		}
	}
	var verified market.PersonView
	c.people[asVerified].withCookie(http.MethodGet, "/identity/data", nil).wantStatus(http.StatusOK).decode(&verified)
	if len(verified.AuditLog) != 1 || verified.AuditLog[0].Action != market.ActionVerifySeller {
		t.Errorf("the audit entries about the verified seller: %+v", verified.AuditLog)
	}
}

func wantBuyersData(t *testing.T, data market.PersonView) {
	t.Helper()
	if len(data.Bookings) != 1 || len(data.Payments) != 1 || len(data.Sessions) == 0 {
		t.Errorf("the bookings are %+v, the payments %+v, the sessions %+v", data.Bookings, data.Payments, data.Sessions)
	}
	if len(data.Reports) != 1 || data.Reports[0].SellerID != "" {
		t.Errorf("the reports are %+v, want one without the seller", data.Reports)
	}
	if len(data.Watches) != 1 || len(data.Searches) != 1 {
		t.Errorf("the watched phones are %+v, the searches %+v, want one of each", data.Watches, data.Searches)
	}
	if len(data.Emails) != 1 || data.Emails[0].When != market.EmailDaily {
		t.Errorf("the email settings are %+v, want one daily", data.Emails)
	}
}

// slowExports is a store whose first two reads of notifications wait until a channel is closed.
type slowExports struct {
	market.Store
	reads         atomic.Int64
	started, wait chan struct{}
}

func (s *slowExports) Hooked(hook market.StoreHook) market.Store {
	s.Store = s.Store.Hooked(hook)
	return s
}

func (s *slowExports) NotificationsOf(ctx context.Context, uid string, page market.Page) (market.List[market.Notification], error) {
	if s.reads.Add(1) <= 2 {
		s.started <- struct{}{}
		<-s.wait
	}
	return s.Store.NotificationsOf(ctx, uid, page)
}

// An export reads all data of a person into memory.
func TestOneExportAtATimePerAccount(t *testing.T) {
	store := &slowExports{started: make(chan struct{}), wait: make(chan struct{})}
	e := newEnv(t, func(s *setup) {
		s.engine = func(tb testing.TB) market.Store {
			tb.Helper()
			store.Store = openSQLite(tb)
			return store
		}
	})
	bob, olga := e.buyer("Bob"), e.buyer("Olga")
	export := func(p *person) response { return p.withCookie(http.MethodGet, "/identity/data", nil) }
	var running sync.WaitGroup
	for _, p := range []*person{bob, olga} {
		running.Go(func() {
			if got := export(p); got.StatusCode != http.StatusOK {
				t.Errorf("the export returned %d, want 200", got.StatusCode)
			}
		})
	}
	for range 2 {
		<-store.started
	}
	refused := export(bob)
	close(store.wait)
	running.Wait()
	if refused.wantError(http.StatusTooManyRequests, rest.CodeTooFast); refused.Header.Get("Retry-After") == "" {
		t.Error("the error has no Retry-After")
	}
	export(bob).wantStatus(http.StatusOK)
}
