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
	"secondring/market/markettest"
)

// photoForm returns a multipart form with a JPEG in the field image, and its Content-Type.
func photoForm(tb testing.TB) (body string, withType func(*http.Request)) {
	tb.Helper()
	return photoFormOfWidth(tb, 64)
}

// upload uploads a picture and returns the path of its URL.
func (p *person) upload(form string, contentType func(*http.Request)) string {
	p.t.Helper()
	var got struct{ Data struct{ URL string } }
	p.do(http.MethodPost, "/images", form, contentType).wantStatus(http.StatusOK).decode(&got)
	path, isOwn := strings.CutPrefix(got.Data.URL, p.server.URL)
	if !isOwn {
		p.t.Fatalf("the URL is not absolute: %s", got.Data.URL)
	}
	return path
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

	wantFailed := func(a response, status int, code market.Code) {
		t.Helper()
		a.wantError(status, code)
		var got struct {
			Success *bool
			Error   struct{ Message string }
		}
		if a.decode(&got); got.Success == nil || *got.Success || got.Error.Message == "" {
			t.Errorf("the error has not the format of image hosts: %s", a.body)
		}
	}
	t.Run("401 without credentials, and with an invalid token and a valid cookie", func(t *testing.T) {
		wantFailed(e.visitor().do(http.MethodPost, path, form, contentType), http.StatusUnauthorized, market.CodeNoToken)
		wantFailed(seller.withCookie(http.MethodPost, path, form, contentType, header("Authorization", "Bearer x")), http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("403 from another origin with the cookie, 200 with a token", func(t *testing.T) {
		otherOrigin := header("Origin", "https://evil.example")
		wantFailed(seller.withCookie(http.MethodPost, path, form, contentType, otherOrigin), http.StatusForbidden, market.CodeForbidden)
		seller.do(http.MethodPost, path, form, contentType, otherOrigin).wantStatus(http.StatusOK)
	})
	t.Run("403 for a buyer", func(t *testing.T) {
		buyer.do(http.MethodPost, path, form, contentType).wantStatus(http.StatusForbidden)
		buyer.withCookie(http.MethodPost, path, form, contentType).wantStatus(http.StatusForbidden)
	})
	t.Run("200 with cookie or token; the image is immutable, not rate-limited, and accepted for a phone", func(t *testing.T) {
		var got struct {
			Success bool
			Data    struct{ URL string }
		}
		seller.withCookie(http.MethodPost, path, form, contentType).wantStatus(http.StatusOK).decode(&got)
		seller.do(http.MethodPost, path, form, contentType).wantStatus(http.StatusOK).decode(&got)
		if !got.Success || !strings.HasPrefix(got.Data.URL, e.server.URL+"/images/") {
			t.Fatalf("the upload returns %+v", got)
		}
		for range 100 {
			h := e.visitor().get(strings.TrimPrefix(got.Data.URL, e.server.URL)).wantStatus(http.StatusOK).Header
			if !strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("Content-Type") != "image/jpeg" {
				t.Fatalf("the image has the headers %v", h)
			}
		}
		seller.do(http.MethodPost, "/products", seller.phoneFields(e.brand("Nokia")).with("img", got.Data.URL)).insertedID()
	})
}

// Only sellers have phones, but everybody has an account.
func TestBuyerUploadsThePictureOfTheirAccount(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	form, contentType := photoForm(t)
	var got struct{ Data struct{ URL string } }
	buyer.do(http.MethodPost, "/images/account?key=", form, contentType).wantStatus(http.StatusOK).decode(&got)
	for _, want := range []string{got.Data.URL, ""} {
		var me struct{ PhotoURL string }
		buyer.withCookie(http.MethodPatch, "/identity/me", fields{"photoURL": want}).wantStatus(http.StatusOK).decode(&me)
		if me.PhotoURL != want {
			t.Errorf("the account has the picture %q, want %q", me.PhotoURL, want)
		}
	}
	e.visitor().do(http.MethodPost, "/images/account", form, contentType).wantError(http.StatusUnauthorized, market.CodeNoToken)
}

// After an admin has removed a picture, nobody can get it, upload it again or add it to a
// phone. Phones that show it stay, and admins get an event.
func TestTakenDownPictureIsNotServedAgain(t *testing.T) {
	e := newEnv(t)
	seller, admin, other := e.seller("Sue"), e.admin("Root"), e.admin("Rita")
	form, contentType := photoFormOfWidth(t, 400)
	url := seller.upload(form, contentType)
	variant := market.CopyURL(url, 160)
	body := seller.phoneFields(e.brand("Nokia"))
	phone := seller.do(http.MethodPost, "/products", body.with("img", url)).insertedID()
	e.runDueWork()
	socket := other.connect(t)
	socket.subscribe(other.get("/auditLog"))

	t.Run("401, 404, 403 in this order", func(t *testing.T) {
		e.visitor().do(http.MethodDelete, "/images/x", nil).wantError(http.StatusUnauthorized, market.CodeNoToken)
		seller.do(http.MethodDelete, "/images/x", nil).wantError(http.StatusNotFound, market.CodeNotFound)
		seller.do(http.MethodDelete, url, nil).wantError(http.StatusForbidden, market.CodeForbidden)
		e.visitor().get(url).wantStatus(http.StatusOK)
	})
	t.Run("404 for the picture and its variants", func(t *testing.T) {
		admin.do(http.MethodDelete, url, nil).wantCount("deletedCount", 1)
		for _, address := range []string{url, variant} {
			for _, p := range []*person{e.visitor(), admin} {
				a := p.get(address)
				a.wantError(http.StatusNotFound, market.CodeNotFound)
				if strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
					t.Errorf("%s: the 404 is immutable", address)
				}
			}
		}
		admin.do(http.MethodDelete, url, nil).wantCount("deletedCount", 0)
	})
	t.Run("422 for an upload of the same file, and for a phone with it", func(t *testing.T) {
		seller.do(http.MethodPost, "/images", form, contentType).wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
		for _, address := range []string{url, variant} {
			seller.do(http.MethodPost, "/products", body.with("img", address)).wantInvalid("img")
			photos := []fields{{"url": "/images/a.jpg"}, {"url": address}}
			seller.do(http.MethodPost, "/products", body.with("img", nil).with("photos", photos)).wantInvalid("photos[1].url")
			seller.do(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": address}}}).wantInvalid("photos[0].url")
		}
	})
	t.Run("200 for a change of the phone that shows it", func(t *testing.T) {
		seller.do(http.MethodPatch, "/products/"+phone, fields{"resalePrice": 99}).wantCount("modifiedCount", 1)
	})
	t.Run("200 with an entry in the audit log, which other admins get as an event", func(t *testing.T) {
		entry := admin.get("/auditLog").items()[0]
		name := strings.TrimPrefix(url, "/images/")
		if entry["action"] != "remove-picture" || entry["actor"] != "Root" || entry["target"] != name || entry["targetId"] != name {
			t.Errorf("the entry is %v", entry)
		}
		e.runDueWork()
		added := socket.readEvents(2)[1] // after that of the case
		if diff := cmp.Diff(entry, added.Data); added.Type != market.TypeAuditEntryAdded || diff != "" {
			t.Errorf("the event is %s\n%s", added.Type, diff)
		}
	})
}

// The server deletes an uploaded picture that nothing shows after a day. A picture that a phone
// shows, by any of its URLs, stays as long as the phone.
func TestUnusedPicturesAreDeleted(t *testing.T) {
	e := newEnv(t)
	seller, brand := e.seller("Sue"), e.brand("Nokia")
	form, contentType := photoFormOfWidth(t, 400)
	unused := seller.upload(form, contentType)
	upload := func(width int) string { return seller.upload(photoFormOfWidth(t, width)) }
	first, second, profile, unsaved := upload(64), upload(65), upload(66), upload(67)
	phone := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("img", nil).
		with("photos", []fields{{"url": first}, {"url": e.server.URL + second}})).insertedID()
	seller.withCookie(http.MethodPatch, "/identity/me", fields{"photoURL": profile}).wantStatus(http.StatusOK)
	deleteUnused := func(after time.Duration) {
		t.Helper()
		e.clock.Pass(after)
		must(t, markettest.Runner(e.clock, e.images.AddJobs).Step(t.Context()))
	}
	wantServed := func(status int, urls ...string) {
		t.Helper()
		for _, url := range urls {
			e.visitor().get(url).wantStatus(status)
		}
	}

	deleteUnused(25 * time.Hour)
	wantServed(http.StatusNotFound, unused, market.CopyURL(unused, 160), unsaved)
	wantServed(http.StatusOK, first, second, profile)
	seller.withCookie(http.MethodPost, "/products", seller.phoneFields(brand).with("img", unused)).wantInvalid("img")
	seller.withCookie(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": first}, {"url": unsaved}}}).wantInvalid("photos[1].url")

	seller.withCookie(http.MethodPost, "/images", form, contentType).wantStatus(http.StatusOK)
	seller.withCookie(http.MethodPatch, "/products/"+phone, fields{"photos": []fields{{"url": unused}}}).wantCount("modifiedCount", 1)
	deleteUnused(8 * 24 * time.Hour)
	wantServed(http.StatusOK, unused, profile)
	wantServed(http.StatusNotFound, first, second)
	seller.withCookie(http.MethodDelete, "/products/"+phone, nil).wantCount("deletedCount", 1)
	deleteUnused(8 * 24 * time.Hour)
	wantServed(http.StatusNotFound, unused)
	wantServed(http.StatusOK, profile)
}
