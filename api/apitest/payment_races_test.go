package apitest_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
)

// A hundred concurrent confirmations, payments and webhooks of one booking charge the
// card once and make one payment.
func TestConcurrentConfirmationsMakeOnePayment(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	booking := buyer.book(e.seller("Sue").addPhone(e.brand("Nokia")))
	secret := buyer.createIntent(booking)
	event := succeededEvent("evt_one", intentOf(secret))
	signature := signEvent(event, stripeWebhookSecret, e.clock.Now())

	responses := make([]response, 100)
	var all sync.WaitGroup
	for i := range responses {
		all.Go(func() {
			switch i % 4 {
			case 0, 1:
				responses[i] = e.confirm(secret, "pm_card_visa")
			case 2:
				responses[i] = buyer.postPayment(buyer.paymentFields(booking, secret))
			case 3:
				responses[i] = e.postWebhook(event, signature)
			}
		})
	}
	all.Wait()
	charged, ids := 0, []string{buyer.postPayment(buyer.paymentFields(booking, secret)).insertedID()}
	for i, a := range responses {
		switch {
		case i%4 < 2 && a.StatusCode == http.StatusOK:
			charged++
		case i%4 == 2 && a.StatusCode == http.StatusOK:
			ids = append(ids, a.insertedID())
		case i%4 == 2 && a.StatusCode != http.StatusPaymentRequired, i%4 == 3 && a.StatusCode != http.StatusOK:
			t.Errorf("%s: status %d: %s", a.request, a.StatusCode, a.body)
		}
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); charged != 1 || len(ids) != 1 {
		t.Errorf("the card is charged %d times and the payments are %v, want one each", charged, ids)
	}
	var intent struct {
		Amount       int                     `json:"amount_received"`
		LatestCharge struct{ Refunded bool } `json:"latest_charge"`
	}
	e.getFromStripe("/v1/payment_intents/" + intentOf(secret) + "?expand[]=latest_charge").decode(&intent)
	if intent.Amount != 120_00 || intent.LatestCharge.Refunded {
		t.Errorf("the intent is %+v, want 12000 cents received and no refund", intent)
	}
	buyer.wantPaid(t, booking)
}
