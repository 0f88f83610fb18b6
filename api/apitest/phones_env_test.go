package apitest_test

import (
	"net/http"
	"testing"

	"secondring/market"
)

// phoneFields returns a valid body of POST /products.
func (p *person) phoneFields(brand market.Brand) fields {
	return fields{
		"name": "Nexus 5", "brand": brand.Name, "id": brand.ID, "img": "/photos/one.jpg",
		"originalPrice": 350, "resalePrice": 120, "productCondition": "Good", "usedTime": "2 years",
		"description": "Few scratches", "sellerName": p.user.Name, "email": p.user.Email,
		"location": "Dhaka", "phone": "+880 1700 000000", "selling_post_date": "2026-11-20",
	}
}

// addPhone lists a phone and returns its _id.
func (p *person) addPhone(brand market.Brand) string {
	p.t.Helper()
	return p.do(http.MethodPost, "/products", p.phoneFields(brand)).insertedID()
}

// book books a phone and returns the booking's _id.
func (p *person) book(productID string) string {
	p.t.Helper()
	return p.do(http.MethodPut, "/bookings", p.bookingFields(productID)).insertedID()
}

// bookingFields returns a valid body of PUT /bookings.
func (p *person) bookingFields(productID string) fields {
	return fields{
		"productID": productID, "userName": p.user.Name, "email": p.user.Email,
		"phone": "+880 1800 000000", "location": "Sylhet",
	}
}

// product returns the phone with this ID from a list.
func (a response) product(id string) map[string]any {
	a.t.Helper()
	for _, item := range a.items() {
		if item["_id"] == id {
			return item
		}
	}
	return nil
}

// items returns the objects of a list.
func (a response) items() []map[string]any {
	a.t.Helper()
	a.wantStatus(http.StatusOK)
	var items []map[string]any
	a.decode(&items)
	return items
}

// cancel cancels a booking.
func (p *person) cancel(booking string) response {
	p.t.Helper()
	return p.do(http.MethodDelete, "/bookings/"+booking, nil)
}

// ownBookings returns the list of the buyer's bookings.
func (p *person) ownBookings() response {
	p.t.Helper()
	return p.get("/bookings?email=" + p.user.Email)
}

// ownProducts returns the list of the seller's phones.
func (p *person) ownProducts() response {
	p.t.Helper()
	return p.get("/products?email=" + p.user.Email)
}

// wantNoContactData fails the test unless a phone has this name and no data that only
// signed-in users may read.
func wantNoContactData(t *testing.T, p map[string]any, name string) {
	t.Helper()
	if p["name"] != name {
		t.Errorf("the phone is %v, want %s", p, name)
	}
	for _, private := range []string{"phone", "email", "location", "buyer", "heldUntil"} {
		if value, exists := p[private]; exists {
			t.Errorf("the phone of a visitor has %s %v", private, value)
		}
	}
}
