package apitest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// notifications returns a person's notifications, newest first. It fails the test unless
// unread of them are unread.
func (p *person) notifications(unread int) []map[string]any {
	p.t.Helper()
	list := p.get("/notifications").wantStatus(http.StatusOK)
	if got := list.Header.Get("X-Unread-Count"); got != fmt.Sprint(unread) {
		p.t.Errorf("%s has %s unread notifications, want %d", p.user.Name, got, unread)
	}
	return list.items()
}

// wantNotified fails the test unless a person's newest notification has this kind and its
// link begins with link.
func (p *person) wantNotified(kind, link string) {
	p.t.Helper()
	p.runDueWork()
	all := p.get("/notifications").items()
	if len(all) == 0 || all[0]["kind"] != kind || !strings.HasPrefix(all[0]["link"].(string), link) || all[0]["text"] == "" {
		p.t.Errorf("the notifications of %s are %v, want %s first", p.user.Name, all, kind)
	}
	p.clock.Pass(time.Millisecond) // so that the IDs are in the order of the calls
}

func TestNotificationsOfEachCause(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.BookingHold, s.rules.TurnHold = time.Minute, 20*time.Second })
	seller, holder, first, second, admin := e.seller("Sue"), e.buyer("Bob"), e.buyer("Fay"), e.buyer("Sid"), e.admin("Ada")
	phone := seller.addPhone(e.brand("Nokia"))

	admin.do(http.MethodPut, "/users/seller/"+seller.user.ID, nil).wantStatus(http.StatusOK)
	seller.wantNotified("verified", "/dashboard/myProducts")
	holder.book(phone)
	seller.wantNotified("booked", "/dashboard/myProducts")
	first.joinWaitlist(phone).wantStatus(http.StatusOK)
	second.joinWaitlist(phone).wantStatus(http.StatusOK)
	e.clock.Pass(61 * time.Second)
	holder.wantNotified("released", "/dashboard/myOrders")
	first.wantNotified("turn", "/dashboard/payment/")
	seller.wantNotified("booked", "/dashboard/myProducts")

	order := first.ownBookings().items()[0]["_id"].(string)
	secret := first.createIntent(order)
	e.confirm(secret, "pm_card_visa").wantStatus(http.StatusOK)
	first.postPayment(first.paymentFields(order, secret)).insertedID()
	first.wantNotified("order", "/dashboard/order/"+order)
	seller.wantNotified("paid", "/dashboard/order/"+order)
	second.wantNotified("sold", "/phone/"+phone)

	other := seller.addPhone(e.brand("Sony"))
	holder.book(other)
	second.joinWaitlist(other).wantStatus(http.StatusOK)
	second.do(http.MethodPost, "/reportedItems", fields{"productID": other, "reason": "Stolen"}).insertedID()
	admin.wantNotified("report", "/dashboard/cases/")
	seller.do(http.MethodDelete, "/products/"+other, nil).wantStatus(http.StatusConflict)
	admin.do(http.MethodDelete, "/products/"+other, nil).wantStatus(http.StatusOK)
	holder.wantNotified("released", "/dashboard/myOrders")
	seller.wantNotified("decision", "/dashboard/decisions")
	second.wantNotified("decision", "")
}

// A client that marks notifications as read changes them in the person's other clients.
func TestNotificationsAreRead(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	brand := e.brand("Nokia")
	socket := seller.connect(t)
	socket.subscribe(seller.get("/notifications"))
	for _, name := range []string{"Bob", "Fay"} {
		e.buyer(name).book(seller.addPhone(brand))
		e.clock.Pass(time.Millisecond)
	}
	e.runDueWork()
	all := seller.notifications(2)
	if n := all[0]; len(n) != 7 || n["version"] != 1.0 || n["createdAt"] == nil || n["_id"] == nil {
		t.Errorf("the notification is %v", n)
	}
	markRead := func(id any) response {
		return seller.do(http.MethodPut, "/notifications/read", fields{"upTo": id})
	}
	markRead(all[1]["_id"]).wantCount("modifiedCount", 1)
	markRead(all[1]["_id"]).wantCount("modifiedCount", 0)
	e.runDueWork()
	if after := seller.notifications(1); after[1]["readAt"] == nil || after[1]["version"].(float64) <= 1 || after[0]["readAt"] != nil {
		t.Errorf("the notifications are %v, want only the older one read", after)
	}
	added := 0
	socket.readUntil(func(f frame) bool {
		for _, e := range f.Events {
			switch e.Type {
			case market.TypeNotificationAdded:
				added++
			case market.TypeNotificationChanged:
				if e.Topic != "me" || e.Data["_id"] != all[1]["_id"] || e.Data["readAt"] == nil || e.Data["version"].(float64) <= 1 {
					t.Errorf("the event is %+v", e)
				}
				return true
			}
		}
		return false
	})
	if added != 2 {
		t.Errorf("%d events are about new notifications, want 2", added)
	}
	markRead(nil).wantInvalid("upTo")
	markRead(7).wantInvalid("upTo")
	markRead("000000000000000000000000").wantError(http.StatusNotFound, market.CodeNotFound)
	seller.listIDs("/notifications?limit=1", nil)
}

// A client that changes the email settings changes them in the person's other clients.
func TestEmailSettings(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	settings := func() map[string]any {
		t.Helper()
		return buyer.get("/notifications/settings").wantStatus(http.StatusOK).object()
	}
	first := settings()
	const defaults = "map[available:off booked:off decision:off match:off message:now offer:now order:now paid:now price:off released:now report:off sold:off turn:now verified:off]"
	if fmt.Sprint(first["email"]) != defaults {
		t.Errorf("the settings are %v, want %s", first["email"], defaults)
	}
	socket := buyer.connect(t)
	socket.subscribe(buyer.get("/notifications/settings"))
	choose := func(email any) response {
		return buyer.do(http.MethodPut, "/notifications/settings", fields{"email": email})
	}
	choose(fields{"price": "now", "match": "daily", "turn": "off"}).wantCount("modifiedCount", 1)
	choose(fields{"price": "now"}).wantCount("modifiedCount", 0)
	after := settings()
	if email, _ := after["email"].(map[string]any); email["price"] != "now" || email["match"] != "daily" || email["sold"] != "off" || email["turn"] != "off" {
		t.Errorf("after the change the settings are %v", after)
	}
	e.runDueWork()
	socket.readUntil(func(f frame) bool {
		for _, e := range f.Events {
			if e.Type == market.TypeSettingsChanged {
				if email, _ := e.Data["email"].(map[string]any); e.Topic != "me" || e.Data["_id"] != first["_id"] ||
					e.Data["version"] != after["version"] || email["match"] != "daily" {
					t.Errorf("the event is %+v", e)
				}
				return true
			}
		}
		return false
	})
	choose(fields{"unknown": "now"}).wantInvalid("email.unknown")
	choose(fields{"price": "weekly", "sold": 7}).wantInvalid("email.price", "email.sold")
	choose("now").wantInvalid("email")
	choose(nil).wantInvalid("email")
	if again := settings(); fmt.Sprint(again) != fmt.Sprint(after) {
		t.Errorf("after refused changes the settings are %v, want %v", again, after)
	}
}
