package apitest_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"secondring/market"
)

// contact has the data that must not be shown.
var contact = []string{"+880 1700 000000", "Dhaka", "@phones.example"}

func TestGetProduct(t *testing.T) {
	w := newEnv(t)
	brand := w.brand("Nokia")
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	phone := seller.sells(brand)
	path := "/products/" + phone

	t.Run("401 for an invalid token, 404 for an unknown phone, in this order", func(t *testing.T) {
		w.visitor().get("/products/none", header("Authorization", "Bearer x")).refused(http.StatusUnauthorized, market.CodeNoToken)
		for _, p := range []*person{w.visitor(), buyer} {
			for _, id := range []string{"none", "%00", "..%2f", strings.Repeat("0", 24), strings.Repeat("x", 5000)} {
				p.get("/products/"+id).refused(http.StatusNotFound, market.CodeNotFound)
			}
		}
	})
	t.Run("200 for a visitor without contact data", func(t *testing.T) {
		got := w.visitor().get(path).is(http.StatusOK)
		var p fields
		got.into(&p)
		if p["_id"] != phone || p["name"] != "Nexus 5" || p["email"] != nil || p["phone"] != nil || p["location"] != nil {
			t.Errorf("got %s", got.body)
		}
		for _, secret := range contact {
			if strings.Contains(string(got.body), secret) {
				t.Errorf("%q is shown", secret)
			}
		}
		if h := got.Header; !strings.HasPrefix(h.Get("Live-Position"), "brand:") || !varies(h, "Authorization") || h.Get("Cache-Control") != "no-cache" {
			t.Errorf("%v", h)
		}
	})
	t.Run("200 for signed-in users, with a live position", func(t *testing.T) {
		for _, p := range []*person{buyer, seller, w.admin("Root")} {
			got := p.get(path).is(http.StatusOK)
			var view fields
			if got.into(&view); view["phone"] != "+880 1700 000000" || view["location"] != "Dhaka" || view["email"] == nil {
				t.Errorf("got %s", got.body)
			}
			if h := got.Header; !strings.HasPrefix(h.Get("Live-Position"), "brand:"+brand.ID+"=") || h.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("%v", h)
			}
		}
	})
	t.Run("304 while nothing changes, to the same kind of reader", func(t *testing.T) {
		tag := buyer.get(path).Header.Get("ETag")
		again := header("If-None-Match", tag)
		if same := buyer.get(path, again).is(http.StatusNotModified); same.Header.Get("Live-Position") == "" {
			t.Error("without a position")
		}
		w.visitor().get(path, again).is(http.StatusOK)
		seller.do(http.MethodPatch, path, fields{"resalePrice": 99}).count("modifiedCount", 1)
		buyer.get(path, again).is(http.StatusOK)
	})
	t.Run("405 with the allowed methods", func(t *testing.T) {
		if got := buyer.do(http.MethodPut, path, fields{}); got.Header.Get("Allow") != "GET, HEAD, PATCH, DELETE" {
			t.Errorf("Allow: %s", got.Header.Get("Allow"))
		}
		w.visitor().get("/products/advertised").items()
	})
}

