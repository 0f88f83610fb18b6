package datastore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"secondring/api/payment"
	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
)

// The seeder pays in the sandbox, so that the payments of the demo's orders can be refunded
// and agree with the provider's.

// The seeder's keys for the sandbox. The server uses other keys.
const (
	seedSecretKey = "sk_test_seed"
	seedKey       = "pk_test_seed"
	seedWebhook   = "whsec_seed"
	seedURL       = "http://stripe.sandbox" + stripesandbox.Path
)

// seedProvider is the sandbox with a clock that stands still.
type seedProvider struct {
	*payment.Gateway
	client *http.Client
}

// providerAt returns the sandbox with its clock at t.
func (s *seeder) providerAt(t time.Time) seedProvider {
	log := slog.New(slog.DiscardHandler)
	sandbox := stripesandbox.New(stripesandbox.Config{
		Records: s.store, Clock: fixedClock(t), SecretKey: seedSecretKey, PublishableKey: seedKey, WebhookSecret: seedWebhook, Log: log,
	})
	return seedProvider{
		Gateway: payment.NewGateway(payment.GatewayConfig{SecretKey: seedSecretKey, Client: sandbox.Client(), URL: seedURL, Log: log}),
		client:  sandbox.Client(),
	}
}

// confirm charges a card for the intent.
func (p seedProvider) confirm(ctx context.Context, intent string) error {
	form := url.Values{"payment_method": {"pm_card_visa"}}.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, seedURL+"/v1/payment_intents/"+intent+"/confirm", strings.NewReader(form))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+seedSecretKey)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := p.client.Do(r)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		err = fmt.Errorf("pay in the sandbox: %s", response.Status)
	}
	return errors.Join(err, response.Body.Close())
}

// charge pays for a booking and returns the ID of the payment intent.
func (s *seeder) charge(ctx context.Context, b market.Booking, when time.Time) (intent string, err error) {
	provider := s.providerAt(when)
	const cents = 100
	opened, err := provider.OpenIntent(ctx, market.IntentRequest{
		BookingID: b.ID, ProductID: b.ProductID, BuyerUID: b.BuyerUID, Cents: int64(b.Price) * cents, Email: b.Email, About: b.ProductName,
	})
	if err != nil {
		return "", err
	}
	if err := provider.confirm(ctx, opened.ID); err != nil {
		return "", err
	}
	return opened.ID, market.New(s.store, fixedClock(when), s.rules, provider).ApplyPayment(ctx, opened.ID)
}

// refund refunds a payment at the provider and applies the refund to the market.
func (s *seeder) refund(ctx context.Context, intent string, when time.Time) error {
	provider := s.providerAt(when)
	if err := provider.Refund(ctx, intent, 0); err != nil {
		return err
	}
	return market.New(s.store, fixedClock(when), s.rules, provider).ApplyPayment(ctx, intent)
}
