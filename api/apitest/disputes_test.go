package apitest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// paidToDispute returns an order whose buyer has paid with a card that disputes the payment two seconds later.
func paidToDispute(t *testing.T) (e *env, seller, buyer, admin *person, booking, secret string) {
	t.Helper()
	e = newEnv(t)
	seller, buyer, admin = e.seller("Sue"), e.buyer("Bob"), e.admin("Root")
	booking = buyer.book(seller.addPhone(e.brand("Nokia")))
	secret = buyer.createIntent(booking)
	e.confirm(secret, "pm_card_createDispute").wantStatus(http.StatusOK)
	e.runDueWork()
	return e, seller, buyer, admin, booking, secret
}

// The buyer and admins see the dispute of an order from its beginning to its end.
func TestDisputeIsSeenOnTheOrder(t *testing.T) {
	for evidence, want := range map[string]struct{ state, status string }{
		"winning_evidence": {"won", "paid"}, "losing_evidence": {"lost", "refunded"},
	} {
		t.Run(evidence, func(t *testing.T) {
			e, _, buyer, admin, _, secret := paidToDispute(t)
			wantDispute := func(state, status string) {
				t.Helper()
				var orders, bought []struct {
					ID, Status string
					Dispute    *struct {
						State              string
						OpenedAt, ClosedAt *time.Time
					}
				}
				admin.get("/orders").wantStatus(http.StatusOK).decode(&orders)
				buyer.get("/bookings?email=" + url.QueryEscape(buyer.user.Email)).wantStatus(http.StatusOK).decode(&bought)
				for _, o := range append(orders, bought...) {
					switch d := o.Dispute; {
					case o.Status != status, (d == nil) != (state == ""):
						t.Errorf("%s: %+v", state, o)
					case d != nil && (d.State != state || d.OpenedAt == nil || (d.ClosedAt == nil) != (state == "open")):
						t.Errorf("%s: %+v", state, d)
					}
				}
				if len(orders) != 1 || len(bought) != 1 {
					t.Errorf("%d orders, %d bookings", len(orders), len(bought))
				}
			}
			wantDispute("", "paid")
			e.clock.Pass(2 * time.Second)
			e.runDueWork() // opens the dispute
			e.runDueWork() // delivers its webhook
			wantDispute("open", "refunded")

			var list struct{ Data []struct{ ID string } }
			e.getFromStripe("/v1/disputes?payment_intent=" + intentOf(secret)).decode(&list)
			e.postToStripe("/v1/disputes/"+list.Data[0].ID, stripeSecretKey, url.Values{"evidence[uncategorized_text]": {evidence}}).wantStatus(http.StatusOK)
			e.runDueWork()
			wantDispute(want.state, want.status)
		})
	}
}

// An admin answers a dispute on its order. The card provider gets the photographs, too.
func TestDisputeIsAnsweredFromItsOrder(t *testing.T) {
	e, seller, buyer, admin, booking, secret := paidToDispute(t)
	seller.putFulfilment(booking, fields{"action": "send", "carrier": "DHL", "tracking": "JD 1"}).wantCount("modifiedCount", 1)
	photo := buyer.addPhoto(booking)
	buyer.putFulfilment(booking, fields{"action": "problem", "reason": "It is broken.", "photos": []string{photo}}).wantCount("modifiedCount", 1)
	e.clock.Pass(2 * time.Second)
	e.runDueWork() // opens the dispute
	e.runDueWork() // delivers its webhook
	type view struct {
		Dispute struct{ AnswerBy, AnsweredAt *time.Time }
	}
	wantAnswered := func(isAnswered bool, want int) {
		t.Helper()
		var orders, bought, waiting []view
		admin.get("/orders").wantStatus(http.StatusOK).decode(&orders)
		admin.get("/orders?tab=dispute").wantStatus(http.StatusOK).decode(&waiting)
		buyer.get("/bookings?email=" + url.QueryEscape(buyer.user.Email)).wantStatus(http.StatusOK).decode(&bought)
		if d := orders[0].Dispute; d.AnswerBy == nil || (d.AnsweredAt != nil) != isAnswered || len(waiting) != want {
			t.Errorf("admins see %+v, and %d in the tab", d, len(waiting))
		}
		if d := bought[0].Dispute; d.AnswerBy != nil || d.AnsweredAt != nil {
			t.Errorf("the buyer sees %+v", d)
		}
	}
	wantAnswered(false, 1)
	admin.do(http.MethodPost, "/orders/"+booking+"/dispute", nil).wantCount("modifiedCount", 1)
	wantAnswered(true, 0)
	admin.do(http.MethodPost, "/orders/"+booking+"/dispute", nil).wantStatus(http.StatusConflict)

	var list struct{ Data []struct{ ID string } }
	e.getFromStripe("/v1/disputes?payment_intent=" + intentOf(secret)).decode(&list)
	var sent struct{ Evidence map[string]string }
	e.getFromStripe("/v1/disputes/" + list.Data[0].ID).decode(&sent)
	var photos struct{ Size int }
	e.getFromStripe("/v1/files/" + sent.Evidence["uncategorized_file"]).decode(&photos)
	if got := sent.Evidence; got["shipping_carrier"] != "DHL" || got["shipping_tracking_number"] != "JD 1" ||
		!strings.Contains(got["uncategorized_text"], "It is broken.") || photos.Size == 0 {
		t.Errorf("the provider has %q, and photographs of %d bytes", got, photos.Size)
	}
}
