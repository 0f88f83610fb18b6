package apitest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

func TestBrands(t *testing.T) {
	w := newEnv(t)
	brands := []market.Brand{}
	for i := range 8 {
		brands = append(brands, w.brand(fmt.Sprintf("Brand %d", i)))
	}
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	seller.sells(brands[7])
	seller.sells(brands[7])
	seller.sells(brands[3])
	seller.sells(brands[5])
	buyer.books(seller.sells(brands[5]))

	t.Run("200 for anyone, all of them", func(t *testing.T) {
		for _, path := range []string{"/productCategory", "/allCategories"} {
			answer := w.visitor().get(path)
			if items := answer.items(); len(items) != 8 || items[0]["_id"] != brands[7].ID || items[0]["img"] != brands[7].Img {
				t.Errorf("%s: %v", path, items)
			}
			if answer.Header.Get("X-Total-Count") != "8" || answer.Header.Get("Live-Position") != "" {
				t.Errorf("%s: %v", path, answer.Header)
			}
		}
	})
	t.Run("200 with the six that have most available phones, ties by name", func(t *testing.T) {
		got := []any{}
		for _, item := range w.visitor().get("/categories").items() {
			got = append(got, item["name"])
		}
		want := "[Brand 7 Brand 3 Brand 5 Brand 0 Brand 1 Brand 2]"
		if fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
	})
	t.Run("200 page by page", func(t *testing.T) {
		for path, n := range map[string]int{"/allCategories": 8, "/categories": 6} {
			if ids := w.visitor().walk(path+"?limit=4", nil); len(ids) != n {
				t.Errorf("%s: %d brands over all pages, want %d", path, len(ids), n)
			}
		}
	})
	t.Run("400 for a limit out of range and a forged cursor", func(t *testing.T) {
		for _, path := range []string{"/productCategory", "/allCategories", "/categories"} {
			for _, query := range []string{"limit=0", "limit=201", "limit=x", "limit=", "cursor=x", "cursor=", "cursor=MTp4"} {
				w.visitor().get(path+"?"+query).refused(http.StatusBadRequest, market.CodeBadRequest)
			}
		}
	})
}

// The responses are cached: each change must be in the next response.
func TestBrandHasCountAndLowestPrice(t *testing.T) {
	w := newEnv(t)
	nokia := w.brand("Nokia")
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	is := func(after, want string) {
		t.Helper()
		for _, path := range []string{"/productCategory", "/allCategories", "/categories"} {
			b := w.visitor().get(path).items()[0]
			if got := fmt.Sprint(b["available"], " from ", b["fromPrice"], ", version ", b["version"]); got != want+", version 1" {
				t.Errorf("%s after %s: %s, want %s", path, after, got, want)
			}
		}
	}
	is("nothing", "0 from <nil>")
	cheap := seller.sells(nokia)
	dearer := seller.phoneFields(nokia)
	dearer["resalePrice"] = 170
	dear := seller.do(http.MethodPost, "/products", dearer).id()
	is("two phones", "2 from 120")
	order := buyer.books(cheap)
	is("a booking", "1 from 170")
	seller.do(http.MethodPatch, "/products/"+dear, fields{"resalePrice": 165}).is(http.StatusOK)
	is("a change of the price", "1 from 165")
	buyer.do(http.MethodDelete, "/bookings/"+order, nil).is(http.StatusOK)
	is("the end of the booking", "2 from 120")
	seller.do(http.MethodDelete, "/products/"+cheap, nil).is(http.StatusOK)
	is("a removal", "1 from 165")
}

func TestProductsOfBrand(t *testing.T) {
	w := newEnv(t)
	nokia, sony := w.brand("Nokia"), w.brand("Sony")
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	phone := seller.sells(nokia)
	seller.sells(sony)

	t.Run("401, 400, 404 in this order", func(t *testing.T) {
		w.visitor().get("/categories/none?limit=0", header("Authorization", "Bearer x")).refused(http.StatusUnauthorized, market.CodeNoToken)
		buyer.get("/categories/none?limit=0").refused(http.StatusBadRequest, market.CodeBadRequest)
		for _, id := range []string{"none", market.NewID(w.clock.Now()), "%00", "%ff", "a%2Fb", "..%2Fusers"} {
			buyer.get("/categories/"+id).refused(http.StatusNotFound, market.CodeNotFound)
		}
	})
	t.Run("200 for visitors, without phone, email and location", func(t *testing.T) {
		got := w.visitor().get("/categories/" + nokia.ID)
		seen := got.product(phone)
		for _, name := range []string{"phone", "email", "location", "heldUntil", "buyer"} {
			if _, there := seen[name]; there || seen["name"] != "Nexus 5" {
				t.Errorf("a visitor sees %v", seen)
			}
		}
		if at := got.Header.Get("Live-Position"); !strings.HasPrefix(at, "brand:"+nokia.ID+"=") {
			t.Errorf("Live-Position is %q", at)
		}
		if own := buyer.get("/categories/" + nokia.ID); own.Header.Get("ETag") == got.Header.Get("ETag") {
			t.Error("a visitor's list has the ETag of a buyer's")
		}
	})
	t.Run("200 with the brand's phones, for anyone signed in", func(t *testing.T) {
		for _, reader := range []*person{buyer, seller, w.admin("Root")} {
			items := reader.get("/categories/" + nokia.ID).items()
			if len(items) != 1 || items[0]["_id"] != phone || items[0]["phone"] != "+880 1700 000000" || items[0]["id"] != nokia.ID {
				t.Errorf("got %v", items)
			}
		}
	})
	t.Run("200 with the end of a hold, without the buyer", func(t *testing.T) {
		buyer.books(phone)
		for _, reader := range []*person{buyer, seller, w.buyer("Ned")} {
			item := reader.get("/categories/" + nokia.ID).product(phone)
			if item["booked"] != true || item["sold"] != false || item["heldUntil"] == nil || item["buyer"] != nil {
				t.Errorf("got %v", item)
			}
		}
	})
}
