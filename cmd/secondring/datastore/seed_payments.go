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

// The seeder pays in the sandbox, so that the demo's orders can go on: their payments can be
// refunded, and agree with the provider's.

// The seeder's keys for the sandbox. The server has others.
const (
	seedSecretKey = "sk_test_seed"
	seedKey       = "pk_test_seed"
	seedWebhook   = "whsec_seed"
	seedURL       = "http://stripe.sandbox" + stripesandbox.Path
)

// seedBank is the sandbox at one moment.
type seedBank struct {
	*payment.Gateway
	client *http.Client
}

func (s *seeder) bankAt(when time.Time) (seedBank, error) {
	log := slog.New(slog.DiscardHandler)
	box, err := stripesandbox.New(stripesandbox.Config{
		Records: s.store, Clock: fixedClock(when), SecretKey: seedSecretKey, PublishableKey: seedKey, WebhookSecret: seedWebhook, Log: log,
	})
	if err != nil {
		return seedBank{}, err
	}
	return seedBank{
		Gateway: payment.NewGateway(payment.GatewayConfig{SecretKey: seedSecretKey, Client: box.Client(), URL: seedURL, Log: log}),
		client:  box.Client(),
	}, nil
}

// confirm charges a card for the intent.
func (b seedBank) confirm(ctx context.Context, intent string) error {
	form := url.Values{"payment_method": {"pm_card_visa"}}.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, seedURL+"/v1/payment_intents/"+intent+"/confirm", strings.NewReader(form))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+seedSecretKey)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := b.client.Do(r)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("pay in the sandbox: %s", answer.Status)
	}
	return errors.Join(err, answer.Body.Close())
}

// charge pays for a booking, and returns the payment's intent.
func (s *seeder) charge(ctx context.Context, b market.Booking, when time.Time) (intent string, err error) {
	bank, err := s.bankAt(when)
	if err != nil {
		return "", err
	}
	const cents = 100
	in, err := bank.OpenIntent(ctx, market.IntentRequest{
		BookingID: b.ID, ProductID: b.ProductID, BuyerUID: b.BuyerUID, Cents: int64(b.Price) * cents, Email: b.Email, About: b.ProductName,
	})
	if err != nil {
		return "", err
	}
	if err := bank.confirm(ctx, in.ID); err != nil {
		return "", err
	}
	return in.ID, market.New(s.store, fixedClock(when), s.rules, bank).Settle(ctx, in.ID)
}

// refund refunds a payment at the provider.
func (s *seeder) refund(ctx context.Context, intent string, when time.Time) error {
	bank, err := s.bankAt(when)
	if err != nil {
		return err
	}
	if err := bank.Refund(ctx, intent, 0); err != nil {
		return err
	}
	return market.New(s.store, fixedClock(when), s.rules, bank).Settle(ctx, intent)
}
