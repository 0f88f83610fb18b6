package market_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"secondring/market"
)

// emailDefaults are the emails that a person gets who has chosen nothing.
var emailDefaults = map[market.NotificationKind]market.EmailWhen{
	"paid": "now", "order": "now", "turn": "now", "released": "now", "message": "now", "offer": "now",
	"booked": "off", "verified": "off", "price": "off", "available": "off", "sold": "off", "match": "off", "report": "off", "decision": "off",
}

func TestEmailSettings(t *testing.T) {
	e := newEnv(t)
	buyer, other := e.buyer(), e.buyer()
	set := func(want int, chosen map[string]string) {
		t.Helper()
		n, err := e.SetEmails(e.ctx, buyer, chosen, nil)
		if e.must(err); n != want {
			t.Errorf("%d changed, want %d", n, want)
		}
	}
	e.drain()
	set(1, map[string]string{"price": "now", "match": "daily"})
	set(0, map[string]string{"price": "now"})
	set(1, map[string]string{"sold": "off", "turn": "now"}) // a choice is stored also if it is the default
	set(0, map[string]string{"sold": "off"})
	set(1, map[string]string{"match": "off", "sold": "now", "paid": "off", "order": "daily"})
	one := []string{"admin user.changed", market.TopicMe(buyer.User.UID) + " settings.changed"}
	if got := e.publishedEvents(); !slices.Equal(got, slices.Repeat(one, 3)) {
		t.Errorf("published %q", got)
	}
	v, err := e.EmailSettings(e.ctx, buyer)
	e.must(err)
	want := maps.Clone(emailDefaults)
	want["price"], want["sold"], want["paid"], want["order"] = market.EmailNow, market.EmailNow, market.EmailOff, market.EmailDaily
	if !maps.Equal(v.Email, want) {
		t.Errorf("the choices are %v, want %v", v.Email, want)
	}
	if v.ID != buyer.User.UID || v.Version != buyer.User.Version+3 {
		t.Errorf("settings %+v", v)
	}
	if v, err := e.EmailSettings(e.ctx, other); err != nil || !maps.Equal(v.Email, emailDefaults) {
		t.Errorf("the settings of another person changed: %+v, %v", v, err)
	}
	for field, chosen := range map[string]map[string]string{
		"email.unknown": {"unknown": "now"}, "email.price": {"price": "weekly"}, "email.sold": {"sold": ""}, "email": nil,
	} {
		_, err := e.SetEmails(e.ctx, buyer, chosen, nil)
		e.wantCode(err, market.CodeInvalid)
		refusal, _ := errors.AsType[*market.Error](err)
		if refusal.Fields[field] == "" {
			t.Errorf("the error is about %v, want %s", refusal.Fields, field)
		}
	}
}
