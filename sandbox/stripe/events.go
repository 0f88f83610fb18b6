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
	Request string          `json:"request,omitempty"` // the ID of the request that caused it
	Key     string          `json:"key,omitempty"`     // its Idempotency-Key
	Account string          `json:"account,omitempty"` // the connected account that it is about
	Object  json.RawMessage `json:"object"`            // the object at that time
	Tries   int             `json:"tries,omitempty"`
	Next    time.Time       `json:"next"` // when it is to be sent
}

// addEvent adds an event to the intent's document, which is saved together with the change.
// Without a webhook there are no events.
func (s *Sandbox) addEvent(i *intent, c *call, kind string, data object) {
	if s.config.Webhook == nil {
		return
	}
	e := s.newEvent(kind, data)
	e.Request, e.Key = c.request, c.key
	i.Events = append(i.Events, e)
	if over := len(i.Events) - maxEvents; over > 0 {
		s.config.Log.Warn("undelivered webhook events dropped", "intent", i.ID, "events", over)
		i.Events = append([]event(nil), i.Events[over:]...)
	}
}

// newEvent returns an event that is to be sent at once.
func (s *Sandbox) newEvent(kind string, data object) event {
	body, err := json.Marshal(data)
	if err != nil { // impossible for the types of an object
		panic(err)
	}
	now := s.config.Clock.Now()
	return event{ID: "evt_" + rand.Text(), Type: kind, Created: now.Unix(), Object: body, Next: now}
}

// body returns the event as JSON: the same bytes for each attempt.
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

// triesInOrder is the number of attempts during which an event delays the later events of its
// intent. The events of one intent are sent in their order until then.
const triesInOrder = 3

// retryDelays are the delays after the first attempts; the last one is used for all later attempts.
var retryDelays = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour}

// eventLifetime is how long the delivery of an event is attempted.
const eventLifetime = 3 * 24 * time.Hour

// countTry counts an attempt to send the event, and sets the time of the next one.
func (e *event) countTry(now time.Time) {
	e.Tries++
	e.Next = now.Add(retryDelay(e.Tries))
}

// hasExpired reports whether the event could not be delivered within eventLifetime. An event that
// was never sent, because no process was running, has not expired.
func (e *event) hasExpired(now time.Time) bool {
	return e.Tries > 0 && now.Sub(time.Unix(e.Created, 0)) >= eventLifetime
}

// retryDelay returns how long to wait after an attempt, counted from 1.
func retryDelay(try int) time.Duration { return retryDelays[min(try, len(retryDelays))-1] }

// sendable yields the events that may be sent without breaking their order, oldest first.
func (i *intent) sendable(yield func(e *event) bool) {
	for at := range i.Events {
		if !yield(&i.Events[at]) || i.Events[at].Tries < triesInOrder {
			return
		}
	}
}

// due returns when the intent is to be processed; zero for never.
func (i *intent) due() time.Time {
	due := i.NextAt
	for e := range i.sendable {
		if due.IsZero() || e.Next.Before(due) {
			due = e.Next
		}
	}
	return due
}
