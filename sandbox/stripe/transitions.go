package stripe

import (
	"context"
	"net/http"
)

var cancelIntent = endpoint[string]{
	allowed: []string{"cancellation_reason", "client_secret", "expand[]"},
	check: func(_ *Sandbox, c *call) (string, error) {
		reason, err := c.oneOf("cancellation_reason", "duplicate", "fraudulent", "requested_by_customer", "abandoned")
		if err != nil {
			return "", err
		}
		return reason, c.checkIntentAccess()
	},
	run: func(ctx context.Context, s *Sandbox, c *call, reason string) (object, error) {
		return s.change(ctx, c, c.id, func(i *intent) (object, error) {
			// Stripe permits to cancel some payment methods while they are processing. The
			// sandbox has none of these.
			if !i.hasStatus(statusRequiresPaymentMethod, statusRequiresConfirmation, statusRequiresAction) {
				return nil, unexpectedState(i, c.who, "You cannot cancel this PaymentIntent because it has a status of "+i.Status+".")
			}
			i.Status, i.CanceledAt, i.CancelReason = statusCanceled, s.config.Clock.Now().Unix(), reason
			s.addEvent(i, c, "payment_intent.canceled", i.view(secretKey, params{}))
			return i.view(c.who, c.params), nil
		})
	},
}

// authenticateIntent ends a 3-D Secure step. Stripe has no such call: there the bank's
// page decides. The response is always the intent, because Stripe.js reads it again
// after the step.
var authenticateIntent = endpoint[bool]{
	public:  true,
	allowed: []string{"client_secret", "outcome", "expand[]"},
	check: func(_ *Sandbox, c *call) (bool, error) {
		if _, err := c.required("outcome"); err != nil {
			return false, err
		}
		outcome, err := c.oneOf("outcome", "complete", "fail")
		if err != nil {
			return false, err
		}
		return outcome == "complete", c.checkIntentAccess()
	},
	run: func(ctx context.Context, s *Sandbox, c *call, complete bool) (object, error) {
		return s.change(ctx, c, c.id, func(i *intent) (object, error) {
			if !i.hasStatus(statusRequiresAction) {
				return nil, unexpectedState(i, c.who, "Nobody has to authenticate this PaymentIntent: it has a status of "+i.Status+".")
			}
			if complete {
				_ = s.charge(i, c) // a decline is in the intent
			} else {
				s.recordFailure(i, c, &failure{
					Status: http.StatusBadRequest, Type: invalidRequest, Code: "payment_intent_authentication_failure",
					Message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
					Method:  i.Method.view(),
				})
			}
			return i.view(c.who, c.params), nil
		})
	},
}
