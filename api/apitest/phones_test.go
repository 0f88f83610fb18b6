package apitest_test

import (
	"net/http"

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

// sells lists a phone and returns its _id.
func (p *person) sells(brand market.Brand) string {
	p.t.Helper()
	return p.do(http.MethodPost, "/products", p.phoneFields(brand)).id()
}

// books books a phone and returns the booking's _id.
func (p *person) books(productID string) string {
	p.t.Helper()
	return p.do(http.MethodPut, "/bookings", p.bookingFields(productID)).id()
}

// bookingFields returns a valid body of PUT /bookings.
func (p *person) bookingFields(productID string) fields {
	return fields{
		"productID": productID, "userName": p.user.Name, "email": p.user.Email,
		"phone": "+880 1800 000000", "location": "Sylhet",
	}
}

// product returns the phone with this ID from a list.
func (a answer) product(id string) map[string]any {
	a.t.Helper()
	for _, item := range a.items() {
		if item["_id"] == id {
			return item
		}
	}
	return nil
}

// items returns the objects of a list.
func (a answer) items() []map[string]any {
	a.t.Helper()
	a.is(http.StatusOK)
	var items []map[string]any
	a.into(&items)
	return items
}
