package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"secondring/cmd/secondring/nodetest"
)

// call makes a call with an access token or a session cookie as its token. It decodes the
// response into into, or stores the response's cookie there if into is a *string.
func (s *testServer) call(method, path, token string, body, into any) (int, error) {
	response, text, err := nodetest.Do(context.Background(), http.DefaultClient, method, "http://"+s.addr+path, token, body)
	if err != nil {
		return 0, err
	}
	if into == nil {
		return response.StatusCode, nil
	}
	if cookie, ok := into.(*string); ok {
		*cookie, _, _ = strings.Cut(response.Header.Get("Set-Cookie"), ";")
		return response.StatusCode, nil
	}
	return response.StatusCode, json.Unmarshal(text, into)
}

// mustCall makes a call that must succeed.
func (s *testServer) mustCall(method, path, token string, body, into any) {
	s.t.Helper()
	if status, err := s.call(method, path, token, body, into); err != nil || status/100 != 2 {
		s.t.Fatalf("%s %s: %d, %v", method, path, status, err)
	}
}

// signUp creates an account and returns its email and an access token.
func (s *testServer) signUp(name, accountType string) (email, token string) {
	s.t.Helper()
	email = name + "@example.com"
	var cookie string
	s.mustCall(http.MethodPost, "/identity/sign-up", "", map[string]string{"email": email, "password": testPassword, "displayName": name}, &cookie)
	s.mustCall(http.MethodPost, "/users", cookie, map[string]string{"name": name, "email": email, "accountType": accountType}, nil)
	return email, s.token(email, cookie)
}

// token returns an access token for the session of a cookie.
func (s *testServer) token(email, cookie string) string {
	s.t.Helper()
	var response struct{ AccessToken string }
	s.mustCall(http.MethodGet, "/jwt?email="+email, cookie, nil, &response)
	return response.AccessToken
}

// trySignIn returns whether the password is correct, and the session cookie.
func (s *testServer) trySignIn(email, password string) (correct bool, cookie string) {
	s.t.Helper()
	status, err := s.call(http.MethodPost, "/identity/sign-in", "", map[string]string{"email": email, "password": password}, &cookie)
	if err != nil {
		s.t.Fatal(err)
	}
	return status == http.StatusOK, cookie
}

// signIn signs in with testPassword and returns an access token.
func (s *testServer) signIn(email string) (token string) {
	s.t.Helper()
	correct, cookie := s.trySignIn(email, testPassword)
	if !correct {
		s.t.Fatalf("%s cannot sign in", email)
	}
	return s.token(email, cookie)
}

// buyers creates n buyers and returns their tokens by email.
func (s *testServer) buyers(n int) map[string]string {
	s.t.Helper()
	all := map[string]string{}
	for i := range n {
		email, token := s.signUp(fmt.Sprintf("buyer%d", i), "User")
		all[email] = token
	}
	return all
}

// written is the response to a call that creates something.
type written struct{ InsertedID string }

// phones lists n phones of one brand and returns their IDs.
func (s *testServer) phones(email, token string, n int) []string {
	s.t.Helper()
	var brands []struct {
		ID   string `json:"_id"`
		Name string
	}
	s.mustCall(http.MethodGet, "/allCategories", "", nil, &brands)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = s.phone(email, token, brands[0].ID, brands[0].Name)
	}
	return ids
}

// phone lists a phone of a brand for sale and returns its ID.
func (s *testServer) phone(email, token, brandID, brand string) string {
	s.t.Helper()
	var added written
	seller, _, _ := strings.Cut(email, "@") // as signUp names people
	s.mustCall(http.MethodPost, "/products", token, map[string]any{
		"name": "Phone", "brand": brand, "id": brandID, "img": "/images/a.jpg",
		"originalPrice": 500, "resalePrice": 100, "productCondition": "Good", "usedTime": "1 year",
		"description": "Rings.", "sellerName": seller, "email": email, "location": "Dhaka", "phone": "01700000",
		"selling_post_date": "2026-11-01",
	}, &added)
	return added.InsertedID
}

// book books a phone and returns the booking's ID.
func (s *testServer) book(token, phone string) string {
	s.t.Helper()
	var booking written
	s.mustCall(http.MethodPut, "/bookings", token, map[string]string{"productID": phone, "phone": "01700000"}, &booking)
	return booking.InsertedID
}

// publishableKey returns the key with which browsers call the payment sandbox.
func (s *testServer) publishableKey() string {
	s.t.Helper()
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	s.mustCall(http.MethodGet, "/config", "", nil, &config)
	return config.Stripe.PublishableKey
}

// upload uploads a photo and returns the path of its URL.
func (s *testServer) upload(token string) string {
	s.t.Helper()
	var body, picture bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 700, 500)), nil); err != nil {
		s.t.Fatal(err)
	}
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("image", "phone.jpg")
	if err == nil {
		_, err = part.Write(picture.Bytes())
	}
	if err != nil || form.Close() != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.addr+"/images", &body)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+token)
	var uploaded struct{ Data struct{ URL string } }
	s.send(request, &uploaded)
	address, err := url.Parse(uploaded.Data.URL)
	if err != nil {
		s.t.Fatal(err)
	}
	return address.Path
}

// send sends a request, which must succeed, and returns the response's header.
func (s *testServer) send(request *http.Request, into any) http.Header {
	s.t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s", request.URL.Path, response.Status)
	}
	if into != nil {
		if err := json.NewDecoder(response.Body).Decode(into); err != nil {
			s.t.Fatal(err)
		}
	}
	return response.Header
}

// livePosition returns the topic of a brand's list, and the position of its latest event.
func (s *testServer) livePosition(token string) (topic, position string) {
	s.t.Helper()
	var brands []struct {
		ID string `json:"_id"`
	}
	s.mustCall(http.MethodGet, "/allCategories", "", nil, &brands)
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.addr+"/categories/"+brands[0].ID, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	topic, position, _ = strings.Cut(s.send(request, nil).Get("Live-Position"), "=")
	return topic, position
}

// subscribe opens a socket and requests the events of a topic since a position.
func (s *testServer) subscribe(token, topic, position string) *websocket.Conn {
	s.t.Helper()
	dialer := websocket.Dialer{
		Subprotocols: []string{"secondring.v1", "bearer." + token}, ReadBufferSize: 1 << 10, HandshakeTimeout: 30 * time.Second,
	}
	socket, response, err := dialer.DialContext(s.t.Context(), "ws://"+s.addr+"/live", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = response.Body.Close()
	s.t.Cleanup(func() { _ = socket.Close() })
	if err := socket.WriteJSON(map[string]any{"subscribe": map[string]string{topic: position}}); err != nil {
		s.t.Fatal(err)
	}
	return socket
}

// needsResync returns whether a client with that position must read the list again.
func (s *testServer) needsResync(token, topic, position string) bool {
	s.t.Helper()
	socket := s.subscribe(token, topic, position)
	_ = socket.SetReadDeadline(time.Now().Add(2 * time.Second))
	for {
		_, frame, err := socket.ReadMessage()
		if err != nil {
			return false
		}
		if bytes.Contains(frame, []byte(`"resync"`)) {
			return true
		}
	}
}
