package payment_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
)

func TestDisputeStates(t *testing.T) {
	b := newGatewayEnv(t)
	for attempt, c := range []struct {
		card, evidence, status string
		returned               bool // while it is open
		result                 market.DisputeState
	}{
		{"pm_card_createDispute", "winning_evidence", "needs_response", true, market.DisputeWon},
		{"pm_card_createDispute", "losing_evidence", "needs_response", true, market.DisputeLost},
		{"pm_card_createDisputeInquiry", "winning_evidence", "warning_needs_response", false, market.DisputeWon},
	} {
		next := order
		next.Attempt = attempt
		in := b.open(next)
		b.pay(in, c.card)
		b.clock.Pass(time.Minute)
		must(t, b.sandbox.Step(t.Context()))
		got := b.getIntent(in.ID)
		if got.Dispute != market.DisputeOpen || got.Returned != c.returned || b.clock.Now().Sub(got.DisputedAt) > time.Minute {
			t.Errorf("with an open dispute the intent is %+v", got)
		}
		status, body := b.call(http.MethodGet, "/v1/disputes?payment_intent="+in.ID, sandboxSecret, nil)
		var list struct{ Data []struct{ ID, Status string } }
		if err := json.Unmarshal([]byte(body), &list); err != nil || status != http.StatusOK || len(list.Data) != 1 || list.Data[0].Status != c.status {
			t.Fatalf("the response is %d %s, want 200", status, body)
		}
		form := url.Values{"evidence[uncategorized_text]": {c.evidence}}
		if status, body := b.call(http.MethodPost, "/v1/disputes/"+list.Data[0].ID, sandboxSecret, form); status != http.StatusOK {
			t.Fatalf("the response is %d %s, want 200", status, body)
		}
		if got := b.getIntent(in.ID); got.Dispute != c.result || got.Returned != (c.result == market.DisputeLost) {
			t.Errorf("after %s the intent is %+v", c.evidence, got)
		}
	}
	if b.checks.Checked("GET /v1/disputes") == 0 {
		t.Error("stripe-mock has not checked the list of disputes")
	}
}

func TestDisputesAreListed(t *testing.T) {
	b := newGatewayEnv(t)
	want := map[string]market.DisputeState{}
	const total = 103 // more than a page
	for n := range total {
		in := b.open(market.IntentRequest{BookingID: "b" + strconv.Itoa(n), ProductID: "p", BuyerUID: "u", Cents: 5000})
		if n == 7 {
			b.pay(in, "pm_card_visa")
			continue
		}
		b.pay(in, "pm_card_createDispute")
		want[in.ID] = market.DisputeOpen
	}
	b.clock.Pass(time.Minute)
	for range 10 {
		must(t, b.sandbox.Step(t.Context()))
	}
	got := map[string]market.DisputeState{}
	for d, err := range b.Disputes(t.Context(), b.clock.Now().Add(-time.Hour)) {
		must(t, err)
		got[d.IntentID] = d.State
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := b.checks.Checked("GET /v1/disputes"); n != 2 {
		t.Errorf("%d calls for %d disputes, want 2", n, len(want))
	}
	for d, err := range b.Disputes(t.Context(), b.clock.Now().Add(time.Hour)) {
		t.Errorf("listed since an hour from now: %+v %v", d, err)
	}
}

func TestDisputedIntentIsListedAsReturned(t *testing.T) {
	b := newGatewayEnv(t)
	in := b.open(order)
	b.pay(in, "pm_card_createDispute")
	b.clock.Pass(time.Minute)
	must(t, b.sandbox.Step(t.Context()))
	for in, err := range b.Intents(t.Context(), time.Time{}) {
		must(t, err)
		if !in.Returned {
			t.Errorf("the disputed intent is listed as %+v", in)
		}
	}
}
