// Package clustertest_test starts the whole product with the servers that nodes share.
// It needs Redis and a server of MongoDB's protocol, so make check does not run it.
package clustertest_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
)

// The whole product runs on MongoDB: the demo is loaded, a photo is uploaded, a phone is
// booked, and all of it exists after a restart and for commands.
func TestDemoOnMongo(t *testing.T) {
	s := nodetest.Settings(t, map[string]string{
		"MONGODB_URI": database(t), "REDIS_URL": "none", "TOKEN_SECRET": strings.Repeat("s", 32), "DEMO": "1",
	})
	r := startNode(t, s)
	if status := r.status("/readyz"); status != http.StatusOK {
		t.Errorf("/readyz: %d, want 200", status)
	}
	var free []struct {
		ID    string `json:"_id"`
		Name  string
		Price int `json:"resalePrice"`
	}
	r.visitor().call(http.MethodGet, "/products/advertised", nil, &free)
	if len(free) == 0 {
		t.Fatal("the demo advertises nothing")
	}
	url := uploadPhoto(t, r)
	buyer := r.signIn(demo.Logins()[3].Email, demo.Logins()[3].Password)
	var booked struct{ InsertedID string }
	buyer.call(http.MethodPut, "/bookings", map[string]any{"productID": free[0].ID, "phone": "01700000", "location": "Dhaka"}, &booked)
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}

	r = startNode(t, s)
	buyer = r.signIn(demo.Logins()[3].Email, demo.Logins()[3].Password)
	var order struct{ Status string }
	buyer.call(http.MethodGet, "/booking/"+booked.InsertedID, nil, &order)
	if order.Status != "held" {
		t.Errorf("the order is %q after a restart, want held", order.Status)
	}
	if status := r.status(url); status != http.StatusOK {
		t.Errorf("the photo after a restart: %d, want 200", status)
	}
	tools, err := app.OpenAdmin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := tools.Identity.PromoteAdmin(context.Background(), demo.Logins()[4].Email, "a new one"); err != nil {
		t.Error(err)
	}
	if err := tools.Close(); err != nil {
		t.Error(err)
	}
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
