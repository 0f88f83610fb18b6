package apitest_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

func (p *person) putDelivery(booking string, body any) response {
	p.t.Helper()
	return p.do(http.MethodPut, "/bookings/"+booking+"/delivery", body)
}

func TestChooseDelivery(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("delivers", "send").with("postage", "$12")).insertedID()
	booking := buyer.book(phone)
	address := fields{"name": "Bob", "street": "\u200b12  Lake\u00a0Road ", "postcode": "1209", "town": "Dhaka"}

	t.Run("422 for what is missing or of the wrong type", func(t *testing.T) {
		for _, c := range []struct {
			change fields
			wrong  string // fields, separated by blanks
		}{
			{fields{"address": nil}, "address"},
			{fields{"address": "12 Lake Road"}, "address address.name address.postcode address.street address.town"},
			{fields{"address": address.with("street", 5)}, "address.street"},
			{fields{"address": address.with("town", nil)}, "address.town"},
			{fields{"address": address.with("town", "\u202e")}, "address.town"},
			{fields{"delivery": "meet"}, "delivery"},
			{fields{"delivery": nil}, "delivery"},
			{fields{"remember": "yes"}, "remember"},
		} {
			body := fields{"delivery": "send", "address": address}
			maps.Copy(body, c.change)
			buyer.putDelivery(booking, body).wantInvalid(strings.Fields(c.wrong)...)
		}
		buyer.postIntent(fields{"price": 120, "bookingId": booking}).wantInvalid("address")
	})
	t.Run("the address is cleaned, and kept nowhere but on the order and, if it is remembered, the account", func(t *testing.T) {
		body := fields{"delivery": "send", "address": address, "remember": true}
		buyer.putDelivery(booking, body).wantCount("modifiedCount", 1)
		buyer.putDelivery(booking, body).wantCount("modifiedCount", 0)
		read := buyer.do(http.MethodGet, "/booking/"+booking, nil).wantStatus(http.StatusOK)
		if policy := read.Header.Get("Cache-Control"); policy != "private, no-store" {
			t.Errorf("the address may be cached: %s", policy)
		}
		var got market.BookingView
		read.decode(&got)
		if got.Address == nil || got.Address.Street != "12 Lake Road" || got.Total != 132 || got.Postage != 12 || got.Price != 120 {
			t.Errorf("the order is %+v with the address %+v", got, got.Address)
		}
		if list := buyer.ownBookings(); strings.Contains(string(list.body), "Lake") {
			t.Errorf("the list has the address: %s", list.body)
		}
		if me := buyer.withCookie(http.MethodGet, "/identity/me", nil); !strings.Contains(string(me.body), "12 Lake Road") {
			t.Errorf("the account does not remember the address: %s", me.body)
		}
		changed := buyer.withCookie(http.MethodPatch, "/identity/me", fields{"forgetAddress": true}).wantStatus(http.StatusOK)
		if me := buyer.withCookie(http.MethodGet, "/identity/me", nil); strings.Contains(string(me.body)+string(changed.body), "Lake") {
			t.Errorf("the account still has the address: %s", me.body)
		}
	})
}
