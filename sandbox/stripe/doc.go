// Package stripe is the sandbox for card payments: a server with the part of Stripe's API
// that this product uses. It runs where there are no Stripe keys: in the demo, in
// development and in tests. It moves no money. It implements Stripe's rules for payment intents,
// charges, refunds, disputes, connected accounts, transfers, idempotency keys, signed
// webhooks and the published test cards, so the product needs one payment client only.
//
// All state is in the store. A payment intent is one document with its charges, refunds, disputes
// and undelivered events, an account one with its transfers and payouts. Each transition is one
// compare-and-set of that document. So a process may be killed at any moment, and any number of
// nodes may work at once.
//
// Start at routes in routes.go, which lists the calls; the same file handles a call. intent.go
// and account.go have the documents; create.go, confirm.go, transitions.go, refund.go and
// transfer.go change them; webhook_delivery.go sends the events. script/ replaces Stripe.js
// in the browser.
//
// If Stripe's behaviour is not documented, or the sandbox differs from it on
// purpose, a comment says so.
package stripe
