package app_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
	"secondring/market"
	"secondring/market/markettest"
)

// A phone with a photo of the demo has the photo's metadata. So has a phone that a seller
// lists later with the same photo.
func TestDemoPhotosHaveVariants(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photos, only the drawing")
		return
	}
	first := start(t, nodetest.Settings(t, map[string]string{"DEMO": "1"}))
	var list []market.ProductView
	first.newBrowser().call(http.MethodGet, "/products/advertised", nil, &list)
	isDrawing := func(p market.ProductView) bool { return strings.HasSuffix(p.Img, ".svg") }
	list = slices.DeleteFunc(list, isDrawing)
	if len(list) == 0 {
		t.Fatal("no phone with a photo is advertised")
	}
	for _, p := range list {
		if photo := p.Photos[0]; photo.Alt == "" || photo.URL != p.Img || photo.Width == 0 || photo.Blur == "" || photo.Srcset == "" {
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
		t.Errorf("the photos are %+v, want the first with the srcset of the demo's photo, the second without a size", p.Photos)
	}
}

// A server that is started a day after an upload deletes the unused picture.
func TestServerDeletesUnusedPictures(t *testing.T) {
	s := nodetest.Settings(t, map[string]string{"DEMO": "1"})
	first := start(t, s)
	url := first.signIn(demo.Logins()[1].Email, demo.Logins()[1].Password).upload()
	if status, _ := first.get(url); status != http.StatusOK {
		t.Fatalf("the uploaded picture %s is served with %d, want 200", url, status)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	tomorrow := markettest.NewTicking(time.Now().Add(25 * time.Hour))
	second := startWith(t, s, app.Options{Clock: tomorrow})
	waitFor(t, func() bool {
		status, _ := second.get(url)
		return status == http.StatusNotFound
	}, func() string { return "the picture is still served after a day" })
}

// upload uploads a picture and returns the path of its URL.
func (b *browser) upload() string {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("image", "a.jpg")
	if err == nil {
		err = jpeg.Encode(part, image.NewGray(image.Rect(0, 0, 64, 48)), nil)
	}
	if err != nil || form.Close() != nil {
		b.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.URL()+"/images", &body)
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+b.token)
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var got struct{ Data struct{ URL string } }
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil || got.Data.URL == "" {
		b.t.Fatalf("%s: %v", response.Status, err)
	}
	address, err := url.Parse(got.Data.URL)
	if err != nil {
		b.t.Fatal(err)
	}
	return address.Path
}
