package stripe

import (
	"context"
	"time"
)

// Delays of the transitions after a payment that no request causes.
const (
	bankDelay          = 2 * time.Second // until the bank of a bank account decides
	disputeDelay       = time.Second     // until the owner of the card disputes the charge
	refundFailureDelay = time.Second     // until the bank of the card reports that the refund has failed
)

// methodData is the parameter with the fields of a new payment method.
const methodData = "payment_method_data"

var retrieveIntent = endpoint[none]{
	public:  true,
	allowed: []string{"client_secret", "expand[]"},
	check: func(_ *Sandbox, c *call) (none, error) {
		return none{}, c.checkIntentAccess()
	},
	run: func(ctx context.Context, s *Sandbox, c *call, _ none) (object, error) {
		i, err := s.find(ctx, c, c.id)
		if err != nil {
			return nil, err
		}
		return i.view(c.who, c.params), nil
	},
}

// checkIntentAccess checks the parameters for a response with an intent: the client secret, if
// the caller has only the publishable key, and the properties to expand.
func (c *call) checkIntentAccess() error {
	properties := []string{"payment_method"}
	if c.who == publishableKey {
		if _, err := c.required("client_secret"); err != nil {
			return err
		}
	} else {
		properties = append(properties, "latest_charge", "latest_charge.refunds", "latest_charge.dispute")
	}
	return c.expandable(properties...)
}

var confirmIntent = endpoint[*method]{
	public: true,
	allowed: append([]string{
		"client_secret", "payment_method", "return_url", "use_stripe_sdk", "expected_payment_method_type", "expand[]",
	}, methodFields(methodData)...),
	check: func(s *Sandbox, c *call) (*method, error) {
		if err := c.checkIntentAccess(); err != nil {
			return nil, err
		}
		return s.readConfirm(c.params)
	},
	run: func(ctx context.Context, s *Sandbox, c *call, provided *method) (object, error) {
		// This is first, so that a caller who may not see the intent gets no information about
		// payment methods.
		if _, err := s.find(ctx, c, c.id); err != nil {
			return nil, err
		}
		m, err := s.methodOf(ctx, c.params, provided)
		if err != nil {
			return nil, err
		}
		return s.change(ctx, c, c.id, func(i *intent) (object, error) {
			if err := i.checkConfirmable(c.who); err != nil {
				return nil, err
			}
			if m != nil {
				s.attach(i, m)
			}
			err := s.confirm(i, c)
			return i.view(c.who, c.params), err
		})
	},
}

// readConfirm reads the payment method in the request; nil if there is none.
func (s *Sandbox) readConfirm(p params) (*method, error) {
	if err := p.url("return_url"); err != nil {
		return nil, err
	}
	if !p.hasAny(methodData) {
		return nil, nil
	}
	if p.has("payment_method") {
		return nil, badRequest("", methodData, "Use either payment_method or payment_method_data.")
	}
	m, err := s.readMethod(p, methodData)
	return &m, err
}

// checkConfirmable returns an error if the intent has ended or is processing. An intent that waits
// for the card's owner can be confirmed again.
func (i *intent) checkConfirmable(who caller) error {
	if i.hasStatus(statusSucceeded, statusCanceled, statusProcessing) {
		return unexpectedState(i, who, "You cannot confirm this PaymentIntent because it has a status of "+i.Status+".")
	}
	return nil
}

// confirm charges the intent's payment method, or starts its 3-D Secure step.
func (s *Sandbox) confirm(i *intent, c *call) error {
	if i.Method == nil {
		return unexpectedState(i, c.who, "You cannot confirm this PaymentIntent because it has no payment method.")
	}
	i.LastError = nil
	switch test := i.Method.test(); {
	case test.requires3DS:
		i.Status = statusRequiresAction
		s.addEvent(i, c, "payment_intent.requires_action", i.view(secretKey, params{}))
		return nil
	case test.isDelayed:
		i.Status = statusProcessing
		s.newCharge(i, chargePending)
		if !test.staysPending {
			i.NextAt = s.config.Clock.Now().Add(bankDelay)
		}
		s.addEvent(i, c, "payment_intent.processing", i.view(secretKey, params{}))
		return nil
	default:
		return s.charge(i, c)
	}
}

// charge simulates the bank's decision about the intent's charge.
func (s *Sandbox) charge(i *intent, c *call) error {
	ch := i.charge()
	if ch == nil || ch.Status != chargePending {
		ch = s.newCharge(i, chargePending)
	}
	if d := i.Method.test().decline; d != nil {
		return s.decline(i, c, ch, *d)
	}
	ch.Status = chargeSucceeded
	i.Status, i.LastError = statusSucceeded, nil
	if ch.Method.test().dispute != "" {
		i.NextAt = s.config.Clock.Now().Add(disputeDelay)
	}
	s.addEvent(i, c, "charge.succeeded", ch.view(i, params{}))
	s.addEvent(i, c, "payment_intent.succeeded", i.view(secretKey, params{}))
	return nil
}

// decline records a declined charge. The intent can be paid with another card.
func (s *Sandbox) decline(i *intent, c *call, ch *charge, d decline) error {
	ch.Status, ch.FailureCode, ch.FailureMessage, ch.Reason = chargeFailed, d.code, d.message, d.reason
	f := declined(d)
	f.Charge, f.Method = ch.ID, i.Method.view()
	s.recordFailure(i, c, f)
	return f
}

// recordFailure stores a failed payment attempt in the intent.
func (s *Sandbox) recordFailure(i *intent, c *call, f *failure) {
	kept := *f
	i.Status, i.Method, i.LastError = statusRequiresPaymentMethod, nil, &kept
	s.addEvent(i, c, "payment_intent.payment_failed", i.view(secretKey, params{}))
	f.Intent = i.view(c.who, params{})
}

// applyDue applies the transition that is due without a request: a bank decides, a refund fails,
// or a card's owner disputes the charge.
func (s *Sandbox) applyDue(i *intent, now time.Time) {
	if i.NextAt.IsZero() || i.NextAt.After(now) {
		return
	}
	i.NextAt = time.Time{}
	self := &call{who: secretKey} // not a request
	switch {
	case i.hasStatus(statusProcessing):
		_ = s.charge(i, self) // the result is in the intent
	case i.hasStatus(statusSucceeded) && i.charge().Method.test().refundFails:
		s.failRefunds(i, self)
	case i.hasStatus(statusSucceeded):
		s.disputeCharge(i, self)
	}
}
