// Package payment implements card payments: the Stripe client behind market.Payments, the routes
// that create and record a payment, the webhook for Stripe's events, and the transfers to
// sellers.
//
// Start at routes.go for the routes, and at gateway.go for the client. webhook.go receives
// events, disputes.go reads disputes; payouts.go has sellers' accounts at Stripe and
// transfers.
//
// There is one code path. Without Stripe's keys the same client calls the sandbox inside
// the process, which has the same API.
package payment
