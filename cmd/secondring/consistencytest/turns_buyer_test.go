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

// waitingBuyer acts at random and records the calls and their answers. Only its own
// goroutine uses it during a round.
type waitingBuyer struct {
	*turns
	*browser
	person   *person
	notified notes

	// Of the round; a call that was not answered may have been done, or not.
	waits     map[string]string // entries of waitlists with their phones
	left      []departure
	tried     map[string]int64 // when a join was sent that was not answered, by phone
	cancelled map[string]int64 // when the call was sent, by booking
	refused   map[string]int   // bookings that exceeded MAX_HOLDS, by phone
	decided   map[string]bool  // bookings that were left to expire, paid or cancelled
}

// departure is a call that leaves a waitlist.
type departure struct {
	phone          string
	sent, answered int64
	isSure         bool // it took the buyer off the waitlist
}

func (b *waitingBuyer) begin() {
	if b.notified == nil {
		b.notified = notes{}
	}
	b.waits, b.left, b.tried = map[string]string{}, nil, map[string]int64{}
	b.cancelled, b.refused, b.decided = map[string]int64{}, map[string]int{}, map[string]bool{}
}

// act acts until the context ends.
func (b *waitingBuyer) act(ctx context.Context) {
	for ctx.Err() == nil {
		b.endHolds()
		phone := b.phones[rand.IntN(len(b.phones))].ID
		switch dice := rand.Float64(); {
		case dice < 0.3:
			b.book(phone)
		case dice < 0.8:
			b.wait(phone)
		case dice < 0.9:
			b.leave(phone)
		default:
			b.look()
		}
		<-time.After(time.Duration(50+rand.IntN(100)) * time.Millisecond)
	}
}

func now() int64 { return time.Now().UnixMilli() }

// isLost tells whether a call may have been done or not.
func isLost(status int) bool { return status == 0 || status >= http.StatusInternalServerError }

func (b *waitingBuyer) book(phone string) {
	status, text := b.ask(http.MethodPut, "/bookings", map[string]string{"productID": phone, "phone": "01700000"})
	var answer struct{ Code string }
	if json.Unmarshal(text, &answer) == nil && answer.Code == "too_many" || isLost(status) {
		b.refused[phone]++
	}
}

func (b *waitingBuyer) wait(phone string) {
	sent := now()
	status, text := b.ask(http.MethodPut, "/products/"+phone+"/waitlist", map[string]string{"phone": "01700000"})
	var entry struct{ InsertedID string }
	switch {
	case isLost(status):
		if _, known := b.tried[phone]; !known {
			b.tried[phone] = sent
		}
	case status == http.StatusOK && json.Unmarshal(text, &entry) == nil:
		b.waits[entry.InsertedID] = phone
	}
}

func (b *waitingBuyer) leave(phone string) {
	d := departure{phone: phone, sent: now()}
	status, text := b.ask(http.MethodDelete, "/products/"+phone+"/waitlist", nil)
	d.answered = now() + 1
	var answer struct{ DeletedCount int }
	d.isSure = json.Unmarshal(text, &answer) == nil && answer.DeletedCount == 1
	if d.isSure || isLost(status) {
		b.left = append(b.left, d)
	}
}

// look reads the lists that a buyer has on screen.
func (b *waitingBuyer) look() {
	_, text := b.ask(http.MethodGet, "/waitlist?limit=200&email="+url.QueryEscape(b.person.email), nil)
	var page []struct {
		ID        string `json:"_id"`
		ProductID string
	}
	if json.Unmarshal(text, &page) == nil {
		for _, entry := range page {
			b.waits[entry.ID] = entry.ProductID
		}
	}
	b.notified.read(b.browser)
}

func (b *waitingBuyer) orders() (all []order, ok bool) {
	status, text := b.ask(http.MethodGet, "/bookings?limit=200&email="+url.QueryEscape(b.person.email), nil)
	return all, status == http.StatusOK && json.Unmarshal(text, &all) == nil
}

// endHolds decides what becomes of each new hold: most of them expire.
func (b *waitingBuyer) endHolds() {
	all, _ := b.orders()
	for _, o := range all {
		if o.Status != "held" || b.decided[o.ID] {
			continue
		}
		b.decided[o.ID] = true
		switch dice := rand.Float64(); {
		case dice < 0.05:
			b.pay(o)
		case dice < 0.3:
			b.cancelled[o.ID] = now()
			b.ask(http.MethodDelete, "/bookings/"+o.ID, nil)
		}
	}
}

// pay pays as the payment screen does, as far as it gets.
func (b *waitingBuyer) pay(o order) {
	_, text := b.ask(http.MethodPost, "/create-payment-intent", map[string]any{"price": o.Price, "bookingId": o.ID})
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
	request.Header.Set("Authorization", "Bearer "+b.key)
	answer, err := callers.Do(request)
	if err != nil {
		return
	}
	_ = answer.Body.Close()
	b.ask(http.MethodPost, "/payments", map[string]any{"price": o.Price, "bookingId": o.ID, "transactionId": id, "email": b.person.email})
}
