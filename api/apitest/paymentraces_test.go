package apitest_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stripe/stripe-go/v76/webhook"
)

// A hundred concurrent confirmations, settlements and webhooks of one booking charge the
// card once and make one payment.
func TestConcurrentConfirmationsMakeOnePayment(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	booking := buyer.books(e.seller("Sue").sells(e.brand("Nokia")))
	secret := buyer.begins(booking)
	event := fmt.Sprintf(`{"id":"evt_one","object":"event","type":"payment_intent.succeeded","livemode":false,`+
		`"data":{"object":{"object":"payment_intent","id":"%s"}}}`, intentOf(secret))
	now := e.clock.Now()
	signature := fmt.Sprintf("t=%d,v1=%s", now.Unix(), hex.EncodeToString(webhook.ComputeSignature(now, []byte(event), bankWebhook)))

	answers := make([]answer, 100)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			switch i % 4 {
			case 0, 1:
				answers[i] = e.confirm(secret, "pm_card_visa")
			case 2:
				answers[i] = buyer.pays(buyer.paymentFields(booking, secret))
			case 3:
				answers[i] = e.postWebhook(event, signature)
			}
		})
	}
	all.Wait()
	charged, ids := 0, []string{buyer.pays(buyer.paymentFields(booking, secret)).id()}
	for i, a := range answers {
		switch {
		case i%4 < 2 && a.StatusCode == http.StatusOK:
			charged++
		case i%4 == 2 && a.StatusCode == http.StatusOK:
			ids = append(ids, a.id())
		case i%4 == 2 && a.StatusCode != http.StatusPaymentRequired, i%4 == 3 && a.StatusCode != http.StatusOK:
			t.Errorf("%d: %s", a.StatusCode, a.body)
		}
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); charged != 1 || len(ids) != 1 {
		t.Errorf("charged %d times, payments %v", charged, ids)
	}
	var intent struct {
		Amount       int                     `json:"amount_received"`
		LatestCharge struct{ Refunded bool } `json:"latest_charge"`
	}
	got := e.send(http.MethodGet, "/sandbox/stripe/v1/payment_intents/"+intentOf(secret)+"?expand[]=latest_charge", nil,
		header("Authorization", "Bearer "+bankSecret))
	must(t, json.Unmarshal(got.is(http.StatusOK).body, &intent))
	if intent.Amount != 120_00 || intent.LatestCharge.Refunded {
		t.Errorf("%+v", intent)
	}
	buyer.paid(t, booking)
}
