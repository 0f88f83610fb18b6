package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

// markersAbout lists the markers that a user may read, by subject.
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

// The export has all data of the person. TestAccessMatrix checks that it has no data of
// others.
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
		if where := got.Header.Get("Content-Disposition"); !strings.HasPrefix(where, "attachment; ") {
			t.Errorf("Content-Disposition is %q", where)
		}
		for marker, what := range c.markersAbout(role) {
			if there := strings.Contains(string(got.body), marker); there == strings.HasPrefix(what, "the session cookie") {
				t.Errorf("%s of %s: %v", what, roleNames[role], there)
			}
		}
		c.wantNoLeak(t, role, "the data", string(got.body))
		var data market.PersonView
		got.decode(&data)
		if role == asBuyer && (len(data.Bookings) != 1 || len(data.Payments) != 1 || len(data.Reports) != 1 || data.Reports[0].SellerID != "" || len(data.Sessions) == 0) {
			t.Errorf("the buyer's data: %+v", data)
		}
		if role == asBuyer && (len(data.Watches) != 1 || len(data.Searches) != 1) {
			t.Errorf("the buyer watches: %+v %+v", data.Watches, data.Searches)
		}
		if role == asBuyer && (len(data.Emails) != 1 || data.Emails[0].When != market.EmailDaily) {
			t.Errorf("the buyer gets emails: %+v", data.Emails)
		}
		if len(data.Notifications) == 0 {
			t.Errorf("there are no notifications of %s", roleNames[role])
		}
		if role == asSeller && len(data.Phones) != 3 {
			t.Errorf("the seller's data: %+v", data)
		}
	}
	var verified market.PersonView
	c.people[asVerified].withCookie(http.MethodGet, "/identity/data", nil).wantStatus(http.StatusOK).decode(&verified)
	if len(verified.AuditLog) != 1 || verified.AuditLog[0].Action != market.ActionVerifySeller {
		t.Errorf("the audit entries about the verified seller: %+v", verified.AuditLog)
	}
}
