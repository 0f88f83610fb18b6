package apitest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"
)

// runConcurrently runs the functions concurrently and waits for all.
func runConcurrently(all ...func()) {
	var done sync.WaitGroup
	for _, run := range all {
		done.Go(run)
	}
	done.Wait()
}

// finishCascades runs the background jobs until the janitor has finished the cascades of
// deleted and verified users.
func (e *env) finishCascades() {
	e.t.Helper()
	e.runDueWork()
	e.clock.Pass(time.Minute)
	e.runDueWork()
}

func TestDeletePhoneDuringBooking(t *testing.T) {
	e := newEnv(t)
	brand, seller, buyer := e.brand("Nokia"), e.seller("Sue"), e.buyer("Bob")
	for range 15 {
		phone := seller.addPhone(brand)
		var booked, deleted response
		runConcurrently(
			func() { booked = buyer.putBooking(buyer.bookingFields(phone)) },
			func() { deleted = seller.do(http.MethodDelete, "/products/"+phone, nil) },
		)
		switch {
		case booked.StatusCode == http.StatusOK && deleted.StatusCode == http.StatusConflict:
			buyer.cancel(booked.insertedID()).wantCount("deletedCount", 1)
		case booked.StatusCode == http.StatusNotFound && deleted.StatusCode == http.StatusOK:
		default:
			t.Fatalf("the booking has status %d, the deletion %d", booked.StatusCode, deleted.StatusCode)
		}
	}
}

func TestDeleteSellerDuringBookings(t *testing.T) {
	e := newEnv(t)
	brand, seller, admin := e.brand("Nokia"), e.seller("Sue"), e.admin("Root")
	work := []func(){func() {
		admin.do(http.MethodDelete, "/users/"+seller.user.ID, nil).wantCount("deletedCount", 1)
	}}
	buyers := []*person{}
	for range 20 {
		phone, buyer := seller.addPhone(brand), e.buyer("Bob")
		buyers = append(buyers, buyer)
		work = append(work,
			func() { buyer.putBooking(buyer.bookingFields(phone)) },
			func() { seller.do(http.MethodPost, "/products", seller.phoneFields(brand)) })
	}
	runConcurrently(work...)
	e.finishCascades()
	if items := admin.get("/categories/" + brand.ID).items(); len(items) != 0 {
		t.Errorf("%d phones of a deleted seller are listed", len(items))
	}
	for _, buyer := range buyers {
		for _, b := range buyer.ownBookings().items() {
			if b["status"] != "cancelled" {
				t.Errorf("a booking of a deleted seller's phone is %v, want cancelled", b["status"])
			}
		}
	}
}

func TestDeleteBuyerDuringBookings(t *testing.T) {
	e := newEnv(t)
	brand, seller, buyer, admin := e.brand("Nokia"), e.seller("Sue"), e.buyer("Bob"), e.admin("Root")
	work := []func(){func() {
		admin.do(http.MethodDelete, "/users/"+buyer.user.ID, nil).wantCount("deletedCount", 1)
	}}
	for range 15 {
		phone := seller.addPhone(brand)
		work = append(work, func() { buyer.putBooking(buyer.bookingFields(phone)) })
	}
	runConcurrently(work...)
	e.finishCascades()
	for _, p := range seller.ownProducts().items() {
		if p["booked"] != false {
			t.Errorf("a deleted buyer holds the phone %v", p["_id"])
		}
	}
}

func TestVerifySellerDuringListings(t *testing.T) {
	e := newEnv(t)
	brand, seller, admin := e.brand("Nokia"), e.seller("Sue"), e.admin("Root")
	work := []func(){func() {
		admin.do(http.MethodPut, "/users/seller/"+seller.user.ID, nil).wantCount("modifiedCount", 1)
	}}
	for range 30 {
		work = append(work, func() { seller.addPhone(brand) })
	}
	runConcurrently(work...)
	e.finishCascades()
	items := admin.get("/categories/" + brand.ID).items()
	for _, p := range items {
		if p["verified"] != true {
			t.Errorf("the phone %v of a verified seller is not verified", p["_id"])
		}
	}
	if len(items) != 30 {
		t.Errorf("%d phones are listed, want 30", len(items))
	}
}