func TestPhotosOfAPhone(t *testing.T) {
	w := newEnv(t)
	brand := w.brand("Nokia")
	seller := w.seller("Sue")
	body := seller.phoneFields(brand)
	add := func(body fields) answer { return seller.do(http.MethodPost, "/products", body) }
	photo := func(url string) fields { return fields{"url": url} }
	nine := make([]fields, 9)
	for i := range nine {
		nine[i] = photo("/a.jpg")
	}

	t.Run("422 with the index of the photo", func(t *testing.T) {
		bare := body.with("img", nil)
		for name, photos := range map[string]any{
			"photos":        nine,
			"photos[0]":     []any{7, photo("/a.jpg")},
			"photos[1].url": []any{photo("/a.jpg"), fields{"url": 7}},
			"photos[2].url": []any{photo("/a.jpg"), photo("/b.jpg"), photo("javascript:alert(1)")},
			"photos[0].alt": []any{fields{"url": "/a.jpg", "alt": strings.Repeat("x", 201)}},
		} {
			got := add(bare.with("photos", photos))
			if name == "photos[0]" { // it has no url either
				got.invalid("photos[0]", "photos[0].url")
			} else {
				got.invalid(name)
			}
		}
		add(body.with("photos", "a.jpg")).invalid("photos")
		add(body.with("photos", []any{photo("/a.jpg")})).invalid("img")
	})
	t.Run("200 with sizes of hosted pictures, without sizes of others", func(t *testing.T) {
		form, typed := photoForm(t)
		var up struct {
			Data struct {
				URL, Blur, Srcset string
				Width, Height     int
			}
		}
		seller.do(http.MethodPost, "/images", form, typed).is(http.StatusOK).into(&up)
		id := add(body.with("img", up.Data.URL).with("photos", []any{
			fields{"url": up.Data.URL, "alt": "Front"}, photo("https://i.example/b.jpg"),
		})).id()
		var p market.ProductView
		w.visitor().get("/products/" + id).is(http.StatusOK).into(&p)
		want := []market.PhotoView{
			{URL: up.Data.URL, Alt: "Front", Width: 64, Height: 48, Blur: up.Data.Blur, Srcset: up.Data.Srcset},
			{URL: "https://i.example/b.jpg"},
		}
		if p.Img != up.Data.URL || len(p.Photos) != 2 || p.Photos[0] != want[0] || p.Photos[1] != want[1] {
			t.Errorf("got %+v", p.Photos)
		}
		if up.Data.Width != 64 || up.Data.Height != 48 || !strings.HasPrefix(up.Data.Blur, "data:image/webp;base64,") {
			t.Errorf("the upload says %+v", up.Data)
		}

		turned := fields{"photos": []any{photo("https://i.example/b.jpg"), photo(up.Data.URL)}}
		seller.do(http.MethodPatch, "/products/"+id, turned).count("modifiedCount", 1)
		seller.do(http.MethodPatch, "/products/"+id, turned).count("modifiedCount", 0)
		seller.do(http.MethodPatch, "/products/"+id, fields{"photos": []any{}}).invalid("photos")
		seller.do(http.MethodPatch, "/products/"+id, turned.with("img", up.Data.URL)).invalid("img")
		w.visitor().get("/products/" + id).is(http.StatusOK).into(&p)
		if p.Img != "https://i.example/b.jpg" || p.Photos[1].Width != 64 {
			t.Errorf("got %+v", p)
		}
	})
}

var metas = regexp.MustCompile(`<(?:meta|link) (?:name|property|rel)="([^"]+)" (?:content|href)="([^"]*)" />`)

