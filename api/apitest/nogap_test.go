package apitest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// socket is a live connection of a client.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
	seen []event
}

type event struct {
	Topic, Position, Type string
	Data                  map[string]any
}

type frame struct {
	Subscribed map[string]string
	Denied     []string
	Events     []event
}

func (p *person) live(t *testing.T) *socket {
	t.Helper()
	protocols := []string{"secondring.v1"}
	if p.token != "" {
		protocols = append(protocols, "bearer."+p.token)
	}
	dialer := websocket.Dialer{Subprotocols: protocols}
	conn, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(p.server.URL, "http")+"/live", nil)
	must(t, err)
	must(t, response.Body.Close())
	t.Cleanup(func() { _ = conn.Close() })
	return &socket{t: t, conn: conn}
}

// from subscribes to the topic of a list from its position, and returns the topic.
func (s *socket) from(list answer) string {
	s.t.Helper()
	topic, position, _ := strings.Cut(list.Header.Get("Live-Position"), "=")
	must(s.t, s.conn.WriteJSON(map[string]any{"subscribe": map[string]string{topic: position}}))
	s.until(func(f frame) bool { _, in := f.Subscribed[topic]; return in })
	return topic
}

// until reads frames until one matches, and stores the events.
func (s *socket) until(wanted func(frame) bool) {
	s.t.Helper()
	must(s.t, s.conn.SetReadDeadline(time.Now().Add(5*time.Second)))
	for {
		_, raw, err := s.conn.ReadMessage()
		must(s.t, err)
		var f frame
		must(s.t, json.Unmarshal(raw, &f))
		s.seen = append(s.seen, f.Events...)
		if wanted(f) {
			return
		}
	}
}

// expectEvents waits until the events seen are of these types, in this order.
func (s *socket) expectEvents(types ...string) {
	s.t.Helper()
	for len(s.seen) < len(types) {
		s.until(func(f frame) bool { return len(f.Events) > 0 })
	}
	got := []string{}
	for _, e := range s.seen {
		got = append(got, e.Type)
	}
	if strings.Join(got, " ") != strings.Join(types, " ") {
		s.t.Errorf("got %v, want %v", got, types)
	}
	s.seen = nil
}

// Events between a list and its subscription arrive once. Events that the list already
// contains do not arrive.
func TestNoEventIsLostBetweenListAndSubscription(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer, admin := e.verified("Vera"), e.buyer("Bob"), e.admin("Root")
	phone := seller.sells(brand)
	seller.advertises(phone).count("modifiedCount", 1)
	e.settle()

	brandList := buyer.get("/categories/" + brand.ID)
	home := e.visitor().get("/products/advertised")
	confirmed := e.visitor().get("/products/advertised", header("If-None-Match", home.Header.Get("ETag"))).is(http.StatusNotModified)
	own := seller.get("/products?email=" + seller.user.Email)
	orders := buyer.get("/bookings?email=" + buyer.user.Email)
	reports := admin.get("/reportedItems")

	buyer.books(phone)
	buyer.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "Stolen"}).id()
	e.settle()

	asBuyer := buyer.live(t)
	asBuyer.from(brandList)
	asBuyer.expectEvents("product.booked")
	asBuyer.from(orders)
	asBuyer.expectEvents("booking.changed")

	asVisitor := e.visitor().live(t)
	for _, list := range []answer{home, confirmed} {
		asVisitor.from(list)
		for asVisitor.seen == nil {
			asVisitor.until(func(f frame) bool { return len(f.Events) > 0 })
		}
		data := asVisitor.seen[0].Data
		if data["booked"] != true || data["phone"] != nil || data["email"] != nil || data["location"] != nil {
			t.Errorf("a visitor gets %v", data)
		}
		asVisitor.expectEvents("advertised.changed")
	}

	asSeller := seller.live(t)
	asSeller.from(own)
	asSeller.expectEvents("product.booked", "notification.added")

	asAdmin := admin.live(t)
	asAdmin.from(reports)
	asAdmin.expectEvents("report.created")
}

// The entity of an event equals the one in the next list.
func TestEventsEqualListItems(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	e.settle()
	list := seller.get("/products?email=" + seller.user.Email)
	live := seller.live(t)
	live.from(list)
	phone := seller.sells(brand)
	buyer.books(phone)
	e.settle()
	for len(live.seen) < 2 {
		live.until(func(f frame) bool { return len(f.Events) > 0 })
	}
	held := live.seen[1].Data
	listed := seller.get("/products?email=" + seller.user.Email).product(phone)
	a, err := json.Marshal(held)
	must(t, err)
	b, err := json.Marshal(listed)
	must(t, err)
	if string(a) != string(b) {
		t.Errorf("the event holds %s\nthe list holds %s", a, b)
	}
	live.expectEvents("product.added", "product.booked", "notification.added")
}
