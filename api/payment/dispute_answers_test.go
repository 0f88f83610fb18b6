package payment_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
)

// disputed returns an intent whose payment is disputed.
func (b *gatewayEnv) disputed(card string) market.Intent {
	b.t.Helper()
	in := b.open(order)
	b.pay(in, card)
	b.clock.Pass(time.Minute)
	must(b.t, b.sandbox.Step(b.t.Context()))
	return b.getIntent(in.ID)
}

// evidence returns what the sandbox has as the evidence of a dispute, by field.
func (b *gatewayEnv) evidence(id string) (status string, evidence map[string]string) {
	b.t.Helper()
	code, body := b.call(http.MethodGet, "/v1/disputes/"+id, sandboxSecret, nil)
	var got struct {
		Status   string
		Evidence map[string]string
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || code != http.StatusOK {
		b.t.Fatalf("the response is %d %s, want 200", code, body)
	}
	return got.Status, got.Evidence
}

func anAnswer(dispute string) market.DisputeAnswer {
	return market.DisputeAnswer{
		DisputeID: dispute, Product: "Used phone: Nokia 3310. Price: $120.", BuyerName: "Bob", BuyerEmail: "bob@phones.example",
		Carrier: "DHL", Tracking: "JD 1", SentOn: "3 May 2026", Facts: "What happened.\nMore.", Photos: []byte("a picture"),
	}
}

func TestAnswerDispute(t *testing.T) {
	for card, status := range map[string]string{"pm_card_createDispute": "under_review", "pm_card_createDisputeInquiry": "warning_under_review"} {
		b := newGatewayEnv(t)
		in := b.disputed(card)
		if in.DisputeID == "" || in.IsAnswered || !in.AnswerBy.Equal(in.DisputedAt.Add(7*24*time.Hour)) {
			t.Fatalf("the intent with an open dispute is %+v", in)
		}
		a := anAnswer(in.DisputeID)
		must(t, b.AnswerDispute(t.Context(), a))
		must(t, b.AnswerDispute(t.Context(), a)) // the response was lost
		got, evidence := b.evidence(in.DisputeID)
		_, body := b.call(http.MethodGet, "/v1/files/"+evidence["uncategorized_file"], sandboxSecret, nil)
		var photos struct {
			Purpose, Filename, SHA256 string
		}
		must(t, json.Unmarshal([]byte(body), &photos))
		if hash := sha256.Sum256(a.Photos); photos.SHA256 != hex.EncodeToString(hash[:]) || photos.Purpose != "dispute_evidence" || photos.Filename != "photographs.jpg" {
			t.Errorf("the file is %s", body)
		}
		delete(evidence, "uncategorized_file")
		if diff := cmp.Diff(map[string]string{
			"product_description": a.Product, "customer_name": "Bob", "customer_email_address": "bob@phones.example", "shipping_carrier": "DHL",
			"shipping_tracking_number": "JD 1", "shipping_date": "3 May 2026", "uncategorized_text": a.Facts,
		}, evidence); diff != "" || got != status {
			t.Errorf("the dispute is %s, its evidence %s", got, diff)
		}
		if in := b.getIntent(in.ID); in.Dispute != market.DisputeOpen || !in.IsAnswered {
			t.Errorf("the intent with an answered dispute is %+v", in)
		}
		other := a
		other.Facts = "Something else."
		if err := b.AnswerDispute(t.Context(), other); err == nil {
			t.Error("a second answer was accepted")
		}
		if b.checks.Checked("POST /v1/disputes/"+in.DisputeID) != 3 || b.checks.Checked("POST /v1/files") != 3 {
			t.Error("stripe-mock has not checked the answers")
		}
		form := url.Values{"evidence[uncategorized_text]": {"winning_evidence"}}
		if code, body := b.call(http.MethodPost, "/v1/disputes/"+in.DisputeID, sandboxSecret, form); code != http.StatusOK {
			t.Fatalf("the response is %d %s, want 200", code, body)
		}
		if in := b.getIntent(in.ID); in.Dispute != market.DisputeWon {
			t.Errorf("the intent with a decided dispute is %+v", in)
		}
	}
}

// What the market does not know is not sent: an empty text would remove one at Stripe.
func TestAnswerDisputeWithoutDelivery(t *testing.T) {
	b := newGatewayEnv(t)
	in := b.disputed("pm_card_createDispute")
	must(t, b.AnswerDispute(t.Context(), market.DisputeAnswer{DisputeID: in.DisputeID, Product: "A phone", Facts: "Paid."}))
	_, evidence := b.evidence(in.DisputeID)
	if diff := cmp.Diff(map[string]string{"product_description": "A phone", "uncategorized_text": "Paid."}, evidence); diff != "" {
		t.Error(diff)
	}
}

func TestAnswerDisputeAfterItsTime(t *testing.T) {
	b := newGatewayEnv(t)
	in := b.disputed("pm_card_createDispute")
	b.clock.Pass(8 * 24 * time.Hour)
	if err := b.AnswerDispute(t.Context(), anAnswer(in.DisputeID)); err == nil {
		t.Error("a late answer was accepted")
	}
	if err := b.AnswerDispute(t.Context(), anAnswer("../payment_intents/pi_1")); err == nil {
		t.Error("an answer to something else than a dispute was sent")
	}
}
