package apitest_test

import (
	"net/http"
	"testing"

	"secondring/market"
)

// A seller may give the storage of a phone. It is shown with the phone and can be searched.
func TestStorage(t *testing.T) {
	e := newEnv(t)
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	plain := seller.addPhone(brand)
	phone := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("storage", "64")).insertedID()
	var shown map[string]any
	seller.get("/products/" + plain).decode(&shown)
	if got, said := shown["storage"]; said {
		t.Errorf("a phone without storage says %v", got)
	}
	for _, c := range []struct {
		path string
		who  *person
	}{{"/categories/" + brand.ID, e.visitor()}, {"/categories/" + brand.ID, seller}, {"/products?email=" + seller.user.Email, seller}} {
		if got := c.who.get(c.path).product(phone)["storage"]; got != 64.0 {
			t.Errorf("%s says %v", c.path, got)
		}
	}
	for path, want := range map[string]int{
		"/products/search?minStorage=64": 1, "/products/search?minStorage=65": 0,
		"/categories/" + brand.ID + "?minStorage=1": 1, "/categories/" + brand.ID: 2,
	} {
		if got := len(e.visitor().get(path).items()); got != want {
			t.Errorf("%s finds %d, want %d", path, got, want)
		}
	}
	seller.do(http.MethodPatch, "/products/"+phone, fields{"storage": 128}).wantStatus(http.StatusOK)
	if got := seller.get("/products/search?minStorage=128").product(phone)["storage"]; got != 128.0 {
		t.Errorf("after the change it says %v", got)
	}
	seller.do(http.MethodPatch, "/products/"+phone, fields{"storage": 0}).wantStatus(http.StatusOK)
	if got := len(seller.get("/products/search?minStorage=1").items()); got != 0 {
		t.Errorf("after its removal %d are found", got)
	}
	for _, wrong := range []any{-1, 8193, "much", 1.5} {
		seller.do(http.MethodPatch, "/products/"+phone, fields{"storage": wrong}).wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
	}
	e.visitor().get("/products/search?minStorage=0").wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
	e.visitor().get("/products/search?minStorage=9999").wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
}
