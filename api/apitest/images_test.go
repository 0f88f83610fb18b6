package apitest_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

// photograph is a form with a real JPEG in its field image.
func photograph(tb testing.TB) (body string, withType func(*http.Request)) {
	tb.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("image", "phone.jpg")
	must(tb, err)
	must(tb, jpeg.Encode(part, image.NewGray(image.Rect(0, 0, 64, 48)), nil))
	must(tb, writer.Close())
	return form.String(), header("Content-Type", writer.FormDataContentType())
}

func TestUpload(t *testing.T) {
	w := newWorld(t, limitedTo(30))
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	form, typed := photograph(t)
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
	t.Run("403 for the cookie from a page elsewhere, not for a bearer", func(t *testing.T) {
		foreign := header("Origin", "https://evil.example")
		failed(seller.withCookie(http.MethodPost, path, form, typed, foreign), http.StatusForbidden, market.CodeForbidden)
		seller.do(http.MethodPost, path, form, typed, foreign).is(http.StatusOK)
	})
	t.Run("403 for a buyer", func(t *testing.T) {
		buyer.do(http.MethodPost, path, form, typed).is(http.StatusForbidden)
		buyer.withCookie(http.MethodPost, path, form, typed).is(http.StatusForbidden)
	})
	t.Run("200 with either, served for ever, past the rate limit, and fit for a phone", func(t *testing.T) {
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
