// Package payment has card payments: the Stripe client behind market.Payments, the
// calls that create and record a payment, and the webhook for Stripe's events.
//
// There is one code path. Without Stripe's keys the same client talks to the
// sandbox inside the process, which has the same API.
package payment
