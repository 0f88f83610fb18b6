package app_test

import (
	"net/http"
	"testing"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

// What is known of a photograph reaches the phones of the demo, and those that
// are listed later.
func TestTheDemosPhotographsHaveCopies(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photographs, only the drawing")
		return
	}
	first := start(t, settingsFor(t, map[string]string{"DEMO": "1"}))
	var list []market.ProductView
	first.visitor().call(http.MethodGet, "/products/advertised", nil, &list)
	for _, p := range list {
		if photo := p.Photos[0]; photo.Alt == "" || photo.URL != p.Img || photo.Width != 640 || photo.Blur == "" || photo.Srcset == "" {
			t.Errorf("%s: %+v", p.Name, p.Photos)
		}
	}
	login := demo.Logins()[1]
	seller := first.signIn(login.Email, login.Password)
	var added struct{ InsertedID string }
	seller.call(http.MethodPost, "/products", map[string]any{
		"name": "One", "brand": list[0].Brand, "id": list[0].BrandID, "originalPrice": 2, "resalePrice": 1,
		"productCondition": "Good", "usedTime": "1 year", "description": "As new", "sellerName": "Nusrat Jahan",
		"email": login.Email, "location": "Dhaka", "phone": "01700000", "selling_post_date": "2026-11-01",
		"photos": []market.PhotoView{{URL: list[0].Img, Alt: "Front"}, {URL: "/elsewhere.jpg"}},
	}, &added)
	var p market.ProductView
	seller.call(http.MethodGet, "/products/"+added.InsertedID, nil, &p)
	if len(p.Photos) != 2 || p.Photos[0].Srcset != list[0].Photos[0].Srcset || p.Photos[1].Width != 0 {
		t.Errorf("%+v", p.Photos)
	}
}
