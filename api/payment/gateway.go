package payment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v76"
	"github.com/stripe/stripe-go/v76/dispute"
	"github.com/stripe/stripe-go/v76/file"
	"github.com/stripe/stripe-go/v76/paymentintent"
	"github.com/stripe/stripe-go/v76/refund"

	"secondring/api/rest"
	"secondring/market"
)

const (
	attemptTimeout = 8 * time.Second // timeout of one attempt; the caller's context limits all attempts of a call
	retries        = 2               // retries after a broken connection, 409 or 503
)

// The names in an intent's metadata.
const (
	metaBooking = "booking"
	metaProduct = "product"
	metaBuyer   = "buyer"
	metaAttempt = "attempt"
	metaMarket  = "market" // the market that created the intent: several may share an account
)

// GatewayConfig is the configuration of a Gateway.
type GatewayConfig struct {
	SecretKey string
	Client    *http.Client // nil for a new one
	URL       string       // the base URL of Stripe's API; "" for Stripe itself
	Market    string       // the name of this market in its intents
	ReturnURL string       // the URL to which Stripe's onboarding page returns
	// Problem counts a problem with money, by one of the Problem… names; may be nil.
	Problem func(name string)
	Log     *slog.Logger
}

// Gateway is Stripe as market.Payments and market.PayoutProvider. It is safe for concurrent
// use.
type Gateway struct {
	intents  paymentintent.Client
	refunds  refund.Client
	disputes dispute.Client
	files    file.Client
	connect  connect
	market   string
	problem  func(name string)
	log      *slog.Logger
}

// NewGateway returns the gateway. It makes no network calls.
func NewGateway(c GatewayConfig) *Gateway {
	if c.Client == nil {
		c.Client = &http.Client{Timeout: attemptTimeout}
	}
	if c.Problem == nil {
		c.Problem = func(string) {}
	}
	backend, uploads := newBackend(c, stripe.APIBackend, stripe.APIURL), newBackend(c, stripe.UploadsBackend, stripe.UploadsURL)
	return &Gateway{
		intents:  paymentintent.Client{B: backend, Key: c.SecretKey},
		refunds:  refund.Client{B: backend, Key: c.SecretKey},
		disputes: dispute.Client{B: backend, Key: c.SecretKey},
		files:    file.Client{B: backend, BUploads: uploads, Key: c.SecretKey},
		connect:  newConnect(backend, c),
		market:   c.Market,
		problem:  c.Problem,
		log:      c.Log,
	}
}

// newBackend returns the library's connection to one of Stripe's servers, or to the one of the
// configuration.
func newBackend(c GatewayConfig, kind stripe.SupportedBackend, url string) stripe.Backend {
	return stripe.GetBackendWithConfig(kind, &stripe.BackendConfig{
		HTTPClient: rest.NoRedirects(c.Client), URL: new(cmp.Or(c.URL, url)),
		MaxNetworkRetries: new(int64(retries)), EnableTelemetry: new(false),
		LeveledLogger: libraryLog{c.Log},
	})
}

// OpenIntent creates the intent, or returns the current state of the existing one of the same
// order. Stripe remembers the order for about a day. After that it makes a second intent; a
// buyer gets its secret only after the market has stored it.
func (g *Gateway) OpenIntent(ctx context.Context, r market.IntentRequest) (market.Intent, error) {
	pi, err := g.newIntent(ctx, r)
	if r.Email != "" && paramOf(err) == "receipt_email" {
		r.Email = "" // no receipt, but a payment is possible
		pi, err = g.newIntent(ctx, r)
	}
	if err != nil {
		return market.Intent{}, g.wrapError(ctx, "open an intent for booking", r.BookingID, err)
	}
	if replayed(pi.LastResponse) { // the response has the state of the time when it was new
		return g.Intent(ctx, pi.ID)
	}
	return g.intentOf(pi), nil
}

