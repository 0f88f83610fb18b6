// Package stripe is the sandbox for card payments: a server with the part of
// Stripe's API that this product uses. It runs where there are no Stripe keys:
// in the demo, in development and in tests. It moves no money. It has Stripe's
// rules for payment intents, charges, refunds, disputes, idempotency keys, signed
// webhooks and the published test cards, so the product needs one payment client
// only.
//
// All state is in the store. A payment intent is one document with its charges,
// refunds, disputes and undelivered events, and each transition is one
// compare-and-set of that document. So a process may be killed at any moment, and
// any number of nodes may work at once.
//
// Where Stripe's behaviour is not documented, or where this differs from it on
// purpose, a comment says so.
package stripe
