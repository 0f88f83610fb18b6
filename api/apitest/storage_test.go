package apitest_test

import (
	"net/http"
	"testing"

	"secondring/market"
)

// A seller may set the storage of a phone. The phone shows it, and searches can filter by it.
func TestStorage(t *testing.T) {
	e := newEnv(t)
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	plain := seller.addPhone(brand)
	phone := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("storage", "64")).insertedID()
	var product map[string]any
	seller.get("/products/" + plain).decode(&product)
	if got, exists := product["storage"]; exists {
		t.Errorf("a phone without storage has the storage %v", got)
	}
	for _, c := range []struct {
		path   string
		reader *person
	}{{"/categories/" + brand.ID, e.visitor()}, {"/categories/" + brand.ID, seller}, {"/products?email=" + seller.user.Email, seller}} {
		if got := c.reader.get(c.path).product(phone)["storage"]; got != 64.0 {
			t.Errorf("%s has the storage %v, want 64", c.path, got)
		}
	}
	for path, want := range map[string]int{
		"/products/search?minStorage=64": 1, "/products/search?minStorage=65": 0,
		"/categories/" + brand.ID + "?minStorage=1": 1, "/categories/" + brand.ID: 2,
	} {
		if got := len(e.visitor().get(path).items()); got != want {
			t.Errorf("%s has %d phones, want %d", path, got, want)
		}
	}
	seller.do(http.MethodPatch, "/products/"+phone, fields{"storage": 128}).wantStatus(http.StatusOK)
	if got := seller.get("/products/search?minStorage=128").product(phone)["storage"]; got != 128.0 {
		t.Errorf("after the change the storage is %v, want 128", got)
	}
	seller.do(http.MethodPatch, "/products/"+phone, fields{"storage": 0}).wantStatus(http.StatusOK)
	if got := len(seller.get("/products/search?minStorage=1").items()); got != 0 {
		t.Errorf("after the removal of the storage the search has %d phones, want 0", got)
	}
	for _, invalid := range []any{-1, 8193, "much", 1.5} {
		seller.do(http.MethodPatch, "/products/"+phone, fields{"storage": invalid}).wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
	}
	e.visitor().get("/products/search?minStorage=0").wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
	e.visitor().get("/products/search?minStorage=9999").wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
}
