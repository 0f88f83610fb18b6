package stripe

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

const (
	// apiVersion is the version of Stripe's API that the sandbox implements: the one of stripe-go v76.
	apiVersion     = "2023-10-16"
	runConcurrency = 8 // documents that are processed at the same time
	deliverTimeout = 10 * time.Second
	maxTries       = 76 // attempts to send an event: about three days
	maxDelay       = time.Hour
)

// event is a change that is sent to the product's webhook.
type event struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Created int64           `json:"created"`
	Object  json.RawMessage `json:"object"` // the object at that time
	Tries   int             `json:"tries,omitempty"`
	Next    time.Time       `json:"next"` // when it is to be sent
}

// outbox has the undelivered event of a document.
type outbox struct {
	Event *event `json:"event,omitempty"` // nil after it was delivered
}

func (o outbox) due() time.Time {
	if o.Event == nil {
		return time.Time{}
	}
	return o.Event.Next
}

// addEvent adds an event to the document, which is saved together with the change. Without a
// webhook there are no events. The event replaces one that was not delivered yet: the product reads
// the current state of the object that an event names. Stripe sends both, in any order.
func (s *Sandbox) addEvent(o *outbox, kind string, about object) {
	if s.config.Webhook == nil {
		return
	}
	body, err := json.Marshal(about)
	if err != nil { // impossible for the types of an object
		panic(err)
	}
	o.Event = &event{ID: "evt_" + rand.Text(), Type: kind, Created: s.now().Unix(), Object: body, Next: s.now()}
}

// Work returns the work that sends events and lets banks decide. Any number of nodes may do it at once.
func (s *Sandbox) Work() []market.Work {
	return []market.Work{
		work(s, func(i *intent) *outbox {
			s.applyDue(i)
			return &i.outbox
		}),
		work(s, func(a *account) *outbox { return &a.outbox }),
	}
}

// Step processes all documents that are due now, once.
func (s *Sandbox) Step(ctx context.Context) error {
	var errs []error
	for _, w := range s.Work() {
		_, err := w.Step(ctx)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// work returns the work on the due documents of one kind. prepare applies a due transition and returns
// the outbox of the document.
func work[D document](s *Sandbox, prepare func(*D) *outbox) market.Work {
	var kind D
	due := market.DueRecords(s.config.Clock, s.config.Records, kind.kind(), runConcurrency, func(ctx context.Context, r market.Record) error {
		return process(ctx, s, r.ID, prepare)
	})
	return market.Work{Name: "payment sandbox: " + kind.kind(), Queue: kind.kind(), Step: due.Step}
}

// process sends the event of a document if it is due. The attempt and the time of the next one are
// stored before the event is sent, so that a crash during sending needs no repair and no other node
// sends it at the same time.
func process[D document](ctx context.Context, s *Sandbox, id string, prepare func(*D) *outbox) error {
	var e *event
	_, err := change(ctx, s, id, func(d *D) error {
		e = nil
		if (*d).due().After(s.now()) { // another process was faster
			return errUnchanged
		}
		o := prepare(d)
		switch {
		case o.Event == nil || o.Event.Next.After(s.now()):
		case s.config.Webhook == nil: // the event is from an earlier run with a webhook
			o.Event = nil
		case o.Event.Tries >= maxTries:
			s.config.Log.ErrorContext(ctx, "webhook delivery abandoned", "event", o.Event.ID, "type", o.Event.Type, "object", id, "tries", o.Event.Tries)
			o.Event = nil
		default:
			o.Event.countTry(s.now())
			e = o.Event
		}
		return nil
	})
	if err != nil || e == nil || !s.isAccepted(ctx, e) {
		return err
	}
	_, err = change(ctx, s, id, func(d *D) error {
		if o := prepare(d); o.Event != nil && o.Event.ID == e.ID {
			o.Event = nil
		}
		return nil
	})
	return err
}

// isAccepted sends an event, and reports whether the product has accepted it.
func (s *Sandbox) isAccepted(ctx context.Context, e *event) bool {
	err := s.deliver(ctx, e)
	if err != nil && ctx.Err() == nil {
		s.config.Log.WarnContext(ctx, "webhook delivery failed and will be retried", "event", e.ID, "type", e.Type, "tries", e.Tries, "error", err)
	}
	return err == nil
}

// countTry counts an attempt to send the event, and sets the time of the next one: after one
// second, then four times as long each time, up to maxDelay.
func (e *event) countTry(now time.Time) {
	delay := maxDelay
	if e.Tries < 6 {
		delay = min(time.Second<<(2*e.Tries), maxDelay)
	}
	e.Tries++
	e.Next = now.Add(delay)
}

// deliver posts an event to the product. It returns an error if the product did not accept it.
func (s *Sandbox) deliver(ctx context.Context, e *event) (err error) {
	o := object{
		"id": e.ID, "object": "event", "api_version": apiVersion, "created": e.Created, "livemode": false, "type": e.Type,
		"data": object{"object": e.Object},
	}
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost"+webhookPath, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Stripe-Signature", s.sign(body))
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("the handler panicked: %v", broken)
		}
	}()
	response, err := rest.InProcess(s.config.Webhook).Do(r)
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		err = errors.New("status " + strconv.Itoa(response.StatusCode))
	}
	return errors.Join(err, response.Body.Close())
}

// sign returns the value of the header Stripe-Signature
// (https://docs.stripe.com/webhooks#verify-manually).
func (s *Sandbox) sign(body []byte) string {
	t := strconv.FormatInt(s.now().Unix(), 10)
	return "t=" + t + ",v1=" + mac([]byte(s.config.WebhookSecret), t+"."+string(body))
}
