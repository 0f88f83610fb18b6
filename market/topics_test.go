package market_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"secondring/market"
)

func TestTopicPermissions(t *testing.T) {
	e := newEnv(t)
	buyer, admin, moderator := e.buyer(), e.admin(), e.moderator()
	brand := market.TopicBrand(e.brand.ID)
	for _, c := range []struct {
		uid, name, want string
	}{
		{"", "advertised", "advertised"},
		{"", brand, market.TopicBrandForVisitors(e.brand.ID)},
		{"", market.TopicBrandForVisitors(e.brand.ID), ""},
		{buyer.User.UID, market.TopicBrandForVisitors(e.brand.ID), ""},
		{"", "brand:nope", ""},
		{"", "me", ""},
		{"", "admin", ""},
		{buyer.User.UID, brand, brand},
		{buyer.User.UID, "brand:nope", ""},
		{buyer.User.UID, "me", "me:" + buyer.User.UID},
		{buyer.User.UID, "me:" + admin.User.UID, ""},
		{buyer.User.UID, "admin", ""},
		{buyer.User.UID, "control", ""},
		{admin.User.UID, "admin", "admin"},
		{admin.User.UID, "moderators", ""},
		{moderator.User.UID, "admin", "moderators"},
		{moderator.User.UID, "moderators", ""},
	} {
		topic, ok, err := e.Topic(e.ctx, c.uid, c.name)
		if e.must(err); topic != c.want && ok || ok != (c.want != "") {
			t.Errorf("%q subscribes to %q as %q, %v, want %q", c.uid, c.name, topic, ok, c.want)
		}
	}
}

// Visitors get the same events of a brand as signed-in users, without contact data and
// without the deadline of holds.
func TestVisitorEventsHaveNoContactData(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	p := e.phone(seller)
	e.mustBook(e.buyer(), p)
	other := e.phone(seller)
	_, err := e.RemoveProduct(e.ctx, seller, other.ID, market.RemovalReason{})
	e.must(err)
	published := map[string][]string{}
	for _, event := range e.drain() {
		published[event.Topic] = append(published[event.Topic], fmt.Sprint(event.Type, " ", event.Entity, " ", event.Version))
		if event.Topic != market.TopicBrandForVisitors(e.brand.ID) {
			continue
		}
		for _, secret := range []string{"heldUntil", p.Phone, p.SellerEmail, p.Location, `"buyer"`} {
			if strings.Contains(string(event.Data), secret) {
				t.Errorf("an event for visitors contains %q: %s", secret, event.Data)
			}
		}
	}
	signedIn, visitors := published[market.TopicBrand(e.brand.ID)], published[market.TopicBrandForVisitors(e.brand.ID)]
	if len(visitors) != 4 || !slices.Equal(signedIn, visitors) {
		t.Errorf("users get %q, visitors %q", signedIn, visitors)
	}
}
