package app

import (
	"cmp"
	"context"
	"net/http"

	"secondring/api"
	"secondring/api/payment"
	"secondring/api/payment/sandbox"
	"secondring/api/rest"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// sandboxURL is where the gateway finds the sandbox: inside the process, so it
// works whatever port or proxy lies before the server.
const sandboxURL = "http://stripe.sandbox" + sandbox.Path

// cards is how this server is paid: at Stripe, or in the sandbox.
type cards struct {
	told   api.Stripe // to every browser
	calls  []rest.Call
	mounts map[string]http.Handler
	loops  []func(context.Context) // what has to run beside the calls

	config  payment.Config
	webhook later // where the sandbox takes its events
}

// later is a handler that is there before what it leads to. That is set once,
// before anything is served.
type later struct{ http.Handler }

// openMarket makes the market and the payments that it needs, each of which
// needs the other. Nothing is asked of Stripe yet.
func openMarket(ctx context.Context, s settings.Settings, store market.Store, secret []byte, o Options) (*market.Market, *cards, error) {
	purse, err := openPurse(ctx, store, s, o.Log)
	if err != nil {
		return nil, nil, err
	}
	c := &cards{
		told: api.Stripe{PublishableKey: s.Stripe.PublishableKey, Sandbox: s.Stripe.Sandbox()},
		config: payment.Config{
			Records: store, Clock: o.Clock, WebhookSecret: s.Stripe.WebhookSecret, Live: s.Stripe.Live(), Log: o.Log,
		},
	}
	gateway := payment.GatewayConfig{SecretKey: s.Stripe.SecretKey, Log: o.Log}
	if s.Stripe.Sandbox() {
		if err := c.openSandbox(&gateway, secret); err != nil {
			return nil, nil, err
		}
	}
	m := market.New(store, o.Clock, s.Rules, purse.noting(payment.NewGateway(gateway)))
	c.config.Market = m
	service, err := payment.New(c.config)
	if err != nil {
		return nil, nil, err
	}
	c.webhook.Handler, c.calls = service.Webhook(), service.Calls()
	c.loops = append(c.loops, market.NewCashier(m, o.Log).Run)
	return m, c, nil
}

// openSandbox leads the gateway to a sandbox with keys of its own.
func (c *cards) openSandbox(gateway *payment.GatewayConfig, secret []byte) error {
	secretKey, publishableKey, webhookSecret := sandbox.Keys(secret)
	c.config.WebhookSecret = cmp.Or(c.config.WebhookSecret, webhookSecret)
	box, err := sandbox.New(sandbox.Config{
		Records: c.config.Records, Clock: c.config.Clock, SecretKey: secretKey, PublishableKey: publishableKey,
		WebhookSecret: c.config.WebhookSecret, Webhook: &c.webhook, Log: c.config.Log,
	})
	if err != nil {
		return err
	}
	gateway.SecretKey, gateway.Client, gateway.URL = secretKey, box.Client(), sandboxURL
	c.told.PublishableKey = publishableKey
	c.mounts = map[string]http.Handler{sandbox.Path: box}
	c.loops = append(c.loops, box.Run)
	return nil
}
