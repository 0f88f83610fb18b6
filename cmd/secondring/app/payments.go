package app

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"secondring/api/payment"
	"secondring/api/rest"
	"secondring/api/site"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
)

// sandboxURL is the base URL of the sandbox for the gateway. Its requests stay inside
// the process, so it works behind any port or proxy.
const sandboxURL = "http://stripe.sandbox" + stripesandbox.Path

// earningsPath is the path of the client's screen to which Stripe's onboarding page returns.
const earningsPath = "/dashboard/earnings"

// paymentSetup has what the server needs for card payments, at Stripe or in the sandbox.
type paymentSetup struct {
	client site.Stripe // sent to every browser
	routes []rest.Route
	mounts map[string]http.Handler
	work   []market.Work // of the sandbox

	config  payment.Config
	webhook deferredHandler // receives the sandbox's events
}

// deferredHandler is a handler that is set once, after the creation of those that use it and
// before anything is served.
type deferredHandler struct{ http.Handler }

// openMarket creates the market and its payments together, because each needs the other. It
// does not call Stripe.
func openMarket(ctx context.Context, s settings.Settings, store market.Store, secret []byte, counts *metrics, o Options) (*market.Market, *paymentSetup, error) {
	mode, err := openPaymentMode(ctx, store, s, o.Log)
	if err != nil {
		return nil, nil, err
	}
	name, err := marketName(ctx, store, o.Clock)
	if err != nil {
		return nil, nil, err
	}
	p := &paymentSetup{
		client: site.Stripe{PublishableKey: s.Stripe.PublishableKey, Sandbox: s.Stripe.Sandbox()},
		config: payment.Config{
			Records: store, Clock: o.Clock, WebhookSecret: s.Stripe.WebhookSecret, ConnectSecret: s.Stripe.ConnectSecret, Live: s.Stripe.Live(),
			Problem: counts.countPaymentProblem, Log: o.Log,
		},
	}
	gateway := payment.GatewayConfig{
		SecretKey: s.Stripe.SecretKey, Market: name, ReturnURL: s.PublicURL.JoinPath(earningsPath).String(), Problem: counts.countPaymentProblem, Log: o.Log,
	}
	if s.Stripe.Sandbox() {
		p.openSandbox(&gateway, secret)
	}
	provider := payment.NewGateway(gateway)
	m := market.New(store, o.Clock, s.Rules, mode.wrap(provider))
	m.UsePayouts(provider)
	m.UseCounters(counts)
	p.config.Market = m
	service, err := payment.New(p.config)
	if err != nil {
		return nil, nil, err
	}
	p.webhook.Handler, p.routes = service.Webhook(), service.Routes()
	return m, p, nil
}

// metaName is the key of the setting of the store that is the market's name at the card
// provider.
const metaName = "market.name"

// marketName returns the name that distinguishes this market's intents from those of other
// markets with the same account at the card provider. A store gets its name once, and
// backups contain it.
func marketName(ctx context.Context, store market.Store, clock market.Clock) (string, error) {
	name, err := store.Meta(ctx, metaName)
	if err != nil || name != "" {
		return name, err
	}
	name = market.NewID(clock.Now())
	err = store.SetMeta(ctx, metaName, name)
	if errors.Is(err, market.ErrExists) { // another node was faster
		return store.Meta(ctx, metaName)
	}
	return name, err
}

// openSandbox connects the gateway to a sandbox with its own keys.
func (p *paymentSetup) openSandbox(gateway *payment.GatewayConfig, secret []byte) {
	secretKey, publishableKey, webhookSecret := stripesandbox.Keys(secret)
	p.config.WebhookSecret = cmp.Or(p.config.WebhookSecret, webhookSecret)
	sandbox := stripesandbox.New(stripesandbox.Config{
		Records: p.config.Records, Clock: p.config.Clock, SecretKey: secretKey, PublishableKey: publishableKey,
		WebhookSecret: p.config.WebhookSecret, Webhook: &p.webhook, Log: p.config.Log,
	})
	gateway.SecretKey, gateway.Client, gateway.URL = secretKey, sandbox.Client(), sandboxURL
	p.client.PublishableKey = publishableKey
	p.mounts = map[string]http.Handler{stripesandbox.Path: sandbox}
	p.work = sandbox.Work()
}
