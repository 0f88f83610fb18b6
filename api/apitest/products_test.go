package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

func TestAddProduct(t *testing.T) {
	e := newEnv(t)
	brand, other := e.brand("Nokia"), e.brand("Sony")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	body := seller.phoneFields(brand)
	add := func(p *person, body any) response { return p.do(http.MethodPost, "/products", body) }

	t.Run("401, 400, 403, 422 in this order", func(t *testing.T) {
		add(e.visitor(), "{").wantError(http.StatusUnauthorized, market.CodeNoToken)
		add(buyer, "{").wantError(http.StatusBadRequest, market.CodeBadRequest)
		add(buyer, fields{}).wantError(http.StatusForbidden, market.CodeForbidden)
		add(e.admin("Root"), body).wantError(http.StatusForbidden, market.CodeForbidden)
		add(seller, fields{"email": buyer.user.Email}).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("422 for each missing field, except the names of seller and brand", func(t *testing.T) {
		all := []string{}
		for name := range body {
			if name == "sellerName" || name == "brand" {
				add(seller, body.with(name, nil)).insertedID()
				continue
			}
			add(seller, body.with(name, nil)).wantInvalid(name)
			all = append(all, name)
		}
		add(seller, fields{}).wantInvalid(all...)
	})
	t.Run("422 for invalid or wrong fields", func(t *testing.T) {
		for name, values := range map[string][]any{
			"originalPrice":     {0, -1, 100_001, 12.5, "350.50", "0", "100001", "much", true},
			"resalePrice":       {0, -1, 100_001, 12.5, "", "-120", "cheap", "3-4", "€120", []int{1}},
			"productCondition":  {"Broken", "good", 1},
			"id":                {"none", other.ID + "0", 5},
			"brand":             {"Sony", 5},
			"sellerName":        {"Somebody", 5},
			"img":               {"javascript:alert(1)", "//elsewhere.example/x.jpg", "data:image/png;base64,AA", "x.jpg", "https://", `/\elsewhere.example`, 5},
			"selling_post_date": {"20-11-2026", "2026-02-30", "yesterday", "0001-01-01", "1999-12-31", "2036-01-01", 5},
			"name":              {" ", "\u200b\u3164", strings.Repeat("x", 121), "a" + strings.Repeat("\u0316", 6), 5},
			"description":       {strings.Repeat("x", 4001), fields{}},
		} {
			for _, value := range values {
				add(seller, body.with(name, value)).wantInvalid(name)
			}
		}
	})
	t.Run("200 for the values of a form: prices as strings, names with spaces and in another case", func(t *testing.T) {
		id := add(seller, body.with("resalePrice", "120").with("originalPrice", "350").with("sellerName", " SUE ").with("brand", "nokia")).insertedID()
		p := buyer.get("/categories/" + brand.ID).product(id)
		if p["resalePrice"] != 120.0 || p["originalPrice"] != 350.0 || p["sellerName"] != "Sue" || p["brand"] != "Nokia" {
			t.Errorf("the phone is %v", p)
		}
		seller.do(http.MethodPatch, "/products/"+id, fields{"resalePrice": "110", "sellerName": "sue"}).wantCount("modifiedCount", 1)
		seller.do(http.MethodPatch, "/products/"+id, fields{"version": "2"}).wantInvalid("version")
	})
	t.Run("200 without the fields that a seller may not set", func(t *testing.T) {
		id := add(seller, body.with("verified", true).with("booked", true).with("advertise", true).
			with("sold", true).with("_id", "mine").with("version", 9).with("unknown", "of")).insertedID()
		p := buyer.get("/categories/" + brand.ID).product(id)
		for name, want := range map[string]any{
			"verified": false, "booked": false, "advertise": false, "sold": false, "version": 1.0, "unknown": nil,
			"brand": "Nokia", "id": brand.ID, "resalePrice": 120.0, "sellerName": "Sue", "phone": body["phone"],
		} {
			if p[name] != want {
				t.Errorf("%s is %v, want %v", name, p[name], want)
			}
		}
		if e.visitor().get("/products/advertised").product(id) != nil {
			t.Error("a seller can advertise a phone with a field")
		}
	})
	t.Run("200 for the lowest and highest price, and for a picture of another site", func(t *testing.T) {
		add(seller, body.with("originalPrice", 100_000).with("resalePrice", 1)).insertedID()
		add(seller, body.with("img", "https://pictures.example/x.jpg?size=2")).insertedID()
	})
}

func TestProductsOfSeller(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, otherSeller, buyer, admin := e.seller("Sue"), e.seller("Rita"), e.buyer("Bob"), e.admin("Root")
	available, booked := seller.addPhone(brand), seller.addPhone(brand)
	otherSeller.addPhone(brand)
	buyer.book(booked)
	path := "/products?email=" + strings.ToUpper(seller.user.Email)

	t.Run("401, 400, 403, 422 in this order", func(t *testing.T) {
		e.visitor().get(path+"&limit=0").wantError(http.StatusUnauthorized, market.CodeNoToken)
		otherSeller.get(path+"&limit=0").wantError(http.StatusBadRequest, market.CodeBadRequest)
		otherSeller.get(path).wantError(http.StatusForbidden, market.CodeForbidden)
		otherSeller.get("/products?email=nobody@phones.example").wantError(http.StatusForbidden, market.CodeForbidden)
		buyer.get("/products?email="+buyer.user.Email).wantError(http.StatusForbidden, market.CodeForbidden)
		buyer.get("/products").wantError(http.StatusForbidden, market.CodeForbidden)
		seller.get("/products").wantInvalid("email")
	})
	t.Run("200 with the seller's own phones and the end of holds, without the buyer", func(t *testing.T) {
		list := seller.get(path)
		if len(list.items()) != 2 {
			t.Fatalf("the list is %s, want two phones", list.body)
		}
		if p := list.product(booked); p["booked"] != true || p["heldUntil"] == nil || p["buyer"] != nil {
			t.Errorf("the booked phone is %v", p)
		}
		if p := list.product(available); p["booked"] != false || p["heldUntil"] != nil {
			t.Errorf("the available phone is %v", p)
		}
		for _, secret := range []string{buyer.user.Email, buyer.user.Name, "+880 1800 000000", "Sylhet"} {
			if strings.Contains(string(list.body), secret) {
				t.Errorf("the list contains %q of a buyer who has not paid", secret)
			}
		}
	})
	t.Run("200 for an admin with what signed-in users may read", func(t *testing.T) {
		if p := admin.get(path).product(booked); p == nil || p["heldUntil"] == nil || p["buyer"] != nil {
			t.Errorf("the phone is %v", p)
		}
		if items := admin.get("/products?email=nobody@phones.example").items(); len(items) != 0 {
			t.Errorf("an unknown seller has the phones %v", items)
		}
	})
}

func TestChangeProduct(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, otherSeller, buyer, admin := e.seller("Sue"), e.seller("Rita"), e.buyer("Bob"), e.admin("Root")
	phone := seller.addPhone(brand)
	change := func(p *person, id string, body any) response { return p.do(http.MethodPatch, "/products/"+id, body) }

	t.Run("401, 400, 404, 403, 422 in this order", func(t *testing.T) {
		change(e.visitor(), "none", "{").wantError(http.StatusUnauthorized, market.CodeNoToken)
		change(otherSeller, "none", "{").wantError(http.StatusBadRequest, market.CodeBadRequest)
		change(otherSeller, "none", fields{"resalePrice": 0}).wantError(http.StatusNotFound, market.CodeNotFound)
		for _, p := range []*person{otherSeller, buyer, admin} {
			change(p, phone, fields{"resalePrice": 0}).wantError(http.StatusForbidden, market.CodeForbidden)
		}
		change(seller, phone, fields{"resalePrice": 0, "name": "", "location": 5}).wantInvalid("resalePrice", "name", "location")
	})
	t.Run("403 and 422 for wrong fields", func(t *testing.T) {
		change(seller, phone, fields{"email": otherSeller.user.Email, "brand": "Sony"}).wantError(http.StatusForbidden, market.CodeForbidden)
		change(seller, phone, fields{"brand": "Sony", "id": "x", "sellerName": "Rita"}).wantInvalid("brand", "id", "sellerName")
		same := fields{"brand": "Nokia", "id": brand.ID, "sellerName": "Sue", "email": seller.user.Email}
		change(seller, phone, same).wantCount("modifiedCount", 0)
	})
	t.Run("200 changes only the sent fields", func(t *testing.T) {
		change(seller, phone, fields{"resalePrice": 99, "description": "Like new", "booked": true, "phone": nil}).wantCount("modifiedCount", 1)
		p := buyer.get("/categories/" + brand.ID).product(phone)
		if p["resalePrice"] != 99.0 || p["description"] != "Like new" || p["name"] != "Nexus 5" || p["booked"] != false || p["phone"] == "" {
			t.Errorf("the phone is %v", p)
		}
	})
	t.Run("200 without a change", func(t *testing.T) {
		change(seller, phone, fields{}).wantCount("modifiedCount", 0)
		change(seller, phone, fields{"resalePrice": 99}).wantCount("modifiedCount", 0)
	})
	t.Run("409 for a change of an old version, 200 if the phone has the new values already", func(t *testing.T) {
		version := seller.ownProducts().product(phone)["version"]
		change(seller, phone, fields{"resalePrice": 90, "version": version}).wantCount("modifiedCount", 1)
		change(seller, phone, fields{"resalePrice": 80, "version": version}).wantError(http.StatusConflict, market.CodeConflict)
		change(seller, phone, fields{"resalePrice": 90, "version": version}).wantCount("modifiedCount", 0)
		change(seller, phone, fields{"resalePrice": 0, "version": version}).wantInvalid("resalePrice")
		change(seller, phone, fields{"version": "new"}).wantInvalid("version")
		if p := buyer.get("/categories/" + brand.ID).product(phone); p["resalePrice"] != 90.0 {
			t.Errorf("the phone is %v", p)
		}
	})
	t.Run("200 with other photos, and the first is img", func(t *testing.T) {
		two := []fields{{"url": "/images/back.jpg", "alt": "The back"}, {"url": "/images/front.jpg"}}
		change(seller, phone, fields{"photos": two, "img": "/images/front.jpg"}).wantInvalid("img")
		change(seller, phone, fields{"photos": []fields{}}).wantInvalid("photos")
		change(seller, phone, fields{"photos": []any{"/images/back.jpg", fields{"url": 5, "alt": 5}}}).
			wantInvalid("photos[0]", "photos[0].url", "photos[1].alt", "photos[1].url")
		change(seller, phone, fields{"photos": two}).wantCount("modifiedCount", 1)
		change(seller, phone, fields{"photos": two}).wantCount("modifiedCount", 0)
		if p := buyer.get("/categories/" + brand.ID).product(phone); p["img"] != "/images/back.jpg" {
			t.Errorf("the phone is %v", p)
		}
	})
	t.Run("409 while booked, after 422", func(t *testing.T) {
		buyer.book(phone)
		change(seller, phone, fields{"resalePrice": 0}).wantInvalid("resalePrice")
		change(seller, phone, fields{"resalePrice": 50}).wantError(http.StatusConflict, market.CodeHeld)
	})
}

func TestRemoveProduct(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, otherSeller, buyer, admin := e.seller("Sue"), e.seller("Rita"), e.buyer("Bob"), e.admin("Root")
	remove := func(p *person, id string) response { return p.do(http.MethodDelete, "/products/"+id, nil) }
	phone := seller.addPhone(brand)

	t.Run("401, 404, 403 in this order", func(t *testing.T) {
		remove(e.visitor(), "none").wantError(http.StatusUnauthorized, market.CodeNoToken)
		remove(otherSeller, "none").wantError(http.StatusNotFound, market.CodeNotFound)
		remove(otherSeller, phone).wantError(http.StatusForbidden, market.CodeForbidden)
		remove(buyer, phone).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("409 for the seller while the phone is booked", func(t *testing.T) {
		booking := buyer.book(phone)
		remove(otherSeller, phone).wantError(http.StatusForbidden, market.CodeForbidden)
		remove(seller, phone).wantError(http.StatusConflict, market.CodeHeld)
		buyer.cancel(booking).wantCount("deletedCount", 1)
	})
	t.Run("200 for an admin while the phone is booked, which ends the booking", func(t *testing.T) {
		booked := seller.addPhone(brand)
		booking := buyer.book(booked)
		remove(admin, booked).wantCount("deletedCount", 1)
		var b market.BookingView
		buyer.get("/booking/" + booking).wantStatus(http.StatusOK).decode(&b)
		if b.Status != market.BookingCancelled {
			t.Errorf("the booking is %s, want cancelled", b.Status)
		}
	})
	t.Run("200 for the seller and for an admin, then 404", func(t *testing.T) {
		second := seller.addPhone(brand)
		remove(seller, phone).wantCount("deletedCount", 1)
		remove(admin, second).wantCount("deletedCount", 1)
		remove(seller, phone).wantError(http.StatusNotFound, market.CodeNotFound)
		if items := buyer.get("/categories/" + brand.ID).items(); len(items) != 0 {
			t.Errorf("the brand still has the phones %v", items)
		}
	})
}
