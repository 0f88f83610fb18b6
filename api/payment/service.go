package payment

import (
	"errors"
	"log/slog"

	"secondring/market"
)

// Config is the configuration of a Service.
type Config struct {
	Market        *market.Market
	Records       market.DocumentStore // stores which events were handled
	Clock         market.Clock
	WebhookSecret string // the secret with which Stripe signs its events
	ConnectSecret string // the secret with which Stripe signs the events of connected accounts; "" if it sends none
	Live          bool   // true with keys for real money; events of the other mode are ignored
	// Problem counts a problem with money, by one of the Problem… names; may be nil.
	Problem func(name string)
	Log     *slog.Logger
}

// Payment problems that need an operator.
const (
	ProblemUnknownBooking = "unknown_booking" // a charge for an unknown booking
	ProblemRefundFailed   = "refund_failed"   // an accepted refund has failed later
	ProblemShort          = "transfer_short"  // a transfer cannot be reversed: the seller's account has too little money
)

// Service has the routes of payments. It is safe for concurrent use.
type Service struct {
	market  *market.Market
	records market.DocumentStore
	clock   market.Clock
	secrets []string // secrets with which Stripe may sign events
	live    bool
	problem func(name string)
	log     *slog.Logger
}

// New returns the service. It returns an error without a webhook secret, because then
// anybody could send events.
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
