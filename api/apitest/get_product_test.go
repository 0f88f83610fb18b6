package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

// contactData are the values that visitors may not read.
var contactData = []string{"+880 1700 000000", "Dhaka", "@phones.example"}

func TestGetProduct(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(brand)
	path := "/products/" + phone

	t.Run("401 for an invalid token, 404 for an unknown phone, in this order", func(t *testing.T) {
		e.visitor().get("/products/none", header("Authorization", "Bearer x")).wantError(http.StatusUnauthorized, market.CodeNoToken)
		for _, p := range []*person{e.visitor(), buyer} {
			for _, id := range []string{"none", "%00", "..%2f", strings.Repeat("0", 24), strings.Repeat("x", 5000)} {
				p.get("/products/"+id).wantError(http.StatusNotFound, market.CodeNotFound)
			}
		}
	})
	t.Run("200 for a visitor without contact data", func(t *testing.T) {
		got := e.visitor().get(path).wantStatus(http.StatusOK)
		var p fields
		got.decode(&p)
		if p["_id"] != phone || p["name"] != "Nexus 5" || p["email"] != nil || p["phone"] != nil || p["location"] != nil {
			t.Errorf("the phone is %s", got.body)
		}
		for _, secret := range contactData {
			if strings.Contains(string(got.body), secret) {
				t.Errorf("the response contains %q", secret)
			}
		}
		if h := got.Header; !strings.HasPrefix(h.Get("Live-Position"), "brand:") || !varies(h, "Authorization") || h.Get("Cache-Control") != "no-cache" {
			t.Errorf("the response has the headers %v", h)
		}
	})
	t.Run("200 for signed-in users, with a live position", func(t *testing.T) {
		topics := map[*person]string{buyer: "brand:" + brand.ID, seller: "me", e.admin("Root"): "brand:" + brand.ID}
		for p, topic := range topics {
			got := p.get(path).wantStatus(http.StatusOK)
			var view fields
			if got.decode(&view); view["phone"] != "+880 1700 000000" || view["location"] != "Dhaka" || view["email"] == nil {
				t.Errorf("the phone is %s", got.body)
			}
			if h := got.Header; !strings.HasPrefix(h.Get("Live-Position"), topic+"=") || h.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("the response has the headers %v", h)
			}
		}
	})
	t.Run("304 for the same reader until a change", func(t *testing.T) {
		tag := buyer.get(path).Header.Get("ETag")
		again := header("If-None-Match", tag)
		if same := buyer.get(path, again).wantStatus(http.StatusNotModified); same.Header.Get("Live-Position") == "" {
			t.Error("the 304 has no Live-Position")
		}
		e.visitor().get(path, again).wantStatus(http.StatusOK)
		seller.do(http.MethodPatch, path, fields{"resalePrice": 99}).wantCount("modifiedCount", 1)
		buyer.get(path, again).wantStatus(http.StatusOK)
	})
	t.Run("405 with the allowed methods", func(t *testing.T) {
		if got := buyer.do(http.MethodPut, path, fields{}); got.Header.Get("Allow") != "GET, HEAD, PATCH, DELETE" {
			t.Errorf("Allow is %q, want GET, HEAD, PATCH, DELETE", got.Header.Get("Allow"))
		}
		e.visitor().get("/products/advertised").items()
	})
}

func TestPhotosOfAPhone(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller := e.seller("Sue")
	body := seller.phoneFields(brand)
	add := func(body fields) response { return seller.do(http.MethodPost, "/products", body) }
	photo := func(url string) fields { return fields{"url": url} }
	nine := make([]fields, 9)
	for i := range nine {
		nine[i] = photo("/a.jpg")
	}

	t.Run("422 with the index of the photo", func(t *testing.T) {
		withoutImg := body.with("img", nil)
		for name, photos := range map[string]any{
			"photos":        nine,
			"photos[0]":     []any{7, photo("/a.jpg")},
			"photos[1].url": []any{photo("/a.jpg"), fields{"url": 7}},
			"photos[2].url": []any{photo("/a.jpg"), photo("/b.jpg"), photo("javascript:alert(1)")},
			"photos[0].alt": []any{fields{"url": "/a.jpg", "alt": strings.Repeat("x", 201)}},
		} {
			got := add(withoutImg.with("photos", photos))
			if name == "photos[0]" { // the item has no URL either
				got.wantInvalid("photos[0]", "photos[0].url")
			} else {
				got.wantInvalid(name)
			}
		}
		add(body.with("photos", "a.jpg")).wantInvalid("photos")
		add(body.with("photos", []any{photo("/a.jpg")})).wantInvalid("img")
	})
	t.Run("200 with sizes of hosted pictures, without sizes of others", func(t *testing.T) {
		form, contentType := photoForm(t)
		var up struct {
			Data struct {
				URL, Blur, Srcset string
				Width, Height     int
			}
		}
		seller.do(http.MethodPost, "/images", form, contentType).wantStatus(http.StatusOK).decode(&up)
		id := add(body.with("img", up.Data.URL).with("photos", []any{
			fields{"url": up.Data.URL, "alt": "Front"}, photo("https://i.example/b.jpg"),
		})).insertedID()
		var p market.ProductView
		e.visitor().get("/products/" + id).wantStatus(http.StatusOK).decode(&p)
		want := []market.PhotoView{
			{URL: up.Data.URL, Alt: "Front", Width: 64, Height: 48, Blur: up.Data.Blur, Srcset: up.Data.Srcset},
			{URL: "https://i.example/b.jpg"},
		}
		if p.Img != up.Data.URL || len(p.Photos) != 2 || p.Photos[0] != want[0] || p.Photos[1] != want[1] {
			t.Errorf("the photos are %+v, want %+v", p.Photos, want)
		}
		if up.Data.Width != 64 || up.Data.Height != 48 || !strings.HasPrefix(up.Data.Blur, "data:image/webp;base64,") {
			t.Errorf("the upload returns %+v", up.Data)
		}

		reordered := fields{"photos": []any{photo("https://i.example/b.jpg"), photo(up.Data.URL)}}
		seller.do(http.MethodPatch, "/products/"+id, reordered).wantCount("modifiedCount", 1)
		seller.do(http.MethodPatch, "/products/"+id, reordered).wantCount("modifiedCount", 0)
		seller.do(http.MethodPatch, "/products/"+id, fields{"photos": []any{}}).wantInvalid("photos")
		seller.do(http.MethodPatch, "/products/"+id, reordered.with("img", up.Data.URL)).wantInvalid("img")
		e.visitor().get("/products/" + id).wantStatus(http.StatusOK).decode(&p)
		if p.Img != "https://i.example/b.jpg" || p.Photos[1].Width != 64 {
			t.Errorf("after the change the phone is %+v", p)
		}
	})
}