func (g *Gateway) newIntent(ctx context.Context, r market.IntentRequest) (*stripe.PaymentIntent, error) {
	key := fmt.Sprintf("secondring-intent-%s-%d", r.BookingID, r.Attempt)
	fallback := key + "-" + fingerprint(r)
	return withKey([]string{key, fallback, fallback + "-2"}, isSpent, func(key string) (*stripe.PaymentIntent, error) {
		params := &stripe.PaymentIntentParams{
			Params:             stripe.Params{Context: ctx, IdempotencyKey: &key},
			Amount:             &r.Cents,
			Currency:           new(market.Currency),
			PaymentMethodTypes: stripe.StringSlice([]string{"card"}), // the methods that CardElement supports
			TransferGroup:      new(transferGroup(r.BookingID)),
			Metadata: map[string]string{
				metaBooking: r.BookingID, metaProduct: r.ProductID, metaBuyer: r.BuyerUID,
				metaAttempt: strconv.Itoa(r.Attempt), metaMarket: g.market,
			},
		}
		if r.About != "" {
			params.Description = &r.About
		}
		if r.Email != "" {
			params.ReceiptEmail = &r.Email
		}
		return g.intents.New(params)
	})
}

// fingerprint returns a hash of all parameters that are made from an order.
func fingerprint(r market.IntentRequest) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		r.ProductID, r.BuyerUID, r.Email, r.About, strconv.FormatInt(r.Cents, 10),
	}))
	return hex.EncodeToString(hash[:8])
}

// intentID is the form of Stripe's IDs of intents. Other texts are never sent, because they
// could change the URL of the request.
var intentID = regexp.MustCompile(`^pi_[A-Za-z0-9_]{1,200}$`)

// Intent returns the current state of an intent.
func (g *Gateway) Intent(ctx context.Context, id string) (market.Intent, error) {
	if !intentID.MatchString(id) {
		return market.Intent{}, market.ErrNoIntent
	}
	pi, err := g.intents.Get(id, &stripe.PaymentIntentParams{
		Params: stripe.Params{Context: ctx}, Expand: stripe.StringSlice([]string{"latest_charge.refunds"}),
	})
	if err != nil {
		return market.Intent{}, g.wrapError(ctx, "look at the intent", id, err)
	}
	return g.withDisputes(ctx, pi)
}

// Intents yields the intents that were made since a time, including those of other markets
// that share the account.
func (g *Gateway) Intents(ctx context.Context, since time.Time) iter.Seq2[market.Intent, error] {
	return func(yield func(market.Intent, error) bool) {
		params := &stripe.PaymentIntentListParams{
			ListParams: stripe.ListParams{Context: ctx, Limit: new(int64(listPage))},
			Expand:     stripe.StringSlice([]string{"data.latest_charge"}),
		}
		if !since.IsZero() {
			params.CreatedRange = &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()}
		}
		all := g.intents.List(params)
		for all.Next() {
			in, err := g.withDisputes(ctx, all.PaymentIntent())
			if !yield(in, err) || err != nil {
				return
			}
		}
		if err := all.Err(); err != nil {
			yield(market.Intent{}, g.wrapError(ctx, "list the intents of", g.market, err))
		}
	}
}

// listPage is how many intents are listed at once: Stripe's maximum.
const listPage = 100

// CancelIntent cancels the intent if that is still possible and returns its state.
func (g *Gateway) CancelIntent(ctx context.Context, id string) (market.Intent, error) {
	if !intentID.MatchString(id) {
		return market.Intent{}, market.ErrNoIntent
	}
	pi, err := g.intents.Cancel(id, &stripe.PaymentIntentCancelParams{
		Params:             stripe.Params{Context: ctx},
		CancellationReason: new(string(stripe.PaymentIntentCancellationReasonAbandoned)),
	})
	if codeOf(err) == stripe.ErrorCodePaymentIntentUnexpectedState { // paid, being paid, or cancelled already
		return g.Intent(ctx, id)
	}
	if err != nil {
		return market.Intent{}, g.wrapError(ctx, "cancel the intent", id, err)
	}
	return g.intentOf(pi), nil
}