// head returns the title and the meta tags of a page by name.
func head(a answer) map[string]string {
	all := map[string]string{}
	for _, m := range metas.FindAllStringSubmatch(string(a.body), -1) {
		all[m[1]] = html.UnescapeString(m[2])
	}
	_, title, _ := strings.Cut(string(a.body), "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	all["title"] = html.UnescapeString(title)
	return all
}

func TestPhonePageHead(t *testing.T) {
	w := newEnv(t)
	brand := w.brand("Nokia")
	seller := w.seller("Sue")
	const wild = `"><script>alert(1)</script>'&$1 </title>`
	id := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("name", "3310 "+wild).
		with("description", "Two\n\tlines "+wild+strings.Repeat(" word", 100)).with("img", "/photos/one.jpg?a=1&b=2")).id()
	path := "/phone/" + id

	t.Run("200 with metadata for link previews", func(t *testing.T) {
		got := w.send(http.MethodGet, path, nil, browses).is(http.StatusOK)
		said := head(got)
		for name, want := range map[string]string{
			"title": "3310 " + wild + " for $120 · SecondRing", "og:title": "3310 " + wild + " for $120",
			"og:url": w.server.URL + path, "canonical": w.server.URL + path, "twitter:card": "summary_large_image",
			"og:image": w.server.URL + "/photos/one.jpg?a=1&b=2", "og:type": "product", "og:site_name": "SecondRing",
		} {
			if said[name] != want {
				t.Errorf("%s is %q, want %q", name, said[name], want)
			}
		}
		about := said["description"]
		if !strings.HasPrefix(about, "Nokia, good condition, used for 2 years, $120 instead of $350. Two lines "+wild) ||
			!strings.HasSuffix(about, "word…") || len([]rune(about)) > 201 || about != said["og:description"] {
			t.Errorf("described as %q", about)
		}
		if strings.Contains(string(got.body), "<script>") || strings.Count(string(got.body), "<title>") != 1 {
			t.Errorf("not escaped: %s", got.body)
		}
		for _, secret := range contact {
			if strings.Contains(string(got.body), secret) {
				t.Errorf("%q is shown", secret)
			}
		}
		member := seller.withCookie(http.MethodGet, path, nil)
		if !strings.Contains(string(got.body), `content="none"`) || strings.Contains(string(member.body), `content="none"`) {
			t.Error("it does not tell a visitor's client not to ask")
		}
		if !varies(got.Header, "Cookie") || got.Header.Get("Cache-Control") != "no-cache" || got.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%v", got.Header)
		}
	})
	t.Run("304 while nothing changes", func(t *testing.T) {
		first := w.visitor().get(path)
		again := header("If-None-Match", first.Header.Get("ETag"))
		w.visitor().get(path, again).is(http.StatusNotModified)
		seller.do(http.MethodPatch, "/products/"+id, fields{"resalePrice": 99}).count("modifiedCount", 1)
		if said := head(w.visitor().get(path, again).is(http.StatusOK)); !strings.Contains(said["title"], "$99") {
			t.Errorf("titled %s", said["title"])
		}
	})
	t.Run("200 with a picture of another site, for a booked phone", func(t *testing.T) {
		far := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("img", "https://i.example/a.jpg")).id()
		w.buyer("Bob").books(far)
		said := head(w.visitor().get("/phone/" + far).is(http.StatusOK))
		if said["og:image"] != "https://i.example/a.jpg" || !strings.HasPrefix(said["description"], "Booked. ") || said["og:image:alt"] != "Nexus 5" {
			t.Errorf("%v", said)
		}
	})
	t.Run("404 with the client for an unknown path", func(t *testing.T) {
		for _, gone := range []string{"none", strings.Repeat("0", 24), "%00", "a%2fb"} {
			if got := w.send(http.MethodGet, "/phone/"+gone, nil, browses).is(http.StatusNotFound); !isClient(got) {
				t.Errorf("%s: %s", gone, got.body)
			}
		}
	})
}

// If the store is unavailable, the page is served without the phone's metadata. The client
// shows the error and a retry button.
func TestPhonePageWhileTheStoreIsUnavailable(t *testing.T) {
	w := newEnv(t)
	must(t, w.store.Close())
	if got := w.send(http.MethodGet, "/phone/any", nil, browses).is(http.StatusOK); !isClient(got) {
		t.Errorf("%s", got.body)
	}
}

func TestPhonePageAboveTheRateLimitHasNoHead(t *testing.T) {
	const limit = 20
	w := newEnv(t, limitedTo(limit), trustLoopback)
	path := "/phone/" + w.seller("Sue").sells(w.brand("Nokia"))
	page := func(from string) (title string) {
		got := w.visitor().get(path, header("Accept", "text/html"), through(from)).is(http.StatusOK)
		return head(got)["title"]
	}
	own, plain := page("203.0.113.1"), false
	for range 10 * limit {
		plain = plain || page("203.0.113.1") != own
	}
	if !plain || !strings.HasPrefix(own, "Nexus 5") {
		t.Errorf("%q, and never another", own)
	}
	if got := page("203.0.113.2"); got != own {
		t.Errorf("another address got %q", got)
	}
}
