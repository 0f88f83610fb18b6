package payment

import (
	"errors"
	"log/slog"

	"secondring/market"
)

// Config is what a Service needs.
type Config struct {
	Market        *market.Market
	Records       market.DocumentStore // stores which events were handled
	Clock         market.Clock
	WebhookSecret string // what Stripe signs its events with
	ConnectSecret string // what Stripe signs the events of connected accounts with; "" if it sends none
	Live          bool   // the keys are for real money: events of test mode are none of ours, and the other way round
	// Problem counts a problem with money, by one of the Problem… names; may be nil.
	Problem func(name string)
	Log     *slog.Logger
}

// Payment problems that need an operator.
const (
	ProblemUnknownBooking = "unknown_booking" // a charge for a booking that is not there
	ProblemRefundFailed   = "refund_failed"   // a refund that was accepted and failed later
	ProblemShort          = "transfer_short"  // a transfer that cannot be taken back: the seller has too little money
)

// Service serves the calls about payments. It is safe for concurrent use.
type Service struct {
	market  *market.Market
	records market.DocumentStore
	clock   market.Clock
	secrets []string // that Stripe signs events with
	live    bool
	problem func(name string)
	log     *slog.Logger
}

// New makes the service. It returns an error without a webhook secret, because then
// anybody could sign events.
func New(c Config) (*Service, error) {
	if c.WebhookSecret == "" {
		return nil, errors.New("payment: there is no webhook secret")
	}
	if c.Problem == nil {
		c.Problem = func(string) {}
	}
	return &Service{
		problem: c.Problem, market: c.Market, records: c.Records, clock: c.Clock, secrets: secretsOf(c), live: c.Live, log: c.Log,
	}, nil
}

func secretsOf(c Config) []string {
	if c.ConnectSecret == "" {
		return []string{c.WebhookSecret}
	}
	return []string{c.WebhookSecret, c.ConnectSecret}
}
