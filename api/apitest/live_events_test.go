package apitest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
)

// socket is a live connection of a client.
type socket struct {
	t      *testing.T
	conn   *websocket.Conn
	events []event
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

// connect opens a WebSocket with the person's token, if they have one.
func (p *person) connect(t *testing.T) *socket {
	t.Helper()
	conn, res, err := p.dial()
	must(t, err)
	must(t, res.Body.Close())
	t.Cleanup(func() { _ = conn.Close() })
	return &socket{t: t, conn: conn}
}

// dial sends a WebSocket handshake with the person's token, if they have one. The response is
// nil only if there was none.
func (p *person) dial() (*websocket.Conn, *http.Response, error) {
	p.t.Helper()
	protocols := []string{"secondring.v1"}
	if p.token != "" {
		protocols = append(protocols, "bearer."+p.token)
	}
	dialer := websocket.Dialer{Subprotocols: protocols}
	return dialer.DialContext(p.t.Context(), "ws"+strings.TrimPrefix(p.server.URL, "http")+"/live", nil)
}

// subscribe subscribes to the topic of a list from its position, and returns the topic.
func (s *socket) subscribe(list response) string {
	s.t.Helper()
	topic, position, _ := strings.Cut(list.Header.Get("Live-Position"), "=")
	must(s.t, s.conn.WriteJSON(map[string]any{"subscribe": map[string]string{topic: position}}))
	s.readUntil(func(f frame) bool { _, in := f.Subscribed[topic]; return in })
	return topic
}

// readUntil reads frames until one matches, and stores the events.
func (s *socket) readUntil(wanted func(frame) bool) {
	s.t.Helper()
	must(s.t, s.conn.SetReadDeadline(time.Now().Add(3*time.Minute)))
	for {
		_, raw, err := s.conn.ReadMessage()
		must(s.t, err)
		var f frame
		must(s.t, json.Unmarshal(raw, &f))
		s.events = append(s.events, f.Events...)
		if wanted(f) {
			return
		}
	}
}

// readEvents reads frames until at least n events have arrived since the last wantEvents, and
// returns these events.
func (s *socket) readEvents(n int) []event {
	s.t.Helper()
	for len(s.events) < n {
		s.readUntil(func(f frame) bool { return len(f.Events) > 0 })
	}
	return s.events
}

// wantEvents fails the test unless the next events are of these types, in this order.
func (s *socket) wantEvents(types ...string) {
	s.t.Helper()
	s.readEvents(len(types))
	got := []string{}
	for _, e := range s.events {
		got = append(got, e.Type)
	}
	if strings.Join(got, " ") != strings.Join(types, " ") {
		s.t.Errorf("got %v, want %v", got, types)
	}
	s.events = nil
}

// Events between a list and its subscription arrive once. Events that the list already
// contains do not arrive.
func TestNoEventIsLostBetweenListAndSubscription(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer, admin := e.verified("Vera"), e.buyer("Bob"), e.admin("Root")
	phone := seller.addPhone(brand)
	seller.advertise(phone).wantCount("modifiedCount", 1)
	e.runDueWork()

	brandList := buyer.get("/categories/" + brand.ID)
	home := e.visitor().get("/products/advertised")
	notModified := e.visitor().get("/products/advertised", header("If-None-Match", home.Header.Get("ETag"))).wantStatus(http.StatusNotModified)
	own := seller.ownProducts()
	orders := buyer.ownBookings()
	reports := admin.get("/reportedItems")

	buyer.book(phone)
	buyer.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "Stolen"}).insertedID()
	e.runDueWork()

	buyerSocket := buyer.connect(t)
	buyerSocket.subscribe(brandList)
	buyerSocket.wantEvents("product.booked")
	buyerSocket.subscribe(orders)
	buyerSocket.wantEvents("booking.changed")

	visitorSocket := e.visitor().connect(t)
	for _, list := range []response{home, notModified} {
		visitorSocket.subscribe(list)
		data := visitorSocket.readEvents(1)[0].Data
		if data["booked"] != true || data["phone"] != nil || data["email"] != nil || data["location"] != nil {
			t.Errorf("a visitor gets the event %v, want a booked phone without contact data", data)
		}
		visitorSocket.wantEvents("advertised.changed")
	}

	sellerSocket := seller.connect(t)
	sellerSocket.subscribe(own)
	sellerSocket.wantEvents("product.booked", "notification.added")

	adminSocket := admin.connect(t)
	adminSocket.subscribe(reports)
	adminSocket.wantEvents("order.changed", "case.changed", "report.created")
}

// The entity in an event is equal to the entity in the next list.
func TestEventsEqualListItems(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	e.runDueWork()
	socket := seller.connect(t)
	socket.subscribe(seller.ownProducts())
	phone := seller.addPhone(brand)
	buyer.book(phone)
	e.runDueWork()
	inEvent := socket.readEvents(2)[1].Data
	inList := seller.ownProducts().product(phone)
	if diff := cmp.Diff(inList, inEvent); diff != "" {
		t.Errorf("the event differs from the list (-list +event):\n%s", diff)
	}
	socket.wantEvents("product.added", "product.booked", "notification.added")
}
