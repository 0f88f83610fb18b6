package clustertest_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
	"secondring/market"
)

// Two nodes without Redis share a database: the demo is loaded, a photo is uploaded into GridFS, and a
// phone is booked. All of it exists on the other node, also after a restart. A photo that was taken down
// on one node is not served by the other.
func TestDemoOnMongo(t *testing.T) {
	s := nodetest.Settings(t, map[string]string{
		"MONGODB_URI": database(t), "REDIS_URL": "none", "TOKEN_SECRET": strings.Repeat("s", 32), "DEMO": "1",
	})
	first, second := startNode(t, s), startNode(t, s)
	photo := uploadPhoto(t, first)
	buyerBrowser := first.login(buyer)
	booking := buyerBrowser.book(buyerBrowser.advertised()[0].ID)
	if err := second.stop(); err != nil {
		t.Fatal(err)
	}
	second = startNode(t, s)
	var order struct{ Status string }
	second.login(buyer).call(http.MethodGet, "/booking/"+booking, nil, &order)
	if order.Status != "held" {
		t.Errorf("the order is %q on the other node, want held", order.Status)
	}
	wantStatus := func(want int) {
		t.Helper()
		for _, address := range []string{photo, market.CopyURL(photo, 160)} {
			if status := second.status(address); status != want {
				t.Errorf("%s on the other node: %d, want %d", address, status, want)
			}
		}
	}
	wantStatus(http.StatusOK)
	first.login(admin).call(http.MethodDelete, photo, nil, nil)
	wantStatus(http.StatusNotFound)
}

// uploadPhoto uploads a photo to the image host and returns its address.
func uploadPhoto(t *testing.T, r *appNode) string {
	t.Helper()
	seller := r.signIn(demo.Logins()[1].Email, demo.Logins()[1].Password)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="image"; filename="a.jpg"`}, "Content-Type": {"image/jpeg"},
	})
	if err == nil {
		err = jpeg.Encode(part, image.NewGray(image.Rect(0, 0, 400, 300)), nil)
	}
	if err != nil || form.Close() != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL()+"/images", &body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+seller.token)
	answer, err := seller.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var text bytes.Buffer
	if _, err := text.ReadFrom(answer.Body); err != nil || answer.StatusCode/100 != 2 {
		t.Fatal(fmt.Sprint(answer.Status, " ", text.String(), " ", err))
	}
	_, rest, _ := strings.Cut(text.String(), "/images/")
	name, _, _ := strings.Cut(rest, `"`)
	return "/images/" + name
}
