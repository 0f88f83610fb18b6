package apitest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

func TestBrands(t *testing.T) {
	e := newEnv(t)
	brands := []market.Brand{}
	for i := range 8 {
		brands = append(brands, e.brand(fmt.Sprintf("Brand %d", i)))
	}
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	seller.addPhone(brands[7])
	seller.addPhone(brands[7])
	seller.addPhone(brands[3])
	seller.addPhone(brands[5])
	buyer.book(seller.addPhone(brands[5]))

	t.Run("200 for anyone with all brands", func(t *testing.T) {
		for _, path := range []string{"/productCategory", "/allCategories"} {
			response := e.visitor().get(path)
			if items := response.items(); len(items) != 8 || items[0]["_id"] != brands[7].ID || items[0]["img"] != brands[7].Img {
				t.Errorf("%s: %v", path, items)
			}
			if response.Header.Get("X-Total-Count") != "8" || response.Header.Get("Live-Position") != "" {
				t.Errorf("%s: %v", path, response.Header)
			}
		}
	})
	t.Run("200 with the six that have most available phones, ties by name", func(t *testing.T) {
		got := []any{}
		for _, item := range e.visitor().get("/categories").items() {
			got = append(got, item["name"])
		}
		want := "[Brand 7 Brand 3 Brand 5 Brand 0 Brand 1 Brand 2]"
		if fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
	})
	t.Run("200 page by page", func(t *testing.T) {
		for path, n := range map[string]int{"/allCategories": 8, "/categories": 6} {
			if ids := e.visitor().listIDs(path+"?limit=4", nil); len(ids) != n {
				t.Errorf("%s has %d brands on all pages, want %d", path, len(ids), n)
			}
		}
	})
	t.Run("400 for a limit out of range and a forged cursor", func(t *testing.T) {
		for _, path := range []string{"/productCategory", "/allCategories", "/categories"} {
			for _, query := range []string{"limit=0", "limit=201", "limit=x", "limit=", "cursor=x", "cursor=", "cursor=MTp4"} {
				e.visitor().get(path+"?"+query).wantError(http.StatusBadRequest, market.CodeBadRequest)
			}
		}
	})
}

// The server caches these lists. The next response contains each change.
func TestBrandHasCountAndLowestPrice(t *testing.T) {
	e := newEnv(t)
	nokia := e.brand("Nokia")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	wantBrand := func(after, want string) {
		t.Helper()
		for _, path := range []string{"/productCategory", "/allCategories", "/categories"} {
			b := e.visitor().get(path).items()[0]
			if got := fmt.Sprint(b["available"], " from ", b["fromPrice"], ", version ", b["version"]); got != want+", version 1" {
				t.Errorf("%s after %s: brand %s, want %s", path, after, got, want)
			}
		}
	}
	wantBrand("nothing", "0 from <nil>")
	cheap := seller.addPhone(nokia)
	expensive := seller.do(http.MethodPost, "/products", seller.phoneFields(nokia).with("resalePrice", 170)).insertedID()
	wantBrand("two phones", "2 from 120")
	booking := buyer.book(cheap)
	wantBrand("a booking", "1 from 170")
	seller.do(http.MethodPatch, "/products/"+expensive, fields{"resalePrice": 165}).wantStatus(http.StatusOK)
	wantBrand("a change of the price", "1 from 165")
	buyer.cancel(booking).wantStatus(http.StatusOK)
	wantBrand("the end of the booking", "2 from 120")
	seller.do(http.MethodDelete, "/products/"+cheap, nil).wantStatus(http.StatusOK)
	wantBrand("a removal", "1 from 165")
}

func TestProductsOfBrand(t *testing.T) {
	e := newEnv(t)
	nokia, sony := e.brand("Nokia"), e.brand("Sony")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(nokia)
	seller.addPhone(sony)

	t.Run("401, 400, 404 in this order", func(t *testing.T) {
		e.visitor().get("/categories/none?limit=0", header("Authorization", "Bearer x")).wantError(http.StatusUnauthorized, market.CodeNoToken)
		buyer.get("/categories/none?limit=0").wantError(http.StatusBadRequest, market.CodeBadRequest)
		for _, id := range []string{"none", market.NewID(e.clock.Now()), "%00", "%ff", "a%2Fb", "..%2Fusers"} {
			buyer.get("/categories/"+id).wantError(http.StatusNotFound, market.CodeNotFound)
		}
	})
	t.Run("200 for visitors, without phone, email and location", func(t *testing.T) {
		got := e.visitor().get("/categories/" + nokia.ID)
		wantNoContactData(t, got.product(phone), "Nexus 5")
		if at := got.Header.Get("Live-Position"); !strings.HasPrefix(at, "brand:"+nokia.ID+"=") {
			t.Errorf("Live-Position is %q", at)
		}
		if withToken := buyer.get("/categories/" + nokia.ID); withToken.Header.Get("ETag") == got.Header.Get("ETag") {
			t.Error("the lists of a visitor and of a buyer have the same ETag")
		}
	})
	t.Run("200 with the brand's phones, for anyone signed in", func(t *testing.T) {
		for _, reader := range []*person{buyer, seller, e.admin("Root")} {
			items := reader.get("/categories/" + nokia.ID).items()
			if len(items) != 1 || items[0]["_id"] != phone || items[0]["phone"] != "+880 1700 000000" || items[0]["id"] != nokia.ID {
				t.Errorf("got %v", items)
			}
		}
	})
	t.Run("200 with the end of a hold, without the buyer", func(t *testing.T) {
		buyer.book(phone)
		for _, reader := range []*person{buyer, seller, e.buyer("Ned")} {
			item := reader.get("/categories/" + nokia.ID).product(phone)
			if item["booked"] != true || item["sold"] != false || item["heldUntil"] == nil || item["buyer"] != nil {
				t.Errorf("got %v", item)
			}
		}
	})
}
