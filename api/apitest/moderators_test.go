package apitest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"secondring/market"
)

// reportedEvent reads frames until the phone is reported, and returns the types of all events until then.
func (s *socket) reportedEvent(phone string) (types []string) {
	s.t.Helper()
	s.readUntil(func(f frame) bool {
		return slices.ContainsFunc(f.Events, func(e event) bool {
			return e.Type == market.TypeReportCreated && e.Data["productID"] == phone
		})
	})
	for _, e := range s.events {
		types = append(types, e.Type)
	}
	s.events = nil
	return types
}

// No event of an order reaches a moderator's socket: not as it happens, not from the history, and not after
// an admin has become a moderator while the socket is open.
func TestNoEventOfAnOrderReachesAModerator(t *testing.T) {
	e := newEnv(t)
	moderator, admin, former := e.moderator("Mo"), e.admin("Root"), e.admin("Fay")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	list := moderator.get("/reportedItems")
	ofModerator, ofAdmin, ofFormer := moderator.connect(t), admin.connect(t), former.connect(t)
	for s, list := range map[*socket]response{ofModerator: list, ofAdmin: admin.get("/orders"), ofFormer: former.get("/orders")} {
		if topic := s.subscribe(list); topic != market.TopicAdmin {
			t.Fatalf("the list is of the topic %q", topic)
		}
	}
	report := func() string {
		phone := seller.addPhone(brand)
		buyer.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "Stolen"}).insertedID()
		e.runDueWork()
		return phone
	}
	former.withRole(market.Moderator)
	e.runDueWork()
	ofFormer.readUntil(func(f frame) bool { _, again := f.Subscribed[market.TopicAdmin]; return again })
	ofFormer.events = nil

	buyer.book(seller.addPhone(brand))
	phone := report()
	if got := ofAdmin.reportedEvent(phone); !slices.Contains(got, market.TypeOrderChanged) {
		t.Errorf("an admin gets %q, want the order, too", got)
	}
	late := moderator.connect(t)
	late.subscribe(list)
	for name, s := range map[string]*socket{"a moderator": ofModerator, "a moderator who comes later": late, "a former admin": ofFormer} {
		if got := s.reportedEvent(phone); slices.ContainsFunc(got, func(kind string) bool { return strings.HasPrefix(kind, "order.") }) {
			t.Errorf("%s gets %q", name, got)
		}
	}
}

// A moderator is an admin for the role lookups, which say so.
func TestRoleLookupSaysWhoIsAModerator(t *testing.T) {
	e := newEnv(t)
	moderator, admin := e.moderator("Mo"), e.admin("Root")
	for _, c := range []struct {
		who  *person
		want string
	}{{moderator, `{"isAdmin":true,"isModerator":true}`}, {admin, `{"isAdmin":true}`}} {
		path := "/users/admin/" + c.who.user.Email
		for _, by := range []*person{c.who, admin} {
			if got := strings.TrimSpace(string(by.get(path).wantStatus(http.StatusOK).body)); got != c.want {
				t.Errorf("the answer is %s, want %s", got, c.want)
			}
		}
	}
	wantRole(moderator, "buyer", moderator.user.Email, false)
	wantRole(moderator, "seller", moderator.user.Email, false)
	moderator.withRole(market.FullAdmin)
	moderator.get("/orders").wantStatus(http.StatusOK)
	if got := strings.TrimSpace(string(moderator.get("/users/admin/" + moderator.user.Email).body)); got != `{"isAdmin":true}` {
		t.Errorf("after the promotion the answer is %s", got)
	}
}
