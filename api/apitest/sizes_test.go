package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/rest"
)

// Each change of a phone is sent to every screen that shows it, so phones are limited in
// size.
func TestPhoneSizeIsLimited(t *testing.T) {
	w := newEnv(t)
	brand := w.brand("Nokia")
	seller := w.seller("Sue")
	body := seller.phoneFields(brand)
	add := func(f fields) answer { return seller.do(http.MethodPost, "/products", f) }

	add(body.with("img", "https://pictures.example/"+strings.Repeat("&", 500))).invalid("img")
	add(body.with("img", "https://pictures.example/"+strings.Repeat("a", 400))).id()
	add(body.with("description", strings.Repeat("&", 4000))).invalid("description") // 24 KB as JSON
	photos := []fields{}
	for range 8 {
		photos = append(photos, fields{"url": "https://pictures.example/" + strings.Repeat("&", 400), "alt": strings.Repeat("a", 200)})
	}
	without := body.with("photos", photos)
	delete(without, "img")
	add(without).invalid("photos")
	phone := add(body).id()
	seller.do(http.MethodPatch, "/products/"+phone, fields{"description": strings.Repeat("&", 4000)}).invalid("description")
	w.buyer("Bob").do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": strings.Repeat("&", 4000)}).invalid("reason")
}

func TestPhoneChangesAreRateLimited(t *testing.T) {
	w := newEnv(t, func(s *setup) { s.config.RateLimit = 100_000 })
	brand := w.brand("Nokia")
	seller := w.seller("Sue")
	phone, other := seller.sells(brand), seller.sells(brand)
	change := func(id string, price int) answer {
		return seller.do(http.MethodPatch, "/products/"+id, fields{"resalePrice": price})
	}
	refused := 0
	for i := range 260 { // a new minute may begin in between
		if a := change(phone, 100+i); a.StatusCode != http.StatusOK {
			refusal := a.refused(http.StatusTooManyRequests, rest.CodeTooFast)
			if a.Header.Get("Retry-After") == "" || refusal.Message == "" {
				t.Fatal("there is no Retry-After")
			}
			refused++
		}
	}
	if refused < 15 {
		t.Errorf("%d of 260 changes were refused", refused)
	}
	change(other, 99).is(http.StatusOK)
}
