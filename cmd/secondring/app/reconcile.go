package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"secondring/api/payment"
	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
)

// Reconciler compares the market's payments with those at the card provider, and repairs the
// differences. A server may run meanwhile.
type Reconciler struct {
	market   *market.Market
	store    market.Store
	provider *payment.Gateway
	log      *slog.Logger
}

// OpenReconciler opens the store that the settings name, and the card provider.
func OpenReconciler(ctx context.Context, s settings.Settings, log *slog.Logger) (*Reconciler, error) {
	store, err := datastore.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	if _, err := openPaymentMode(ctx, store, s, log); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	provider, err := openProvider(ctx, s, store, log)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	m := market.New(store, market.SystemClock{}, s.Rules, provider)
	m.UsePayouts(provider)
	return &Reconciler{market: m, store: store, provider: provider, log: log}, nil
}

// Compare compares all payments since a time. It changes nothing.
func (r *Reconciler) Compare(ctx context.Context, since time.Time) (market.Reconciled, error) {
	return market.Reconcile(ctx, r.store, r.provider, since, market.Pause)
}

// Repair repairs the differences that can be repaired automatically. It logs a repair that
// fails and continues. A server on the same store reads the events of the changes from the
// outbox.
func (r *Reconciler) Repair(ctx context.Context, differences []market.Difference) {
	for _, d := range differences {
		if d.Advice != "" {
			continue
		}
		log := r.log.With("intent", d.IntentID, "booking", d.BookingID, "problem", d.Problem)
		if err := r.market.Repair(ctx, d.IntentID); err != nil {
			log.ErrorContext(ctx, "payment not repaired", "error", err)
			continue
		}
		log.WarnContext(ctx, "payment repaired")
	}
}

// Close closes the store.
func (r *Reconciler) Close() error { return r.store.Close() }

// openProvider returns the gateway to the card provider for a process without a server. The
// provider is Stripe, or the sandbox, whose state is in the same store.
func openProvider(ctx context.Context, s settings.Settings, store market.Store, log *slog.Logger) (*payment.Gateway, error) {
	clock := market.SystemClock{}
	name, err := marketName(ctx, store, clock)
	if err != nil {
		return nil, err
	}
	gateway := payment.GatewayConfig{SecretKey: s.Stripe.SecretKey, Market: name, Log: log}
	if !s.Stripe.Sandbox() {
		return payment.NewGateway(gateway), nil
	}
	secret, err := datastore.TokenSecret(s)
	if err != nil {
		return nil, err
	}
	secretKey, publishableKey, webhookSecret := stripesandbox.Keys(secret)
	sandbox := stripesandbox.New(stripesandbox.Config{
		Records: store, Clock: clock, SecretKey: secretKey, PublishableKey: publishableKey, WebhookSecret: webhookSecret, Log: log,
	})
	gateway.SecretKey, gateway.Client, gateway.URL = secretKey, sandbox.Client(), sandboxURL
	return payment.NewGateway(gateway), nil
}
