package stripe

import (
	"context"
	"time"
)

// Delays of what happens without a request after a payment.
const (
	bankTakes        = 2 * time.Second // until a bank account's bank decides
	disputeAfter     = time.Second     // until the owner of a disputed card complains
	refundFailsAfter = time.Second     // until the bank of a card that takes no money says so
)

// methodData is the parameter with the fields of a new payment method.
const methodData = "payment_method_data"

var retrieveIntent = endpoint{
	public: true,
	known:  []string{"client_secret", "expand[]"},
	check: func(_ *Sandbox, c *call) (any, error) {
		return nil, c.mayShow()
	},
	run: func(ctx context.Context, s *Sandbox, c *call, _ any) (object, error) {
		i, err := s.find(ctx, c, c.id)
		if err != nil {
			return nil, err
		}
		return i.view(c.who, c.params), nil
	},
}

// mayShow checks what a response with an intent needs: the client secret, if the caller has
// only the publishable key, and known properties to expand.
func (c *call) mayShow() error {
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

var confirmIntent = endpoint{
	public: true,
	known: append([]string{
		"client_secret", "payment_method", "return_url", "use_stripe_sdk", "expected_payment_method_type", "expand[]",
	}, methodFields(methodData)...),
	check: func(s *Sandbox, c *call) (any, error) {
		if err := c.mayShow(); err != nil {
			return nil, err
		}
		return s.readConfirm(c.params)
	},
	run: func(ctx context.Context, s *Sandbox, c *call, checked any) (object, error) {
		// A caller who may not see the intent learns nothing about payment methods.
		if _, err := s.find(ctx, c, c.id); err != nil {
			return nil, err
		}
		m, err := s.methodOf(ctx, c.params, checked.(*method))
		if err != nil {
			return nil, err
		}
		return s.change(ctx, c, c.id, func(i *intent) (object, error) {
			if err := i.confirmable(c.who); err != nil {
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

// readConfirm reads the payment method in the request, if there is one.
func (s *Sandbox) readConfirm(p params) (*method, error) {
	if err := p.url("return_url"); err != nil {
		return nil, err
	}
	if !p.hasAny(methodData) {
		return nil, nil
	}
	if p.has("payment_method") {
		return nil, refuse("", methodData, "Use either payment_method or payment_method_data.")
	}
	m, err := s.readMethod(p, methodData)
	return &m, err
}

// confirmable refuses an intent that is decided, or being decided. One that waits for the
// card's owner may be confirmed again.
func (i *intent) confirmable(who caller) error {
	if i.is(isSucceeded, isCanceled, isProcessing) {
		return unexpected(i, who, "You cannot confirm this PaymentIntent because it has a status of "+i.Status+".")
	}
	return nil
}

// confirm tries to take the money with the intent's own payment method.
func (s *Sandbox) confirm(i *intent, c *call) error {
	if i.Method == nil {
		return unexpected(i, c.who, "You cannot confirm this PaymentIntent because it has no payment method.")
	}
	i.LastError = nil
	switch test := i.Method.test(); {
	case test.ask:
		i.Status = needsAction
		s.tell(i, c, "payment_intent.requires_action", i.view(secretKey, params{}))
		return nil
	case test.slow:
		i.Status = isProcessing
		s.newCharge(i, chargePending)
		if !test.stuck {
			i.Later = s.config.Clock.Now().Add(bankTakes)
		}
		s.tell(i, c, "payment_intent.processing", i.view(secretKey, params{}))
		return nil
	default:
		return s.charge(i, c)
	}
}

// charge lets the bank decide.
func (s *Sandbox) charge(i *intent, c *call) error {
	ch := i.charge()
	if ch == nil || ch.Status != chargePending {
		ch = s.newCharge(i, chargePending)
	}
	if d := i.Method.test().decline; d != nil {
		return s.decline(i, c, ch, *d)
	}
	ch.Status = chargeSucceeded
	i.Status, i.LastError = isSucceeded, nil
	if ch.Method.test().dispute != "" {
		i.Later = s.config.Clock.Now().Add(disputeAfter)
	}
	s.tell(i, c, "charge.succeeded", ch.view(i, params{}))
	s.tell(i, c, "payment_intent.succeeded", i.view(secretKey, params{}))
	return nil
}

// decline leaves the intent open for another card.
func (s *Sandbox) decline(i *intent, c *call, ch *charge, d decline) error {
	ch.Status, ch.FailureCode, ch.FailureMessage, ch.Reason = chargeFailed, d.code, d.message, d.reason
	f := declined(d)
	f.Charge, f.Method = ch.ID, i.Method.view()
	s.fail(i, c, f)
	return f
}

// fail notes a failed attempt.
func (s *Sandbox) fail(i *intent, c *call, f *failure) {
	kept := *f
	i.Status, i.Method, i.LastError = needsMethod, nil, &kept
	s.tell(i, c, "payment_intent.payment_failed", i.view(secretKey, params{}))
	f.Intent = i.view(c.who, params{})
}

// goOn applies what happens without a request: a bank decides, or a card's owner
// disputes the charge.
func (s *Sandbox) goOn(i *intent, now time.Time) {
	if i.Later.IsZero() || i.Later.After(now) {
		return
	}
	i.Later = time.Time{}
	self := &call{who: secretKey} // not a request
	switch {
	case i.is(isProcessing):
		_ = s.charge(i, self) // how it ended is in the intent
	case i.is(isSucceeded) && i.charge().Method.test().noMoney:
		s.failRefunds(i, self)
	case i.is(isSucceeded):
		s.disputeCharge(i, self)
	}
}
