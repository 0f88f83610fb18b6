package apitest_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
)

// photoForm returns a form with a real JPEG in its field image.
func photoForm(tb testing.TB) (body string, withType func(*http.Request)) {
	tb.Helper()
	return photographOf(tb, 64)
}

// uploads posts a form to the image host, and returns the picture's address.
func (p *person) uploads(form string, typed func(*http.Request)) string {
	p.t.Helper()
	var got struct{ Data struct{ URL string } }
	p.do(http.MethodPost, "/images", form, typed).is(http.StatusOK).into(&got)
	return got.Data.URL
}

// photographOf returns a form with a JPEG of this width. Each width has another hash.
func photographOf(tb testing.TB, width int) (body string, withType func(*http.Request)) {
	tb.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("image", "phone.jpg")
	must(tb, err)
	must(tb, jpeg.Encode(part, image.NewGray(image.Rect(0, 0, width, 48)), nil))
	must(tb, writer.Close())
	return form.String(), header("Content-Type", writer.FormDataContentType())
}

func TestUpload(t *testing.T) {
	w := newEnv(t, limitedTo(30))
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	form, typed := photoForm(t)
	const path = "/images?key=any"

	failed := func(a answer, status int, code market.Code) {
		t.Helper()
		a.refused(status, code)
		var got struct {
			Success *bool
			Error   struct{ Message string }
		}
		if a.into(&got); got.Success == nil || *got.Success || got.Error.Message == "" {
			t.Errorf("not as image hosts say it: %s", a.body)
		}
	}
	t.Run("401 without credentials, and with a bad token beside a good cookie", func(t *testing.T) {
		failed(w.visitor().do(http.MethodPost, path, form, typed), http.StatusUnauthorized, market.CodeNoToken)
		failed(seller.withCookie(http.MethodPost, path, form, typed, header("Authorization", "Bearer x")), http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("403 for the cookie from a page of another site, not for a bearer", func(t *testing.T) {
		foreign := header("Origin", "https://evil.example")
		failed(seller.withCookie(http.MethodPost, path, form, typed, foreign), http.StatusForbidden, market.CodeForbidden)
		seller.do(http.MethodPost, path, form, typed, foreign).is(http.StatusOK)
	})
	t.Run("403 for a buyer", func(t *testing.T) {
		buyer.do(http.MethodPost, path, form, typed).is(http.StatusForbidden)
		buyer.withCookie(http.MethodPost, path, form, typed).is(http.StatusForbidden)
	})
	t.Run("200 with either, cached forever, without a rate limit, and accepted for a phone", func(t *testing.T) {
		var got struct {
			Success bool
			Data    struct{ URL string }
		}
		seller.withCookie(http.MethodPost, path, form, typed).is(http.StatusOK).into(&got)
		seller.do(http.MethodPost, path, form, typed).is(http.StatusOK).into(&got)
		if !got.Success || !strings.HasPrefix(got.Data.URL, "/images/") {
			t.Fatalf("got %+v", got)
		}
		for range 100 {
			h := w.visitor().get(got.Data.URL).is(http.StatusOK).Header
			if !strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("Content-Type") != "image/jpeg" {
				t.Fatalf("%v", h)
			}
		}
		seller.do(http.MethodPost, "/products", seller.phoneFields(w.brand("Nokia")).with("img", got.Data.URL)).id()
	})
}

// A picture that an admin took down is not served, and cannot be uploaded again or listed
// with a phone. Phones that show it stay, and admins get an event.
func TestTakenDownPictureIsNotServedAgain(t *testing.T) {
	w := newEnv(t)
	seller, admin, other := w.seller("Sue"), w.admin("Root"), w.admin("Rita")
	form, typed := photographOf(t, 400)
	url := seller.uploads(form, typed)
	small := market.CopyURL(url, 160)
	fresh := seller.phoneFields(w.brand("Nokia"))
	phone := seller.do(http.MethodPost, "/products", fresh.with("img", url)).id()
	w.settle()
	screen := other.live(t)
	screen.from(other.get("/trail"))

	t.Run("403 for its seller, before that 404, before that 401", func(t *testing.T) {
		w.visitor().do(http.MethodDelete, "/images/x", nil).refused(http.StatusUnauthorized, market.CodeNoToken)
		seller.do(http.MethodDelete, "/images/x", nil).refused(http.StatusNotFound, market.CodeNotFound)
		seller.do(http.MethodDelete, url, nil).refused(http.StatusForbidden, market.CodeForbidden)
		w.visitor().get(url).is(http.StatusOK)
	})
	t.Run("404 from then on, for its copies too", func(t *testing.T) {
		admin.do(http.MethodDelete, url, nil).count("deletedCount", 1)
		for _, address := range []string{url, small} {
			for _, p := range []*person{w.visitor(), admin} {
				a := p.get(address)
				a.refused(http.StatusNotFound, market.CodeNotFound)
				if strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
					t.Error("caches keep that it is not there")
				}
			}
		}
		admin.do(http.MethodDelete, url, nil).count("deletedCount", 0)
	})
	t.Run("422 for the same file, and for a phone with it", func(t *testing.T) {
		seller.do(http.MethodPost, "/images", form, typed).refused(http.StatusUnprocessableEntity, market.CodeInvalid)
		for _, address := range []string{url, small} {
			seller.do(http.MethodPost, "/products", fresh.with("img", address)).invalid("img")
			photos := []fields{{"url": "/images/a.jpg"}, {"url": address}}
			seller.do(http.MethodPost, "/products", fresh.with("img", nil).with("photos", photos)).invalid("photos[1].url")
			seller.do(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": address}}}).invalid("photos[0].url")
		}
	})
	t.Run("the phone stays, and may be changed", func(t *testing.T) {
		seller.do(http.MethodPatch, "/products/"+phone, fields{"resalePrice": 99}).count("modifiedCount", 1)
	})
	t.Run("the audit log has one entry, on open screens too", func(t *testing.T) {
		entry := admin.get("/trail").items()[0]
		name := strings.TrimPrefix(url, "/images/")
		if entry["deed"] != "remove-picture" || entry["actor"] != "Root" || entry["target"] != name || entry["targetId"] != name {
			t.Errorf("got %v", entry)
		}
		w.settle()
		screen.until(func(frame) bool { return len(screen.seen) > 0 })
		if diff := cmp.Diff(entry, screen.seen[0].Data); screen.seen[0].Type != market.TypeAuditEntryAdded || diff != "" {
			t.Errorf("received: %s\n%s", screen.seen[0].Type, diff)
		}
	})
}

// An uploaded picture that nothing shows is deleted after a day. A picture that a phone
// shows, by any of its URLs, stays as long as the phone.
func TestUnusedPicturesAreDeleted(t *testing.T) {
	w := newEnv(t)
	seller, brand := w.seller("Sue"), w.brand("Nokia")
	form, typed := photographOf(t, 400)
	unused := seller.uploads(form, typed)
	of := func(width int) string {
		form, typed := photographOf(t, width)
		return seller.uploads(form, typed)
	}
	first, second, own, picked := of(64), of(65), of(66), of(67)
	phone := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("img", nil).
		with("photos", []fields{{"url": first}, {"url": w.server.URL + second}})).id()
	seller.withCookie(http.MethodPatch, "/identity/me", fields{"photoURL": own}).is(http.StatusOK)
	tidy := func(after time.Duration) {
		t.Helper()
		w.clock.Pass(after)
		must(t, w.pictures.Step(t.Context()))
	}
	served := func(status int, urls ...string) {
		t.Helper()
		for _, url := range urls {
			w.visitor().get(url).is(status)
		}
	}

	tidy(25 * time.Hour)
	served(http.StatusNotFound, unused, market.CopyURL(unused, 160), picked)
	served(http.StatusOK, first, second, own)
	seller.withCookie(http.MethodPost, "/products", seller.phoneFields(brand).with("img", unused)).invalid("img")
	seller.withCookie(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": first}, {"url": picked}}}).invalid("photos[1].url")

	seller.withCookie(http.MethodPost, "/images", form, typed).is(http.StatusOK)
	seller.withCookie(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": unused}}}).count("modifiedCount", 1)
	tidy(8 * 24 * time.Hour)
	served(http.StatusOK, unused, own)
	served(http.StatusNotFound, first, second)
	seller.withCookie(http.MethodDelete, "/products/"+phone, nil).count("deletedCount", 1)
	tidy(8 * 24 * time.Hour)
	served(http.StatusNotFound, unused)
	served(http.StatusOK, own)
}
