package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// The payment modes. Each is the key of a setting of the store, which is written before the
// first payment of that mode.
const (
	modeSandbox = "payments.sandbox"
	modeTest    = "payments.test"
	modeLive    = "payments.live"
)

// paymentMode is the mode of this server's payments: Stripe's live mode with real money, or
// Stripe's test mode or the sandbox with test money.
type paymentMode struct {
	store    market.Store
	key      string      // of the setting in the store
	recorded atomic.Bool // the setting was written
}

// openPaymentMode returns the payment mode of the settings. It returns a settings error if
// the store has payments with test money and the server is for real money, or the reverse:
// a phone sold for test money must not look as if it was paid for.
func openPaymentMode(ctx context.Context, store market.Store, s settings.Settings, log *slog.Logger) (*paymentMode, error) {
	mode := &paymentMode{store: store, key: modeTest}
	switch {
	case s.Stripe.Sandbox():
		mode.key = modeSandbox
	case s.Stripe.Live():
		mode.key = modeLive
	}
	setting, description := s.Store()
	for _, key := range []string{modeSandbox, modeTest, modeLive} {
		recorded, err := store.Meta(ctx, key)
		if err != nil {
			return nil, fmt.Errorf("read what the store was paid with: %w", err)
		}
		switch {
		case recorded == "" || key == mode.key:
		case key == modeLive:
			return nil, &settings.Error{
				Setting: "STRIPE_SECRET_KEY", Problem: "is for test money, but the market in " + description + " has taken real money",
				Fix: "set its live keys, or name another " + setting,
			}
		case mode.key == modeLive:
			return nil, &settings.Error{
				Setting: "STRIPE_SECRET_KEY", Problem: "is for real money, but in " + description + " phones were paid for with test money",
				Fix: "name an empty " + setting + " for the real market",
			}
		default:
			log.WarnContext(ctx, "unfinished payments with other test money cannot be completed", "before", key, "now", mode.key)
		}
	}
	return mode, nil
}

// wrap returns payments that record the mode in the store before the first one can be paid.
func (m *paymentMode) wrap(payments market.Payments) market.Payments {
	return modeRecordingPayments{Payments: payments, mode: m}
}

type modeRecordingPayments struct {
	market.Payments
	mode *paymentMode
}

// OpenIntent opens the intent and records the payment mode.
func (p modeRecordingPayments) OpenIntent(ctx context.Context, r market.IntentRequest) (market.Intent, error) {
	intent, err := p.Payments.OpenIntent(ctx, r)
	if err != nil || p.mode.recorded.Load() {
		return intent, err
	}
	err = p.mode.store.SetMeta(ctx, p.mode.key, "begun")
	if err != nil && !errors.Is(err, market.ErrExists) {
		return market.Intent{}, fmt.Errorf("record the payment mode of the store: %w", err)
	}
	p.mode.recorded.Store(true)
	return intent, nil
}
