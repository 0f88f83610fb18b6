package apitest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"
)

// together runs the functions concurrently and waits for all.
func together(all ...func()) {
	var done sync.WaitGroup
	for _, run := range all {
		done.Go(run)
	}
	done.Wait()
}

// afterSweep runs the background jobs until no cascade is repeated any more.
func (e *env) afterSweep() {
	e.t.Helper()
	e.settle()
	e.clock.Pass(time.Minute)
	e.settle()
}

func TestDeleteWhileBooked(t *testing.T) {
	e := newEnv(t)
	brand, seller, buyer := e.brand("Nokia"), e.seller("Sue"), e.buyer("Bob")
	for range 15 {
		phone := seller.sells(brand)
		var booked, deleted answer
		together(
			func() { booked = buyer.book(buyer.bookingFields(phone)) },
			func() { deleted = seller.do(http.MethodDelete, "/products/"+phone, nil) },
		)
		switch {
		case booked.StatusCode == http.StatusOK && deleted.StatusCode == http.StatusConflict:
			buyer.do(http.MethodDelete, "/bookings/"+booked.id(), nil).count("deletedCount", 1)
		case booked.StatusCode == http.StatusNotFound && deleted.StatusCode == http.StatusOK:
		default:
			t.Fatalf("booking answered %d, deleting %d", booked.StatusCode, deleted.StatusCode)
		}
	}
}

func TestRemoveSellerWhileBusy(t *testing.T) {
	e := newEnv(t)
	brand, seller, admin := e.brand("Nokia"), e.seller("Sue"), e.admin("Root")
	work := []func(){func() {
		admin.do(http.MethodDelete, "/users/"+seller.user.ID, nil).count("deletedCount", 1)
	}}
	buyers := []*person{}
	for range 20 {
		phone, buyer := seller.sells(brand), e.buyer("Bob")
		buyers = append(buyers, buyer)
		work = append(work,
			func() { buyer.book(buyer.bookingFields(phone)) },
			func() { seller.do(http.MethodPost, "/products", seller.phoneFields(brand)) })
	}
	together(work...)
	e.afterSweep()
	if items := admin.get("/categories/" + brand.ID).items(); len(items) != 0 {
		t.Errorf("%d phones of a removed seller are on sale", len(items))
	}
	for _, buyer := range buyers {
		for _, b := range buyer.get("/bookings?email=" + buyer.user.Email).items() {
			if b["status"] != "cancelled" {
				t.Errorf("a booking with a removed seller is %v", b["status"])
			}
		}
	}
}

func TestRemoveBuyerWhileBusy(t *testing.T) {
	e := newEnv(t)
	brand, seller, buyer, admin := e.brand("Nokia"), e.seller("Sue"), e.buyer("Bob"), e.admin("Root")
	work := []func(){func() {
		admin.do(http.MethodDelete, "/users/"+buyer.user.ID, nil).count("deletedCount", 1)
	}}
	for range 15 {
		phone := seller.sells(brand)
		work = append(work, func() { buyer.book(buyer.bookingFields(phone)) })
	}
	together(work...)
	e.afterSweep()
	for _, p := range seller.get("/products?email=" + seller.user.Email).items() {
		if p["booked"] != false {
			t.Errorf("a removed buyer holds %v", p["_id"])
		}
	}
}

func TestVerifyWhileAdding(t *testing.T) {
	e := newEnv(t)
	brand, seller, admin := e.brand("Nokia"), e.seller("Sue"), e.admin("Root")
	work := []func(){func() {
		admin.do(http.MethodPut, "/users/seller/"+seller.user.ID, nil).count("modifiedCount", 1)
	}}
	for range 30 {
		work = append(work, func() { seller.sells(brand) })
	}
	together(work...)
	e.afterSweep()
	items := admin.get("/categories/" + brand.ID).items()
	for _, p := range items {
		if p["verified"] != true {
			t.Errorf("phone %v of a verified seller is not marked", p["_id"])
		}
	}
	if len(items) != 30 {
		t.Errorf("%d phones", len(items))
	}
}
