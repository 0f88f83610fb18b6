// Package sandbox is a server of the shape of Stripe's, for where there are no
// Stripe keys: the demo, development and tests. It moves no money. It answers
// the calls that this product makes, in Stripe's forms and by Stripe's rules
// (payment intents, charges, refunds, idempotency keys, signed webhooks, the
// published test cards), so that the product takes payments by one code only.
//
// Everything is kept in the store. A payment intent is one document with its
// charges, refunds, disputes and the events that nobody has taken yet, and each
// step of its life is one compare-and-set of that document. So a process may
// die between any two lines, and any number of nodes may work at once.
//
// Where Stripe's behaviour is not documented, or where this differs from it on
// purpose, a comment says so.
package sandbox
