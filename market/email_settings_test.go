package market_test

import (
	"errors"
	"slices"
	"testing"

	"secondring/market"
)

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
	set(0, map[string]string{"sold": "off"})
	set(1, map[string]string{"match": "off", "sold": "now"})
	if got := e.publishedEvents(); !slices.Equal(got, slices.Repeat([]string{market.TopicMe(buyer.User.UID) + " settings.changed"}, 2)) {
		t.Errorf("published %q", got)
	}
	v, err := e.EmailSettings(e.ctx, buyer)
	e.must(err)
	for _, kind := range market.NotificationKinds() {
		want := market.EmailOff
		if kind == market.NotifyPrice || kind == market.NotifySold {
			want = market.EmailNow
		}
		if v.Email[kind] != want {
			t.Errorf("%s is %s", kind, v.Email[kind])
		}
	}
	if v.ID != buyer.User.UID || v.Version != buyer.User.Version+2 {
		t.Errorf("settings %+v", v)
	}
	if v, err := e.EmailSettings(e.ctx, other); err != nil || v.Email[market.NotifyPrice] != market.EmailOff {
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
