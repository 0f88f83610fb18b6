package payment_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/api/payment"
	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
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

// changedDisputes is a transport that changes the amount and the currency of each dispute.
type changedDisputes struct {
	http.RoundTripper
	amount   int64
	currency string
}

// RoundTrip implements http.RoundTripper.
func (c changedDisputes) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.RoundTripper.RoundTrip(r)
	if err != nil || r.URL.Path != stripesandbox.Path+"/v1/disputes" {
		return response, err
	}
	defer func() { _ = response.Body.Close() }()
	var list map[string]any
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		return nil, err
	}
	for _, d := range list["data"].([]any) {
		d.(map[string]any)["amount"], d.(map[string]any)["currency"] = c.amount, c.currency
	}
	body, err := json.Marshal(list)
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, err
}

// A dispute of less than 90 % of the money that was not refunded is one of a part.
func TestDisputeOfPartReturnsNoMoney(t *testing.T) {
	for _, c := range []struct {
		amount, refunded    int64
		currency            string
		returned, partTaken bool
	}{
		{amount: 12000, currency: "usd", returned: true},
		{amount: 10800, currency: "usd", returned: true},
		{amount: 10799, currency: "usd", partTaken: true},
		{amount: 2000, currency: "usd", partTaken: true},
		{amount: 2000, currency: "eur", returned: true},
		{amount: 2000, refunded: 9900, currency: "usd", returned: true},
	} {
		b := newGatewayEnv(t)
		in := b.open(order)
		b.pay(in, "pm_card_createDispute")
		if c.refunded > 0 {
			form := url.Values{"payment_intent": {in.ID}, "amount": {strconv.FormatInt(c.refunded, 10)}}
			if status, body := b.call(http.MethodPost, "/v1/refunds", sandboxSecret, form); status != http.StatusOK {
				t.Fatalf("the response is %d %s, want 200", status, body)
			}
		}
		b.clock.Pass(time.Minute)
		must(t, b.sandbox.Step(t.Context()))
		g := payment.NewGateway(payment.GatewayConfig{
			SecretKey: sandboxSecret, URL: sandboxURL, Market: "ours", Log: slog.New(slog.DiscardHandler),
			Client: &http.Client{Transport: changedDisputes{b.sandbox.Client().Transport, c.amount, c.currency}},
		})
		got, err := g.Intent(t.Context(), in.ID)
		must(t, err)
		if got.Dispute != market.DisputeOpen || got.Returned != c.returned || got.IsPartTaken != c.partTaken {
			t.Errorf("with the dispute %+v the intent is %+v", c, got)
		}
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
