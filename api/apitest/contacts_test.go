package apitest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

func TestRefundHidesTheBuyerFromTheSeller(t *testing.T) {
	e := newOrdersEnv(t)
	id := e.paidOrder(e.seller, e.buyer)
	var b market.BookingView
	e.buyer.get("/booking/" + id).wantStatus(http.StatusOK).decode(&b)
	secrets := []string{b.Email, b.Phone, b.UserName, b.Location}
	shown := func(p *person) string {
		phones := p.get("/products?email=" + p.user.Email).wantStatus(http.StatusOK)
		order := p.get("/booking/" + id).wantStatus(http.StatusOK)
		earnings := p.get("/earnings").wantStatus(http.StatusOK)
		export := p.withCookie(http.MethodGet, "/identity/data", nil).wantStatus(http.StatusOK)
		return string(phones.body) + string(order.body) + string(earnings.body) + string(export.body)
	}
	if !strings.Contains(shown(e.seller), b.Phone) {
		t.Error("the seller of a paid order does not see the buyer's number")
	}
	socket := e.seller.connect(t)
	e.runDueWork()
	socket.subscribe(e.seller.get("/products?email=" + e.seller.user.Email))
	e.admin.postRefund(id, fields{"reason": "It was stolen."}).wantCount("modifiedCount", 1)
	e.makeRefunds()
	text := shown(e.seller)
	socket.readUntil(func(f frame) bool {
		for _, event := range f.Events {
			if event.Type == market.TypeBookingChanged && event.Data["status"] == "refunded" {
				text += fmt.Sprint(event.Data)
				return true
			}
		}
		return false
	})
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("the seller of a refunded order sees %q", secret)
		}
	}
	if after := string(e.admin.get("/booking/" + id).body); !strings.Contains(after, b.Phone) {
		t.Errorf("the admin does not see the buyer: %s", after)
	}
}
