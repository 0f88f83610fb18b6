package apitest_test

import (
	"net/http"
	"testing"

	"secondring/market"
)

func TestListUsers(t *testing.T) {
	e := newEnv(t)
	admin, buyer, seller, verified := e.admin("Root"), e.buyer("Bob"), e.seller("Sue"), e.verified("Vera")

	t.Run("200 newest first, without admins", func(t *testing.T) {
		buyers := admin.get("/users/buyers").items()
		if len(buyers) != 1 || buyers[0]["_id"] != buyer.user.ID || buyers[0]["email"] != buyer.user.Email {
			t.Errorf("the buyers are %v", buyers)
		}
		sellers := admin.get("/users/sellers").items()
		if len(sellers) != 2 || sellers[0]["_id"] != verified.user.ID || sellers[1]["_id"] != seller.user.ID {
			t.Fatalf("the sellers are %v", sellers)
		}
		if sellers[0]["status"] != "verified" || sellers[1]["status"] != nil {
			t.Errorf("the sellers have wrong statuses: %v", sellers)
		}
	})
	t.Run("200 without private data", func(t *testing.T) {
		public := map[string]bool{"_id": true, "name": true, "email": true, "accountType": true, "status": true, "version": true}
		for _, u := range admin.get("/users/sellers").items() {
			for name := range u {
				if !public[name] {
					t.Errorf("the list of sellers has the field %s", name)
				}
			}
		}
	})
	for _, path := range []string{"/users/buyers", "/users/sellers"} {
		t.Run("401, 400, 403 in this order on "+path, func(t *testing.T) {
			e.visitor().get(path+"?limit=0").wantError(http.StatusUnauthorized, market.CodeNoToken)
			buyer.get(path+"?limit=0").wantError(http.StatusBadRequest, market.CodeBadRequest)
			buyer.get(path).wantError(http.StatusForbidden, market.CodeForbidden)
			verified.get(path).wantError(http.StatusForbidden, market.CodeForbidden)
		})
	}
}

