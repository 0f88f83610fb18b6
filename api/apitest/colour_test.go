package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

// A seller may set the colour of a phone. The phone shows it, searches can filter by it, and a
// colour in the words of a search is that filter.
func TestColour(t *testing.T) {
	e := newEnv(t)
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	plain := seller.addPhone(brand)
	phone := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("colour", "Sky Blue")).insertedID()
	var product map[string]any
	seller.get("/products/" + plain).decode(&product)
	if got, exists := product["colour"]; exists {
		t.Errorf("a phone without a colour has the colour %v", got)
	}
	for _, c := range []struct {
		path   string
		reader *person
	}{{"/categories/" + brand.ID, e.visitor()}, {"/categories/" + brand.ID, seller}, {"/products?email=" + seller.user.Email, seller}} {
		if got := c.reader.get(c.path).product(phone)["colour"]; got != "Sky Blue" {
			t.Errorf("%s has the colour %v, want Sky Blue", c.path, got)
		}
	}
	if data := seller.withCookie(http.MethodGet, "/identity/data", nil).body; !strings.Contains(string(data), `"colour": "Sky Blue"`) {
		t.Error("the personal data does not contain the colour")
	}
	for path, want := range map[string]int{
		"/products/search?colour=blue": 1, "/products/search?colour=SKY+blue": 1, "/products/search?colour=red": 0,
		"/products/search?colour=red,blue": 1, "/products/search?colour=red&colour=blue": 1, "/products/search?colour=sky": 0,
		"/categories/" + brand.ID + "?colour=blue": 1, "/categories/" + brand.ID: 2,
	} {
		if got := len(e.visitor().get(path).items()); got != want {
			t.Errorf("%s has %d phones, want %d", path, got, want)
		}
	}
	for path, want := range map[string][2]string{
		"q=blue+nokia":             {"q=nokia&colour=blue", ""},
		"q=nokia&colour=blue":      {"", ""},
		"q=red+nokia":              {"q=nokia", "red"},
		"q=blue+nokia+zzzz":        {"q=nokia&colour=blue", "zzzz"},
		"q=sky+blue+nokia&limit=1": {"q=sky+nokia&colour=blue", ""},
	} {
		e.visitor().get("/products/search?"+path).wantSearched(want[0], want[1])
	}
	seller.do(http.MethodPatch, "/products/"+phone, fields{"colour": "Red"}).wantStatus(http.StatusOK)
	if got := seller.get("/products/search?colour=red").product(phone)["colour"]; got != "Red" {
		t.Errorf("after the change the colour is %v, want Red", got)
	}
	seller.do(http.MethodPatch, "/products/"+phone, fields{"colour": ""}).wantStatus(http.StatusOK)
	if got := len(seller.get("/products/search?colour=red").items()); got != 0 {
		t.Errorf("after the removal of the colour the search has %d phones, want 0", got)
	}
	for _, invalid := range []any{strings.Repeat("x", 41), 5} {
		seller.do(http.MethodPatch, "/products/"+phone, fields{"colour": invalid}).wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
	}
	for _, invalid := range []string{strings.Repeat("x", 41), "!", strings.Join(strings.Split("abcdefghijklmnopqrstu", ""), ",")} {
		e.visitor().get("/products/search?colour="+invalid).wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
	}
}

// Further pages have the same colour as the first one, also if words were let go.
func TestPagesOfColours(t *testing.T) {
	e := newEnv(t)
	brand, seller := e.brand("Nokia"), e.seller("Sue")
	for _, colour := range []string{"Blue", "Red", "Sky Blue", "blue", "Black"} {
		seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("colour", colour)).insertedID()
	}
	for path, want := range map[string]int{
		"q=blue+nokia": 3, "q=blue+nokia+zzzz": 3, "q=green+nokia": 5, "q=gray+nokia+zzzz": 5, "q=red+or+black+nokia": 2,
	} {
		if got := len(e.visitor().listIDs("/products/search?limit=1&"+path, func() {})); got != want {
			t.Errorf("the pages of %s have %d phones, want %d", path, got, want)
		}
	}
}
