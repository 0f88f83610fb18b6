// Package stripe is the sandbox for card payments: a server with the part of Stripe's API
// that this product uses. It runs where there are no Stripe keys: in the demo, in
// development and in tests. It moves no money. It implements payment intents, the published
// test cards, refunds, disputes, connected accounts, transfers, idempotency keys and signed
// webhooks, so the product needs one payment client only. It does not check the form of
// requests: the tests of the product send each request to stripe-mock as well.
//
// All state is in the store. A payment intent is one document with its charge, refunds, dispute
// and undelivered event, an account one with its transfers. Each transition is one
// compare-and-set of that document. So a process may be killed at any moment, and any number of
// nodes may work at once.
//
// Start at routes in routes.go, which lists the calls. Each resource has a file with its
// document and its calls. store.go reads and writes documents, idempotency.go repeats responses,
// and webhooks.go sends the events. script/ replaces Stripe.js in the browser.
//
// If the sandbox differs from Stripe on purpose, a comment says so.
package stripe
