package payment

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/webhook"

	"secondring/api/rest"
	"secondring/market"
)

// WebhookPath is the path to which Stripe sends its events.
const WebhookPath = "/stripe/webhook"

const (
	maxEvent = 1 << 20 // bytes
	// maxAge is how much an event's time may differ from the server's, in both directions.
	// Stripe signs an event again each time it repeats it.
	maxAge    = 5 * time.Minute
	eventKind = "stripe.event"
	// eventRetention is how long a handled event is remembered. Stripe repeats an event for up
	// to three days, and shows it for thirty.
	eventRetention = 30 * 24 * time.Hour
)

// Received is the response to an event.
type Received struct {
	Received  bool `json:"received"`
	Duplicate bool `json:"duplicate,omitempty" doc:"True if the event was handled before, so nothing was done. Absent otherwise"`
}

// Webhook returns the webhook as a handler, for a sandbox in the same process.
func (s *Service) Webhook() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.handleWebhook(w, r); err != nil {
			rest.Fail(w, r, s.log, err)
		}
	})
}

// handleWebhook handles one event. The event only causes a request to Stripe for the state
// of the payment. It is stored as handled after the payment was applied, so that Stripe
// repeats it after a crash. It is safe to handle an event twice.
func (s *Service) handleWebhook(w http.ResponseWriter, r *http.Request) error {
	event, err := s.event(w, r)
	if err != nil {
		return err
	}
	response := Received{Received: true}
	apply := s.actionFor(event)
	switch {
	case apply == nil:
	case event.Livemode != s.live:
		s.log.WarnContext(r.Context(), "webhook event has the wrong mode, live or test: check the endpoint at Stripe",
			"event", event.ID, "live", event.Livemode)
	default:
		if response.Duplicate, err = s.handleOnce(r, event, apply); err != nil {
			return err
		}
	}
	rest.JSON(w, http.StatusOK, response)
	return nil
}

// event reads the event of a request. It returns an error if Stripe has not signed it, or
// its time is more than maxAge from now.
func (s *Service) event(w http.ResponseWriter, r *http.Request) (stripe.Event, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return stripe.Event{}, rest.NewError(rest.CodeTooLarge, "The event is larger than 1 MB")
	}
	if err != nil {
		return stripe.Event{}, rest.NewError(market.CodeBadRequest, "The event could not be read to its end")
	}
	signature := r.Header.Get("Stripe-Signature")
	event, err := signedEvent(raw, signature, s.secrets)
	if err != nil || event.ID == "" {
		s.log.WarnContext(r.Context(), "webhook signature invalid: check STRIPE_WEBHOOK_SECRET",
			"id", rest.RequestID(r.Context()))
		return stripe.Event{}, rest.NewError(market.CodeBadRequest, "Stripe has not signed this")
	}
	if !s.isRecent(signature) {
		s.log.WarnContext(r.Context(), "webhook signature too old or in the future: a replay or a wrong clock",
			"event", event.ID)
		return stripe.Event{}, rest.NewError(market.CodeBadRequest, "The signature is too old or in the future")
	}
	return event, nil
}

// signedEvent parses an event that was signed with one of the secrets.
func signedEvent(raw []byte, signature string, secrets []string) (event stripe.Event, err error) {
	for _, secret := range secrets {
		// The library would use the machine's clock, and accept events with a time in the
		// future.
		event, err = webhook.ConstructEventWithOptions(raw, signature, secret,
			webhook.ConstructEventOptions{IgnoreTolerance: true, IgnoreAPIVersionMismatch: true})
		if err == nil {
			break
		}
	}
	return event, err
}

// isRecent returns whether the time of a valid signature is recent.
func (s *Service) isRecent(signature string) bool {
	var times []string
	for part := range strings.SplitSeq(signature, ",") {
		if name, value, _ := strings.Cut(part, "="); name == "t" {
			times = append(times, value)
		}
	}
	if len(times) != 1 { // with several it is unclear which one was signed
		return false
	}
	seconds, err := strconv.ParseInt(times[0], 10, 64)
	return err == nil && s.clock.Now().Sub(time.Unix(seconds, 0)).Abs() <= maxAge
}

// actionFor returns the function that handles an event; nil if it is ignored.
func (s *Service) actionFor(e stripe.Event) func(context.Context) error {
	if id := intentIDOf(e); id != "" {
		return func(ctx context.Context) error { return s.market.ApplyPayment(ctx, id) }
	}
	if id := accountIDOf(e); id != "" {
		return func(ctx context.Context) error { return s.market.RefreshPayoutAccount(ctx, id) }
	}
	return nil
}

// accountIDOf returns the ID of the connected account that an event is about; "" if there
// is none.
func accountIDOf(e stripe.Event) string {
	if e.Data == nil || e.Data.Object["object"] != "account" {
		return ""
	}
	id, _ := e.Data.Object["id"].(string)
	return id
}

// intentIDOf returns the ID of the payment intent that an event is about; "" if there is
// none.
func intentIDOf(e stripe.Event) string {
	if e.Data == nil {
		return ""
	}
	field := "payment_intent"
	switch e.Data.Object["object"] {
	case "payment_intent":
		field = "id"
	case "charge", "refund", "dispute":
	default:
		return ""
	}
	id, _ := e.Data.Object[field].(string) // null for a charge without an intent
	return id
}

// handleOnce applies an event, unless it was handled before.
func (s *Service) handleOnce(r *http.Request, event stripe.Event, apply func(context.Context) error) (duplicate bool, err error) {
	ctx := r.Context()
	if _, err := s.records.Record(ctx, eventKind, event.ID); !errors.Is(err, market.ErrNotFound) {
		return err == nil, err
	}
	err = apply(ctx)
	switch {
	case errors.Is(err, market.ErrPaymentsUnavailable):
		return false, rest.NewError(market.CodeUnavailable, "Stripe cannot be reached right now. Please send this again")
	case errors.Is(err, market.ErrRefundWaits):
		return false, rest.NewError(market.CodeUnavailable, "A refund has failed and is made again later. Please send this again")
	case errors.Is(err, market.ErrNoBooking):
		s.log.ErrorContext(ctx, "payment without a booking: it is refunded if this market created the intent",
			"intent", intentIDOf(event), "event", event.ID)
		s.problem(ProblemUnknownBooking)
	case market.CodeOf(err) == market.CodeInvalid: // a repetition would have the same result
		s.log.ErrorContext(ctx, "payment does not match its booking: check it at Stripe",
			"intent", intentIDOf(event), "event", event.ID)
	case err != nil:
		return false, err
	}
	err = s.records.AddRecord(ctx, market.Record{
		Kind: eventKind, ID: event.ID, Expires: s.clock.Now().Add(eventRetention), Version: 1,
	}, nil)
	if errors.Is(err, market.ErrExists) { // a concurrent request with the same event
		return false, nil
	}
	return false, err
}