// Refund refunds a succeeded intent in full, once for each attempt; repeated calls do
// nothing. Stripe does not refund a disputed charge. Refund logs that and returns nil: the
// market follows the dispute.
func (g *Gateway) Refund(ctx context.Context, id string, attempt int) error {
	if !intentID.MatchString(id) {
		return market.ErrNoIntent
	}
	key := "secondring-refund-" + id
	if attempt > 0 { // the earlier key would return the success of the failed refund
		key += "-again-" + strconv.Itoa(attempt)
		g.log.ErrorContext(ctx, "a refund has failed at Stripe and will be requested again", "intent", id, "attempt", attempt)
		g.problem(ProblemRefundFailed)
	}
	created, err := withKey([]string{key, key + "-2", key + "-3"}, isSpent, func(key string) (*stripe.Refund, error) {
		return g.refunds.New(&stripe.RefundParams{
			Params:        stripe.Params{Context: ctx, IdempotencyKey: &key},
			PaymentIntent: &id, Reason: new(string(stripe.RefundReasonRequestedByCustomer)),
		})
	})
	switch code := codeOf(err); {
	case code == stripe.ErrorCodeChargeAlreadyRefunded:
		return nil
	case code == stripe.ErrorCodeChargeDisputed:
		g.log.WarnContext(ctx, "Stripe refused a refund because the charge is disputed: the dispute decides who gets the money", "intent", id)
		return nil
	case err != nil:
		return g.wrapError(ctx, "refund the intent", id, err)
	case created.Status == stripe.RefundStatusFailed, created.Status == stripe.RefundStatusCanceled:
		return fmt.Errorf("payment: the refund %s of %s is %s: look at it in Stripe's dashboard", created.ID, id, created.Status)
	}
	return nil
}

// withKey makes a call with the first of the idempotency keys that is not spent. isSpent
// returns whether an error means that the key can only return the same failure again.
func withKey[T any](keys []string, isSpent func(error) bool, call func(key string) (T, error)) (T, error) {
	var got T
	var err error
	for _, key := range keys {
		if got, err = call(key); !isSpent(err) {
			break
		}
	}
	return got, err
}

// replayed returns whether Stripe repeated the response of an earlier call with the same
// idempotency key.
func replayed(response *stripe.APIResponse) bool {
	return response != nil && response.Header.Get("Idempotent-Replayed") == "true"
}

func (g *Gateway) intentOf(pi *stripe.PaymentIntent) market.Intent {
	in := market.Intent{
		ID: pi.ID, ClientSecret: pi.ClientSecret, Status: statusOf(pi.Status),
		Cents: pi.Amount, Currency: strings.ToLower(string(pi.Currency)),
		BookingID: pi.Metadata[metaBooking], ProductID: pi.Metadata[metaProduct], BuyerUID: pi.Metadata[metaBuyer],
		IsOwn: g.market != "" && pi.Metadata[metaMarket] == g.market,
	}
	if in.Status == market.IntentSucceeded {
		in.Cents = pi.AmountReceived
	}
	if charge := pi.LatestCharge; charge != nil {
		in.ChargeID, in.Returned = charge.ID, charge.Refunded
		in.FailedRefunds = failedRefunds(charge)
	}
	return in
}

func failedRefunds(charge *stripe.Charge) int {
	failed := 0
	if charge.Refunds == nil {
		return 0
	}
	for _, r := range charge.Refunds.Data {
		if r.Status == stripe.RefundStatusFailed || r.Status == stripe.RefundStatusCanceled {
			failed++
		}
	}
	return failed
}

func statusOf(s stripe.PaymentIntentStatus) market.IntentStatus {
	switch s {
	case stripe.PaymentIntentStatusSucceeded:
		return market.IntentSucceeded
	case stripe.PaymentIntentStatusCanceled:
		return market.IntentCancelled
	case stripe.PaymentIntentStatusProcessing:
		return market.IntentProcessing
	default:
		return market.IntentOpen
	}
}