func TestVerifySeller(t *testing.T) {
	e := newEnv(t)
	admin, buyer, seller := e.admin("Root"), e.buyer("Bob"), e.seller("Sue")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	path := "/users/seller/" + seller.user.ID

	t.Run("401, 404, 403 in this order", func(t *testing.T) {
		e.visitor().do(http.MethodPut, "/users/seller/nobody", nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.do(http.MethodPut, "/users/seller/nobody", nil).wantError(http.StatusNotFound, market.CodeNotFound)
		buyer.do(http.MethodPut, path, nil).wantError(http.StatusForbidden, market.CodeForbidden)
		seller.do(http.MethodPut, path, nil).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("404 for users who are not sellers", func(t *testing.T) {
		for _, id := range []string{buyer.user.ID, admin.user.ID, market.NewID(e.clock.Now()), "%00", "%ff", "a%2Fb"} {
			admin.do(http.MethodPut, "/users/seller/"+id, nil).wantError(http.StatusNotFound, market.CodeNotFound)
		}
	})
	t.Run("200 marks the seller and all their phones, including later ones", func(t *testing.T) {
		admin.do(http.MethodPut, path, nil).wantCount("modifiedCount", 1)
		wantRole(seller, "verified", seller.user.Email, true)
		later := seller.addPhone(brand)
		list := buyer.get("/categories/" + brand.ID)
		for _, id := range []string{phone, later} {
			if p := list.product(id); p["verified"] != true {
				t.Errorf("phone %s: verified is %v", id, p["verified"])
			}
		}
		if version := list.product(phone)["version"]; version != 2.0 {
			t.Errorf("the phone's version is %v, want 2", version)
		}
	})
	t.Run("200 with nothing to change", func(t *testing.T) {
		admin.do(http.MethodPut, path, nil).wantCount("modifiedCount", 0)
	})
}

func TestVerifySellerWithVersion(t *testing.T) {
	e := newEnv(t)
	admin, buyer := e.admin("Root"), e.buyer("Bob")
	path := func(p *person) string { return "/users/seller/" + p.user.ID }
	listed := func(p *person) map[string]any {
		for _, item := range admin.get("/users/sellers").items() {
			if item["_id"] == p.user.ID {
				return item
			}
		}
		t.Fatal("the seller is not listed")
		return nil
	}

	t.Run("409 for a seller who was renamed since", func(t *testing.T) {
		seller := e.seller("Sue")
		seen := listed(seller)["version"]
		seller.withCookie(http.MethodPatch, "/identity/me", fields{"displayName": "Apple Store Official"}).wantStatus(http.StatusOK)
		admin.do(http.MethodPut, path(seller), fields{"version": seen}).wantError(http.StatusConflict, market.CodeConflict)
		wantRole(seller, "verified", seller.user.Email, false)
		now := listed(seller)
		if now["name"] != "Apple Store Official" {
			t.Errorf("the listed name is %v", now["name"])
		}
		admin.do(http.MethodPut, path(seller), fields{"version": now["version"]}).wantCount("modifiedCount", 1)
		wantRole(seller, "verified", seller.user.Email, true)
	})
	t.Run("200 without a version", func(t *testing.T) {
		for _, body := range []string{"", "{}", `{"version":null}`, `{"other":1}`} {
			seller := e.seller("Sue")
			admin.do(http.MethodPut, path(seller), body).wantCount("modifiedCount", 1)
		}
	})
	t.Run("400, 404, 403, 422, 409 in this order", func(t *testing.T) {
		seller := e.seller("Sue")
		for _, body := range []string{"{", "[]", "null", " "} {
			admin.do(http.MethodPut, "/users/seller/nobody", body).wantError(http.StatusBadRequest, market.CodeBadRequest)
		}
		buyer.do(http.MethodPut, "/users/seller/nobody", fields{"version": "x"}).wantError(http.StatusNotFound, market.CodeNotFound)
		buyer.do(http.MethodPut, path(seller), fields{"version": "x"}).wantError(http.StatusForbidden, market.CodeForbidden)
		for _, version := range []any{"1", 1.5, true, []int{1}} {
			admin.do(http.MethodPut, path(seller), fields{"version": version}).wantInvalid("version")
		}
		for _, version := range []int{-1, 0, 99} {
			admin.do(http.MethodPut, path(seller), fields{"version": version}).wantError(http.StatusConflict, market.CodeConflict)
		}
	})
}

func TestTakeBadge(t *testing.T) {
	e := newEnv(t)
	admin, buyer, seller := e.admin("Root"), e.buyer("Bob"), e.verified("Vera")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	seller.do(http.MethodPut, "/products/advertise/"+phone, nil).wantCount("modifiedCount", 1)
	path := "/users/seller/" + seller.user.ID

	t.Run("401, 404, 403 in this order", func(t *testing.T) {
		e.visitor().do(http.MethodDelete, "/users/seller/nobody", nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.do(http.MethodDelete, "/users/seller/nobody", nil).wantError(http.StatusNotFound, market.CodeNotFound)
		buyer.do(http.MethodDelete, path, nil).wantError(http.StatusForbidden, market.CodeForbidden)
		seller.do(http.MethodDelete, path, nil).wantError(http.StatusForbidden, market.CodeForbidden)
		for _, id := range []string{buyer.user.ID, admin.user.ID, "%00"} {
			admin.do(http.MethodDelete, "/users/seller/"+id, nil).wantError(http.StatusNotFound, market.CodeNotFound)
		}
	})
	t.Run("200 takes the badge from the seller and all their phones, which are advertised no longer", func(t *testing.T) {
		admin.do(http.MethodDelete, path, nil).wantCount("modifiedCount", 1)
		wantRole(seller, "verified", seller.user.Email, false)
		if p := buyer.get("/categories/" + brand.ID).product(phone); p["verified"] != false || p["advertise"] != false {
			t.Errorf("the phone: verified is %v, advertise is %v", p["verified"], p["advertise"])
		}
		if e.visitor().get("/products/advertised").product(phone) != nil {
			t.Error("the phone is still advertised")
		}
		seller.do(http.MethodPut, "/products/advertise/"+phone, nil).wantError(http.StatusForbidden, market.CodeNotVerified)
		if n := seller.get("/notifications").items(); len(n) == 0 || n[0]["kind"] != "verified" {
			t.Errorf("the seller's notifications are %v", n)
		}
		if entry := admin.get("/auditLog").items()[0]; entry["action"] != "take-badge" || entry["target"] != "Vera" {
			t.Errorf("the audit entry is %v", entry)
		}
	})
	t.Run("200 with nothing to change", func(t *testing.T) {
		admin.do(http.MethodDelete, path, nil).wantCount("modifiedCount", 0)
		admin.do(http.MethodPut, path, nil).wantCount("modifiedCount", 1)
	})
}

func TestRemoveUser(t *testing.T) {
	e := newEnv(t)
	admin, other := e.admin("Root"), e.admin("Second")
	brand := e.brand("Nokia")

	t.Run("401, 404, 403 in this order", func(t *testing.T) {
		buyer := e.buyer("Bob")
		e.visitor().do(http.MethodDelete, "/users/nobody", nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.do(http.MethodDelete, "/users/nobody", nil).wantError(http.StatusNotFound, market.CodeNotFound)
		buyer.do(http.MethodDelete, "/users/"+buyer.user.ID, nil).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("403 for the account of an admin, also the admin's own", func(t *testing.T) {
		for _, id := range []string{admin.user.ID, other.user.ID} {
			admin.do(http.MethodDelete, "/users/"+id, nil).wantError(http.StatusForbidden, market.CodeForbidden)
		}
		wantRole(other, "admin", other.user.Email, true)
	})
	t.Run("200 releases the phones that the buyer holds and ends their sessions", func(t *testing.T) {
		buyer, seller, next := e.buyer("Bob"), e.seller("Sue"), e.buyer("Ned")
		phone := seller.addPhone(brand)
		booking := buyer.book(phone)
		admin.do(http.MethodDelete, "/users/"+buyer.user.ID, nil).wantCount("deletedCount", 1)
		buyer.get("/bookings?email="+buyer.user.Email).wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.withCookie(http.MethodGet, "/identity/me", nil).wantStatus(http.StatusUnauthorized)
		buyer.withCookie(http.MethodPost, "/users", fields{}).wantStatus(http.StatusUnauthorized)
		var ended map[string]any
		if admin.get("/booking/" + booking).wantStatus(http.StatusOK).decode(&ended); ended["status"] != "cancelled" {
			t.Errorf("the hold is %v", ended["status"])
		}
		next.book(phone)
		admin.do(http.MethodDelete, "/users/"+buyer.user.ID, nil).wantError(http.StatusNotFound, market.CodeNotFound)
	})
	t.Run("200 deletes the seller's phones and cancels their bookings", func(t *testing.T) {
		buyer, seller := e.buyer("Bob"), e.seller("Sue")
		free, held := seller.addPhone(brand), seller.addPhone(brand)
		booking := buyer.book(held)
		admin.do(http.MethodDelete, "/users/"+seller.user.ID, nil).wantCount("deletedCount", 1)
		list := buyer.get("/categories/" + brand.ID)
		if list.product(free) != nil || list.product(held) != nil {
			t.Error("a phone of the deleted seller is still listed")
		}
		var ended map[string]any
		if buyer.get("/booking/" + booking).wantStatus(http.StatusOK).decode(&ended); ended["status"] != "cancelled" {
			t.Errorf("the hold is %v", ended["status"])
		}
		e.send(http.MethodPost, "/identity/sign-up", fields{
			"email": seller.user.Email, "password": "secret-again", "displayName": "Sue",
		}).wantError(http.StatusForbidden, market.CodeForbidden)
	})
}
