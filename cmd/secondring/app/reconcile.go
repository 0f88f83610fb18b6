package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"secondring/cmd/secondring/datastore"

	"secondring/api/payment"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
)

// Reconcile compares the payments in the store that the settings name with those
// at the card provider, both since then. It changes nothing, and may run beside a
// server.
func Reconcile(ctx context.Context, s settings.Settings, since time.Time, log *slog.Logger) (done market.Reconciled, err error) {
	store, err := datastore.Open(ctx, s)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if _, err := openPaymentMode(ctx, store, s, log); err != nil {
		return done, err
	}
	provider, err := openProvider(ctx, s, store, log)
	if err != nil {
		return done, err
	}
	return market.Reconcile(ctx, store, provider, since, market.Pause)
}

// openProvider is the card provider without a server: Stripe, or the sandbox,
// which keeps its side in the same store.
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
	box, err := stripesandbox.New(stripesandbox.Config{
		Records: store, Clock: clock, SecretKey: secretKey, PublishableKey: publishableKey, WebhookSecret: webhookSecret, Log: log,
	})
	if err != nil {
		return nil, err
	}
	gateway.SecretKey, gateway.Client, gateway.URL = secretKey, box.Client(), sandboxURL
	return payment.NewGateway(gateway), nil
}
