package stripe

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	"secondring/market"
)

// Amounts in cents that Stripe accepts, and currencies that the sandbox accepts. The product
// sells in one of them only; the others test that it refuses them.
const (
	minAmount = 50
	maxAmount = 99_999_999
)

var currencies = []string{market.Currency, "aud", "cad", "chf", "eur", "gbp"}

var createIntent = endpoint[draft]{
	allowed: append([]string{
		"amount", "currency", "metadata[*]", "receipt_email", "description", "transfer_group",
		"automatic_payment_methods[enabled]", "automatic_payment_methods[allow_redirects]", "payment_method_types[]",
		"capture_method", "confirmation_method", "confirm", "payment_method", "return_url", "expand[]",
	}, methodFields(methodData)...),
	check: func(s *Sandbox, c *call) (draft, error) {
		if err := c.checkIntentAccess(); err != nil {
			return draft{}, err
		}
		i, err := s.newIntent(c.params)
		if err != nil {
			return draft{}, err
		}
		provided, err := s.readConfirm(c.params)
		if err != nil {
			return draft{}, err
		}
		return draft{i, provided, c.text("confirm") == "true"}, nil
	},
	run: func(ctx context.Context, s *Sandbox, c *call, d draft) (object, error) { return s.create(ctx, c, d) },
}

// draft is an intent that is not stored yet.
type draft struct {
	intent   *intent
	provided *method
	confirm  bool
}

// newIntent reads the parameters of an intent.
func (s *Sandbox) newIntent(p params) (*intent, error) {
	amount, err := p.positive("amount")
	if err != nil {
		return nil, err
	}
	switch {
	case amount < minAmount:
		return nil, badRequest("amount_too_small", "amount", "Amount must be at least 50 cents.")
	case amount > maxAmount:
		return nil, badRequest("amount_too_large", "amount", "Amount must be no more than 99999999.")
	}
	currency, err := p.required("currency")
	if err != nil {
		return nil, err
	}
	if currency = strings.ToLower(currency); !slices.Contains(currencies, currency) {
		return nil, badRequest("", "currency", "Invalid currency: "+short(currency)+". The sandbox knows: "+strings.Join(currencies, ", ")+".")
	}
	i := &intent{
		Secret: rand.Text(), Amount: amount, Currency: currency, Status: statusRequiresPaymentMethod,
		Description: p.text("description"), Group: p.text("transfer_group"), Created: s.config.Clock.Now().Unix(),
	}
	if i.Metadata, err = p.metadata(); err != nil {
		return nil, err
	}
	if i.ReceiptEmail, err = p.email("receipt_email"); err != nil {
		return nil, err
	}
	i.Automatic, i.Types, err = readTypes(p)
	return i, errors.Join(err, checkUnsupported(p))
}

// readTypes returns the payment method types of an intent. A test bank account is always allowed: it
// is the only way to see a payment in processing.
func readTypes(p params) (automatic bool, types []string, err error) {
	if automatic, err = p.flag("automatic_payment_methods[enabled]"); err != nil {
		return false, nil, err
	}
	types = p.list("payment_method_types")
	for _, t := range types {
		if t != "card" && t != "us_bank_account" {
			return false, nil, badRequest("", "payment_method_types", "The sandbox knows the payment method types card and us_bank_account.")
		}
	}
	switch {
	case automatic && len(types) > 0:
		return false, nil, badRequest("", "payment_method_types", "Use either payment_method_types or automatic_payment_methods.")
	case automatic:
		types = []string{"card", "us_bank_account"}
	case len(types) == 0:
		types = []string{"card"}
	}
	return automatic, types, nil
}

// checkUnsupported returns an error for option values that the sandbox does not support, instead
// of ignoring them.
func checkUnsupported(p params) error {
	for _, option := range []struct {
		name  string
		words []string
	}{
		{"capture_method", []string{"automatic", "automatic_async"}},
		{"confirmation_method", []string{"automatic"}},
		{"confirm", []string{"true", "false"}},
		{"automatic_payment_methods[allow_redirects]", []string{"always", "never"}},
	} {
		if _, err := p.oneOf(option.name, option.words...); err != nil {
			return err
		}
	}
	return nil
}

// create stores a new intent in one write. If an earlier run of the call has stored it, create
// returns the stored response.
func (s *Sandbox) create(ctx context.Context, c *call, d draft) (object, error) {
	i := d.intent
	i.ID = intentPrefix + c.op
	s.addEvent(i, c, "payment_intent.created", i.view(secretKey, params{}))
	m, err := s.methodOf(ctx, c.params, d.provided)
	if err != nil {
		return nil, err
	}
	if m != nil {
		s.attach(i, m)
	}
	if d.confirm {
		err = s.confirm(i, c)
	}
	var f *failure
	if err != nil && (!errors.As(err, &f) || f.Type != cardError) {
		return nil, err
	}
	result := i.view(c.who, c.params)
	if err := i.storeResponse(c, result, err); err != nil {
		return nil, err
	}
	switch saved := s.save(ctx, i); {
	case saved == nil:
		s.wakeRun()
		return result, err
	case !errors.Is(saved, market.ErrExists):
		return nil, saved
	}
	if i, err = s.load(ctx, i.ID); err != nil {
		return nil, err
	}
	if kept, err := i.responseTo(c); err != nil || kept != nil {
		return kept, err
	}
	return i.view(c.who, c.params), nil // the call's stored response was dropped
}

// attach sets the intent's payment method. It copies the method and adds an ID if it has none.
func (s *Sandbox) attach(i *intent, m *method) {
	attached := *m
	if attached.ID == "" {
		attached.ID = i.partID("pm_")
	}
	i.Method, i.Status = &attached, statusRequiresConfirmation
}
