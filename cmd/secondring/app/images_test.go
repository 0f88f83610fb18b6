package app_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/jpeg"
	"log/slog"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/demo"
	"secondring/market"
	"secondring/market/markettest"
)

// The metadata of a demo photo is in the demo's phones and in those that are listed
// later.
func TestDemoPhotosHaveVariants(t *testing.T) {
	if !demo.Built() {
		t.Log("this build has no photographs, only the drawing")
		return
	}
	first := start(t, settingsFor(t, map[string]string{"DEMO": "1"}))
	var list []market.ProductView
	first.visitor().call(http.MethodGet, "/products/advertised", nil, &list)
	list = slices.DeleteFunc(list, func(p market.ProductView) bool { return strings.HasSuffix(p.Img, ".svg") }) // drawn
	if len(list) == 0 {
		t.Fatal("no phone with a photograph is advertised")
	}
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

// A server that is started a day after an upload deletes the unused picture.
func TestServerDeletesUnusedPictures(t *testing.T) {
	s := settingsFor(t, map[string]string{"DEMO": "1"})
	first := start(t, s)
	url := first.signIn(demo.Logins()[1].Email, demo.Logins()[1].Password).uploads()
	if status, _ := first.status(url); status != http.StatusOK {
		t.Fatalf("%s: %d", url, status)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	later := markettest.NewTicking(time.Now().Add(25 * time.Hour))
	a, err := app.New(t.Context(), s, app.Options{Version: "test", Clock: later, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	second := run(t, a)
	deadline, again := time.After(10*time.Second), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for {
		if status, _ := second.status(url); status == http.StatusNotFound {
			return
		}
		select {
		case <-deadline:
			t.Fatal("it is still there")
		case <-again.C:
		}
	}
}

// uploads posts a picture and returns its address.
func (p *person) uploads() string {
	p.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("image", "a.jpg")
	if err == nil {
		err = jpeg.Encode(part, image.NewGray(image.Rect(0, 0, 64, 48)), nil)
	}
	if err != nil || form.Close() != nil {
		p.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.URL()+"/images", &body)
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+p.token)
	answer, err := p.client.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var got struct{ Data struct{ URL string } }
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || got.Data.URL == "" {
		p.t.Fatalf("%s: %v", answer.Status, err)
	}
	return got.Data.URL
}
