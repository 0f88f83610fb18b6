package stripe

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Delays of the transitions after a payment that no request causes.
const (
	bankDelay          = 2 * time.Second // until the bank of a bank account decides
	disputeDelay       = time.Second     // until the owner of the card disputes the charge
	refundFailureDelay = time.Second     // until the bank of the card reports that the refund has failed
)

func (s *Sandbox) confirmIntent(ctx context.Context, c *call) (object, error) {
	m, err := s.methodOf(c)
	if err != nil {
		return nil, err
	}
	return s.changeIntent(ctx, c, func(i *intent) error {
		if i.hasStatus(statusSucceeded, statusCanceled, statusProcessing) {
			return unexpectedState(i)
		}
		i.Method, i.LastError, i.Charges = method{m.names[0]}, nil, nil
		switch {
		case m.requires3DS:
			i.Status = statusRequiresAction
			return nil
		case m.isDelayed:
			i.Status, i.Charges = statusProcessing, []charge{{ID: partID("ch_", i.ID, "")}}
			if !m.staysPending {
				i.NextAt = s.now().Add(bankDelay)
			}
			s.addEvent(&i.outbox, "payment_intent.processing", i.view())
			return nil
		default:
			return s.charge(i)
		}
	})
}

// charge simulates the decision of the bank about the intent's payment method.
func (s *Sandbox) charge(i *intent) error {
	m := i.test()
	if m.decline != (decline{}) {
		return s.fail(i, declined(m.decline))
	}
	i.Status = statusSucceeded
	if len(i.Charges) == 0 {
		i.Charges = []charge{{ID: partID("ch_", i.ID, "")}}
	}
	if m.dispute != "" {
		i.NextAt = s.now().Add(disputeDelay)
	}
	s.addEvent(&i.outbox, "payment_intent.succeeded", i.view())
	return nil
}

// fail stores a failed payment attempt and returns its failure. The intent can be paid with another
// card.
func (s *Sandbox) fail(i *intent, f *failure) error {
	kept := *f
	i.Status, i.LastError, i.Charges = statusRequiresPaymentMethod, &kept, nil
	s.addEvent(&i.outbox, "payment_intent.payment_failed", i.view())
	return f
}

// test returns the test method of the intent. One that earlier releases had and this one does not
// have is charged.
func (i *intent) test() *testMethod {
	if m := findMethod(i.Method.Test, ""); m != nil {
		return m
	}
	return &testMethod{}
}

// authenticateIntent ends a 3-D Secure step. Stripe has no such call: there the bank's
// page decides. The response is always the intent, because Stripe.js reads it again
// after the step.
func (s *Sandbox) authenticateIntent(ctx context.Context, c *call) (object, error) {
	return s.changeIntent(ctx, c, func(i *intent) error {
		if !i.hasStatus(statusRequiresAction) {
			return unexpectedState(i)
		}
		if c.text("outcome") == "complete" {
			_ = s.charge(i) // a decline is in the intent
			return nil
		}
		_ = s.fail(i, &failure{
			Status: http.StatusBadRequest, Type: invalidRequest, Code: "payment_intent_authentication_failure",
			Message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
		})
		return nil
	})
}

// applyDue applies the transition that is due without a request: a bank decides, a refund fails,
// or a card's owner disputes the charge.
func (s *Sandbox) applyDue(i *intent) {
	if i.NextAt.IsZero() || i.NextAt.After(s.now()) {
		return
	}
	i.NextAt = time.Time{}
	switch {
	case i.hasStatus(statusProcessing):
		_ = s.charge(i) // a decline is in the intent
	case i.hasStatus(statusSucceeded) && i.test().refundFails:
		s.failRefunds(i)
	case i.hasStatus(statusSucceeded):
		s.dispute(i)
	}
}

// createMethod returns the name of the test method with the number of a card as its ID, so it
// stores nothing.
func (s *Sandbox) createMethod(_ context.Context, c *call) (object, error) {
	m, err := s.readCard(c, "card[")
	if err != nil {
		return nil, err
	}
	return object{"id": m.names[0], "object": "payment_method", "type": "card", "livemode": false}, nil
}

// methodOf returns the payment method that a call names, or that has the number of its card.
func (s *Sandbox) methodOf(c *call) (*testMethod, error) {
	if c.form.Has("payment_method_data[card][number]") {
		return s.readCard(c, "payment_method_data[card][")
	}
	m := findMethod(c.text("payment_method"), "")
	if m == nil {
		return nil, missing("payment_method")
	}
	return m, nil
}

// readCard returns the test method that has the number of a card. Any other card may be a real one
// and is declined. prefix precedes the names of the card's fields.
func (s *Sandbox) readCard(c *call, prefix string) (*testMethod, error) {
	field := func(name string) string { return c.text(prefix + name + "]") }
	number := strings.NewReplacer(" ", "", "-", "").Replace(field("number"))
	if number == "4242424242424241" { // Stripe's example of a wrong check digit
		return nil, declined(incorrectNumber)
	}
	m := findMethod("", number)
	if m == nil {
		return nil, declined(noTestCard)
	}
	month, monthErr := strconv.Atoi(field("exp_month"))
	year, yearErr := strconv.Atoi(field("exp_year"))
	const century = 2000 // of a year with two digits
	end := time.Date(century+year%100, time.Month(month+1), 1, 0, 0, 0, 0, time.UTC)
	if monthErr != nil || yearErr != nil || month < 1 || month > 12 || !end.After(s.now()) {
		return nil, declined(invalidExpiry)
	}
	if code := field("cvc"); code != "" && (len(code) < 3 || len(code) > 4) {
		return nil, declined(invalidCVC)
	}
	return m, nil
}
