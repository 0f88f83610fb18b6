package stripe

import (
	"crypto/rand"
	"encoding/json"
	"time"
)

// event is a change that is sent to the product's webhook.
type event struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Created int64           `json:"created"`
	Request string          `json:"request,omitempty"` // that caused it
	Key     string          `json:"key,omitempty"`     // its Idempotency-Key
	Account string          `json:"account,omitempty"` // the connected account that it is about
	Object  json.RawMessage `json:"object"`            // as it was then
	Tries   int             `json:"tries,omitempty"`
	Next    time.Time       `json:"next"` // when it is to be sent
}

// tell adds an event to the intent's document, which is saved together with the change.
// Without a webhook there are no events.
func (s *Sandbox) tell(i *intent, c *call, kind string, about object) {
	if s.config.Webhook == nil {
		return
	}
	body, err := json.Marshal(about)
	if err != nil { // only for a type that no object has
		panic(err)
	}
	now := s.config.Clock.Now()
	i.Events = append(i.Events, event{
		ID: "evt_" + rand.Text(), Type: kind, Created: now.Unix(), Request: c.request, Key: c.key, Object: body, Next: now,
	})
	if over := len(i.Events) - maxEvents; over > 0 {
		s.config.Log.Warn("undelivered webhook events dropped", "intent", i.ID, "events", over)
		i.Events = append([]event(nil), i.Events[over:]...)
	}
}

// body is the event as it is sent: the same bytes each time.
func (e *event) body() ([]byte, error) {
	o := object{
		"id": e.ID, "object": "event", "api_version": apiVersion, "created": e.Created, "livemode": false, "type": e.Type,
		"pending_webhooks": 1, "request": object{"id": orNull(e.Request), "idempotency_key": orNull(e.Key)},
		"data": object{"object": e.Object},
	}
	if e.Account != "" {
		o["account"] = e.Account
	}
	return json.Marshal(o)
}

// Events of one intent are sent in their order. One that was tried so often does not delay
// the later ones any more.
const triesInOrder = 3

// pauses are those after the first tries; the last one is used from then on.
var pauses = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour}

// eventLasts is how long an event is tried.
const eventLasts = 3 * 24 * time.Hour

// pause is how long to wait after a try, counted from 1.
func pause(try int) time.Duration { return pauses[min(try, len(pauses))-1] }

// waiting yields each event that may be sent in its turn, oldest first.
func (i *intent) waiting(yield func(e *event) bool) {
	for at := range i.Events {
		if !yield(&i.Events[at]) || i.Events[at].Tries < triesInOrder {
			return
		}
	}
}

// due is when there is something to do for the intent; zero for never.
func (i *intent) due() time.Time {
	due := i.Later
	for e := range i.waiting {
		if due.IsZero() || e.Next.Before(due) {
			due = e.Next
		}
	}
	return due
}
