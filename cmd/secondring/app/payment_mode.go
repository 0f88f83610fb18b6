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

// The kind of money is noted in the store before the first payment of that kind, each kind
// under a name of its own.
const (
	purseSandbox = "payments.sandbox"
	purseTest    = "payments.test"
	purseLive    = "payments.live"
)

// paymentMode is the kind of money that this server takes: real money, or test money
// of Stripe's test mode or of the sandbox.
type paymentMode struct {
	store market.Store
	name  string
	noted atomic.Bool
}

// openPaymentMode refuses a store in which payments were made with the other kind of
// money: a phone sold for test money must not look as if it was paid for. A store
// without payments takes either kind.
func openPaymentMode(ctx context.Context, store market.Store, s settings.Settings, log *slog.Logger) (*paymentMode, error) {
	p := &paymentMode{store: store, name: purseTest}
	switch {
	case s.Stripe.Sandbox():
		p.name = purseSandbox
	case s.Stripe.Live():
		p.name = purseLive
	}
	setting, words := s.Store()
	for _, name := range []string{purseSandbox, purseTest, purseLive} {
		noted, err := store.Meta(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("read what the store was paid with: %w", err)
		}
		switch {
		case noted == "" || name == p.name:
		case name == purseLive:
			return nil, &settings.Error{
				Setting: "STRIPE_SECRET_KEY", Problem: "is for play money, but the market in " + words + " has taken real money",
				Fix: "set its live keys, or name another " + setting,
			}
		case p.name == purseLive:
			return nil, &settings.Error{
				Setting: "STRIPE_SECRET_KEY", Problem: "is for real money, but in " + words + " phones were paid for with play money",
				Fix: "name an empty " + setting + " for the real market",
			}
		default:
			log.WarnContext(ctx, "payments that were begun with other play money are given up", "begun", name, "now", p.name)
		}
	}
	return p, nil
}

// noting notes the kind of money with the first payment.
func (p *paymentMode) noting(payments market.Payments) market.Payments {
	return modeNotingPayments{Payments: payments, purse: p}
}

type modeNotingPayments struct {
	market.Payments
	purse *paymentMode
}

// OpenIntent opens the intent and notes the kind of money before it can be paid.
func (n modeNotingPayments) OpenIntent(ctx context.Context, r market.IntentRequest) (market.Intent, error) {
	in, err := n.Payments.OpenIntent(ctx, r)
	if err != nil || n.purse.noted.Load() {
		return in, err
	}
	err = n.purse.store.SetMeta(ctx, n.purse.name, "begun")
	if err != nil && !errors.Is(err, market.ErrExists) {
		return market.Intent{}, fmt.Errorf("note what the store is paid with: %w", err)
	}
	n.purse.noted.Store(true)
	return in, nil
}
