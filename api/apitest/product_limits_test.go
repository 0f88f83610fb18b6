package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/rest"
)

// The server sends each change of a phone to all clients that show it, so the size of a phone
// is limited.
func TestPhoneSizeIsLimited(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller := e.seller("Sue")
	body := seller.phoneFields(brand)
	add := func(f fields) response { return seller.do(http.MethodPost, "/products", f) }

	add(body.with("img", "https://pictures.example/"+strings.Repeat("&", 500))).wantInvalid("img")
	add(body.with("img", "https://pictures.example/"+strings.Repeat("a", 400))).insertedID()
	add(body.with("description", strings.Repeat("&", 4000))).wantInvalid("description") // 24 KB as JSON
	photos := []fields{}
	for range 8 {
		photos = append(photos, fields{"url": "https://pictures.example/" + strings.Repeat("&", 400), "alt": strings.Repeat("a", 200)})
	}
	without := body.with("photos", photos)
	delete(without, "img")
	add(without).wantInvalid("photos")
	phone := add(body).insertedID()
	seller.do(http.MethodPatch, "/products/"+phone, fields{"description": strings.Repeat("&", 4000)}).wantInvalid("description")
	e.buyer("Bob").do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": strings.Repeat("&", 4000)}).wantInvalid("reason")
}

func TestPhoneChangesAreRateLimited(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.config.RateLimit = 100_000 })
	brand := e.brand("Nokia")
	seller := e.seller("Sue")
	phone, other := seller.addPhone(brand), seller.addPhone(brand)
	change := func(id string, price int) response {
		return seller.do(http.MethodPatch, "/products/"+id, fields{"resalePrice": price})
	}
	refused := 0
	for i := range 260 { // a new minute may begin in between
		if a := change(phone, 100+i); a.StatusCode != http.StatusOK {
			errorResponse := a.wantError(http.StatusTooManyRequests, rest.CodeTooFast)
			if a.Header.Get("Retry-After") == "" || errorResponse.Message == "" {
				t.Fatal("the error has no Retry-After or no message")
			}
			refused++
		}
	}
	if refused < 15 {
		t.Errorf("the server refuses %d of 260 changes, want at least 15", refused)
	}
	change(other, 99).wantStatus(http.StatusOK)
}
