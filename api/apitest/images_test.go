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
	return photoFormOfWidth(tb, 64)
}

// upload posts a form to the image host, and returns the picture's address.
func (p *person) upload(form string, contentType func(*http.Request)) string {
	p.t.Helper()
	var got struct{ Data struct{ URL string } }
	p.do(http.MethodPost, "/images", form, contentType).wantStatus(http.StatusOK).decode(&got)
	return got.Data.URL
}

// photoFormOfWidth returns a form with a JPEG of this width. Each width has another hash.
func photoFormOfWidth(tb testing.TB, width int) (body string, withType func(*http.Request)) {
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
	e := newEnv(t, limitedTo(30))
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	form, contentType := photoForm(t)
	const path = "/images?key=any"

	failed := func(a response, status int, code market.Code) {
		t.Helper()
		a.wantError(status, code)
		var got struct {
			Success *bool
			Error   struct{ Message string }
		}
		if a.decode(&got); got.Success == nil || *got.Success || got.Error.Message == "" {
			t.Errorf("not as image hosts say it: %s", a.body)
		}
	}
	t.Run("401 without credentials, and with a bad token beside a good cookie", func(t *testing.T) {
		failed(e.visitor().do(http.MethodPost, path, form, contentType), http.StatusUnauthorized, market.CodeNoToken)
		failed(seller.withCookie(http.MethodPost, path, form, contentType, header("Authorization", "Bearer x")), http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("403 for the cookie from a page of another site, not for a bearer", func(t *testing.T) {
		foreign := header("Origin", "https://evil.example")
		failed(seller.withCookie(http.MethodPost, path, form, contentType, foreign), http.StatusForbidden, market.CodeForbidden)
		seller.do(http.MethodPost, path, form, contentType, foreign).wantStatus(http.StatusOK)
	})
	t.Run("403 for a buyer", func(t *testing.T) {
		buyer.do(http.MethodPost, path, form, contentType).wantStatus(http.StatusForbidden)
		buyer.withCookie(http.MethodPost, path, form, contentType).wantStatus(http.StatusForbidden)
	})
	t.Run("200 with either, cached forever, without a rate limit, and accepted for a phone", func(t *testing.T) {
		var got struct {
			Success bool
			Data    struct{ URL string }
		}
		seller.withCookie(http.MethodPost, path, form, contentType).wantStatus(http.StatusOK).decode(&got)
		seller.do(http.MethodPost, path, form, contentType).wantStatus(http.StatusOK).decode(&got)
		if !got.Success || !strings.HasPrefix(got.Data.URL, "/images/") {
			t.Fatalf("got %+v", got)
		}
		for range 100 {
			h := e.visitor().get(got.Data.URL).wantStatus(http.StatusOK).Header
			if !strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("Content-Type") != "image/jpeg" {
				t.Fatalf("%v", h)
			}
		}
		seller.do(http.MethodPost, "/products", seller.phoneFields(e.brand("Nokia")).with("img", got.Data.URL)).insertedID()
	})
}

// A picture that an admin took down is not served, and cannot be uploaded again or listed
// with a phone. Phones that show it stay, and admins get an event.
func TestTakenDownPictureIsNotServedAgain(t *testing.T) {
	e := newEnv(t)
	seller, admin, other := e.seller("Sue"), e.admin("Root"), e.admin("Rita")
	form, contentType := photoFormOfWidth(t, 400)
	url := seller.upload(form, contentType)
	small := market.CopyURL(url, 160)
	fresh := seller.phoneFields(e.brand("Nokia"))
	phone := seller.do(http.MethodPost, "/products", fresh.with("img", url)).insertedID()
	e.settle()
	screen := other.connect(t)
	screen.subscribe(other.get("/trail"))

	t.Run("403 for its seller, before that 404, before that 401", func(t *testing.T) {
		e.visitor().do(http.MethodDelete, "/images/x", nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
		seller.do(http.MethodDelete, "/images/x", nil).wantError(http.StatusNotFound, market.CodeNotFound)
		seller.do(http.MethodDelete, url, nil).wantError(http.StatusForbidden, market.CodeForbidden)
		e.visitor().get(url).wantStatus(http.StatusOK)
	})
	t.Run("404 from then on, for its copies too", func(t *testing.T) {
		admin.do(http.MethodDelete, url, nil).wantCount("deletedCount", 1)
		for _, address := range []string{url, small} {
			for _, p := range []*person{e.visitor(), admin} {
				a := p.get(address)
				a.wantError(http.StatusNotFound, market.CodeNotFound)
				if strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
					t.Error("caches keep that it is not there")
				}
			}
		}
		admin.do(http.MethodDelete, url, nil).wantCount("deletedCount", 0)
	})
	t.Run("422 for the same file, and for a phone with it", func(t *testing.T) {
		seller.do(http.MethodPost, "/images", form, contentType).wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
		for _, address := range []string{url, small} {
			seller.do(http.MethodPost, "/products", fresh.with("img", address)).wantInvalid("img")
			photos := []fields{{"url": "/images/a.jpg"}, {"url": address}}
			seller.do(http.MethodPost, "/products", fresh.with("img", nil).with("photos", photos)).wantInvalid("photos[1].url")
			seller.do(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": address}}}).wantInvalid("photos[0].url")
		}
	})
	t.Run("the phone stays, and may be changed", func(t *testing.T) {
		seller.do(http.MethodPatch, "/products/"+phone, fields{"resalePrice": 99}).wantCount("modifiedCount", 1)
	})
	t.Run("the audit log has one entry, on open screens too", func(t *testing.T) {
		entry := admin.get("/trail").items()[0]
		name := strings.TrimPrefix(url, "/images/")
		if entry["deed"] != "remove-picture" || entry["actor"] != "Root" || entry["target"] != name || entry["targetId"] != name {
			t.Errorf("got %v", entry)
		}
		e.settle()
		screen.readUntil(func(frame) bool { return len(screen.events) > 0 })
		if diff := cmp.Diff(entry, screen.events[0].Data); screen.events[0].Type != market.TypeAuditEntryAdded || diff != "" {
			t.Errorf("received: %s\n%s", screen.events[0].Type, diff)
		}
	})
}

// An uploaded picture that nothing shows is deleted after a day. A picture that a phone
// shows, by any of its URLs, stays as long as the phone.
func TestUnusedPicturesAreDeleted(t *testing.T) {
	e := newEnv(t)
	seller, brand := e.seller("Sue"), e.brand("Nokia")
	form, contentType := photoFormOfWidth(t, 400)
	unused := seller.upload(form, contentType)
	of := func(width int) string {
		form, contentType := photoFormOfWidth(t, width)
		return seller.upload(form, contentType)
	}
	first, second, own, picked := of(64), of(65), of(66), of(67)
	phone := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("img", nil).
		with("photos", []fields{{"url": first}, {"url": e.server.URL + second}})).insertedID()
	seller.withCookie(http.MethodPatch, "/identity/me", fields{"photoURL": own}).wantStatus(http.StatusOK)
	tidy := func(after time.Duration) {
		t.Helper()
		e.clock.Pass(after)
		must(t, e.images.Step(t.Context()))
	}
	served := func(status int, urls ...string) {
		t.Helper()
		for _, url := range urls {
			e.visitor().get(url).wantStatus(status)
		}
	}

	tidy(25 * time.Hour)
	served(http.StatusNotFound, unused, market.CopyURL(unused, 160), picked)
	served(http.StatusOK, first, second, own)
	seller.withCookie(http.MethodPost, "/products", seller.phoneFields(brand).with("img", unused)).wantInvalid("img")
	seller.withCookie(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": first}, {"url": picked}}}).wantInvalid("photos[1].url")

	seller.withCookie(http.MethodPost, "/images", form, contentType).wantStatus(http.StatusOK)
	seller.withCookie(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": unused}}}).wantCount("modifiedCount", 1)
	tidy(8 * 24 * time.Hour)
	served(http.StatusOK, unused, own)
	served(http.StatusNotFound, first, second)
	seller.withCookie(http.MethodDelete, "/products/"+phone, nil).wantCount("deletedCount", 1)
	tidy(8 * 24 * time.Hour)
	served(http.StatusNotFound, unused)
	served(http.StatusOK, own)
}
