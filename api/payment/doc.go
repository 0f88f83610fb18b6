// Package payment is card payments: the client of Stripe behind
// market.Payments, the calls that open and record a payment, and the webhook
// through which Stripe tells what has become of one.
//
// There is one code path. Without Stripe's keys the same client talks to the
// sandbox, a Stripe-shaped server of our own, inside the process.
package payment
