package consistencytest_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// waitingBuyer acts at random and records the calls and their responses. Only its own
// goroutine uses it during a round.
type waitingBuyer struct {
	*waitlistEnv
	*browser
	person        *person
	notifications notificationSet

	// These fields are of one round. A call without a response may have been executed.
	entries         map[string]string // entries of waitlists with their phones
	departures      []departure
	unansweredJoins map[string][]callTimes // by phone
	cancelled       map[string]int64       // when the call was sent, by booking
	refused         map[string]int         // bookings that exceeded MAX_HOLDS, by phone
	decided         map[string]bool        // bookings that were left to expire, paid or cancelled
}

// callTimes are the times at which a call was sent and ended, in Unix milliseconds.
type callTimes struct{ sent, ended int64 }

// departure is a call that leaves a waitlist.
type departure struct {
	callTimes

	phone          string
	isAcknowledged bool // the response says that the buyer left
}

func (b *waitingBuyer) startRound() {
	if b.notifications == nil {
		b.notifications = notificationSet{}
	}
	b.entries, b.departures, b.unansweredJoins = map[string]string{}, nil, map[string][]callTimes{}
	b.cancelled, b.refused, b.decided = map[string]int64{}, map[string]int{}, map[string]bool{}
}

// act acts until the context ends.
func (b *waitingBuyer) act(ctx context.Context) {
	for ctx.Err() == nil {
		b.endHolds()
		phone := b.phones[rand.IntN(len(b.phones))].ID
		switch random := rand.Float64(); {
		case random < 0.3:
			b.book(phone)
		case random < 0.8:
			b.wait(phone)
		case random < 0.9:
			b.leave(phone)
		default:
			b.readLists()
		}
		<-time.After(time.Duration(50+rand.IntN(100)) * time.Millisecond)
	}
}

func now() int64 { return time.Now().UnixMilli() }

// isLost tells whether a call with this status may have been executed.
func isLost(status int) bool { return status == 0 || status >= http.StatusInternalServerError }

func (b *waitingBuyer) book(phone string) {
	status, text := b.call(http.MethodPut, "/bookings", map[string]string{"productID": phone, "phone": "01700000"})
	var answer struct{ Code string }
	if json.Unmarshal(text, &answer) == nil && answer.Code == "too_many" || isLost(status) {
		b.refused[phone]++
	}
}

func (b *waitingBuyer) wait(phone string) {
	sent := now()
	status, text := b.call(http.MethodPut, "/products/"+phone+"/waitlist", map[string]string{"phone": "01700000"})
	var entry struct{ InsertedID string }
	switch {
	case isLost(status):
		b.unansweredJoins[phone] = append(b.unansweredJoins[phone], callTimes{sent, now()})
	case status == http.StatusOK && json.Unmarshal(text, &entry) == nil:
		b.entries[entry.InsertedID] = phone
	}
}

func (b *waitingBuyer) leave(phone string) {
	sent := now()
	status, text := b.call(http.MethodDelete, "/products/"+phone+"/waitlist", nil)
	departed := departure{callTimes: callTimes{sent, now() + 1}, phone: phone}
	var answer struct{ DeletedCount int }
	departed.isAcknowledged = json.Unmarshal(text, &answer) == nil && answer.DeletedCount == 1
	if departed.isAcknowledged || isLost(status) {
		b.departures = append(b.departures, departed)
	}
}

// readLists reads the waitlist entries and notifications of the buyer.
func (b *waitingBuyer) readLists() {
	_, text := b.call(http.MethodGet, "/waitlist?limit=200&email="+url.QueryEscape(b.person.email), nil)
	var page []struct {
		ID        string `json:"_id"`
		ProductID string
	}
	if json.Unmarshal(text, &page) == nil {
		for _, entry := range page {
			b.entries[entry.ID] = entry.ProductID
		}
	}
	b.notifications.read(b.browser)
}

func (b *waitingBuyer) orders() (all []order, ok bool) {
	status, text := b.call(http.MethodGet, "/bookings?limit=200&email="+url.QueryEscape(b.person.email), nil)
	return all, status == http.StatusOK && json.Unmarshal(text, &all) == nil
}

// endHolds pays or cancels some of the new holds, and lets the others expire.
func (b *waitingBuyer) endHolds() {
	all, _ := b.orders()
	for _, o := range all {
		if o.Status != "held" || b.decided[o.ID] {
			continue
		}
		b.decided[o.ID] = true
		switch random := rand.Float64(); {
		case random < 0.05:
			b.pay(o)
		case random < 0.3:
			b.cancelled[o.ID] = now()
			b.call(http.MethodDelete, "/bookings/"+o.ID, nil)
		}
	}
}

// pay pays as the payment screen does, and stops at the first call that fails.
func (b *waitingBuyer) pay(o order) {
	_, text := b.call(http.MethodPost, "/create-payment-intent", map[string]any{"price": o.Price, "bookingId": o.ID})
	var intent struct{ ClientSecret string }
	if json.Unmarshal(text, &intent) != nil || intent.ClientSecret == "" {
		return
	}
	id, _, _ := strings.Cut(intent.ClientSecret, "_secret")
	values := url.Values{"payment_method": {"pm_card_visa"}, "client_secret": {intent.ClientSecret}}
	node := b.nodes[rand.IntN(len(b.nodes))]
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost,
		node.URL+"/sandbox/stripe/v1/payment_intents/"+id+"/confirm", strings.NewReader(values.Encode()))
	if err != nil {
		b.t.Error(err)
		return
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+b.publishableKey)
	answer, err := httpClient.Do(request)
	if err != nil {
		return
	}
	_ = answer.Body.Close()
	b.call(http.MethodPost, "/payments", map[string]any{"price": o.Price, "bookingId": o.ID, "transactionId": id, "email": b.person.email})
}
