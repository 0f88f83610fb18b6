package stripe

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"secondring/market"
)

const (
	methodRecord   = "stripe.method"
	methodLifetime = 24 * time.Hour
)

// method is a stored payment method. The card's number and its security code are never
// stored.
type method struct {
	ID          string            `json:"id"`
	Test        string            `json:"test"` // the key of its testMethod
	ExpMonth    int               `json:"exp_month"`
	ExpYear     int               `json:"exp_year"`
	Fingerprint string            `json:"fingerprint"`
	Billing     map[string]string `json:"billing,omitempty"` // by field: name, address[city]
	CVC         bool              `json:"cvc"`               // whether it was sent with a security code
	Created     int64             `json:"created"`
}

// test returns the test method. A card that is not a test card any more in a later release
// is declined.
func (m method) test() *testMethod {
	if t := byKey[m.Test]; t != nil {
		return t
	}
	return &testMethod{brand: "unknown", decline: &notForTesting}
}

// methodFields returns the parameters of a payment method, inside a hash unless that is "".
func methodFields(hash string) []string {
	fields := []string{}
	for _, path := range []string{
		"type", "card[number]", "card[exp_month]", "card[exp_year]", "card[cvc]",
		"billing_details[name]", "billing_details[email]", "billing_details[phone]", "billing_details[address][*]",
	} {
		fields = append(fields, nested(hash, path))
	}
	return fields
}

// nested returns a path inside a hash: card[cvc] in x is x[card][cvc].
func nested(hash, path string) string {
	if hash == "" {
		return path
	}
	first, rest, deep := strings.Cut(path, "[")
	if deep {
		rest = "[" + rest
	}
	return hash + "[" + first + "]" + rest
}

var createMethod = endpoint[method]{
	public:  true,
	allowed: append(methodFields(""), "expand[]"),
	check: func(s *Sandbox, c *call) (method, error) {
		if err := c.expandable(); err != nil {
			return method{}, err
		}
		return s.readMethod(c.params, "")
	},
	run: func(ctx context.Context, s *Sandbox, c *call, m method) (object, error) {
		m.ID = "pm_" + c.op
		data, err := json.Marshal(m)
		if err != nil {
			return nil, err
		}
		err = s.config.Records.AddRecord(ctx, market.Record{
			Kind: methodRecord, ID: m.ID, Data: data, Version: 1, Expires: s.config.Clock.Now().Add(methodLifetime),
		}, nil)
		if err != nil && !errors.Is(err, market.ErrExists) {
			return nil, err
		}
		return m.view(), nil
	},
}

// readMethod reads a payment method from the card fields. It does not store it.
func (s *Sandbox) readMethod(p params, hash string) (method, error) {
	kind, err := p.required(nested(hash, "type"))
	if err != nil {
		return method{}, err
	}
	if kind != "card" {
		return method{}, badRequest("", nested(hash, "type"), "The sandbox makes payment methods of the type card only.")
	}
	number := strings.NewReplacer(" ", "", "-", "").Replace(p.text(nested(hash, "card[number]")))
	test, err := findCard(number)
	if err != nil {
		return method{}, err
	}
	m := s.newMethod(test)
	if m.ExpMonth, m.ExpYear, err = s.expiry(p, hash); err != nil {
		return method{}, err
	}
	if m.CVC, err = checkCVC(p.text(nested(hash, "card[cvc]")), test); err != nil {
		return method{}, err
	}
	if _, err := p.email(nested(hash, "billing_details[email]")); err != nil {
		return method{}, err
	}
	stem := nested(hash, "billing_details") + "["
	for name, values := range p.values {
		if place, ok := strings.CutPrefix(name, stem); ok && values[0] != "" {
			m.Billing[strings.Replace(place, "]", "", 1)] = values[0]
		}
	}
	return m, nil
}

// newMethod returns a payment method of a test method, with default details.
func (s *Sandbox) newMethod(test *testMethod) method {
	now := s.config.Clock.Now()
	digest := mac([]byte(s.config.SecretKey), "fingerprint: "+test.number+test.key())
	return method{
		Test: test.key(), ExpMonth: 12, ExpYear: now.Year() + 3, CVC: true, Created: now.Unix(), Billing: map[string]string{},
		Fingerprint: strings.NewReplacer("-", "0", "_", "1").Replace(base64.RawURLEncoding.EncodeToString(digest))[:16],
	}
}

func findCard(number string) (*testMethod, error) {
	digits := len(number) >= 12 && len(number) <= 19 && strings.Trim(number, "0123456789") == ""
	switch {
	case number == "":
		return nil, badRequest("parameter_missing", "card[number]", "Missing required param: card[number].")
	case !digits:
		return nil, declined(decline{"invalid_number", "", "The card number is not a valid credit card number.", "number"})
	case !luhn(number):
		return nil, declined(decline{"incorrect_number", "", "Your card number is incorrect.", "number"})
	case byNumber[number] == nil:
		// It may be a real card, so nothing of it is stored.
		return nil, declined(notForTesting)
	}
	return byNumber[number], nil
}

// expiry returns the month and the year, which may have two digits or four. It returns an error
// for a date in the past.
func (s *Sandbox) expiry(p params, hash string) (month, year int, err error) {
	for _, part := range []struct {
		name string
		to   *int
	}{{"card[exp_month]", &month}, {"card[exp_year]", &year}} {
		text, err := p.required(nested(hash, part.name))
		if err != nil {
			return 0, 0, err
		}
		if *part.to, err = strconv.Atoi(text); err != nil {
			return 0, 0, badRequest("parameter_invalid_integer", nested(hash, part.name), "Invalid integer: "+short(text))
		}
	}
	if year >= 0 && year < 100 {
		year += 2000
	}
	now := s.config.Clock.Now()
	switch {
	case month < 1 || month > 12:
		return 0, 0, declined(decline{"invalid_expiry_month", "", "Your card's expiration month is invalid.", "exp_month"})
	case year < now.Year() || year > now.Year()+50:
		return 0, 0, declined(decline{"invalid_expiry_year", "", "Your card's expiration year is invalid.", "exp_year"})
	case year == now.Year() && month < int(now.Month()):
		return 0, 0, declined(decline{"invalid_expiry_month", "", "Your card's expiration month is invalid.", "exp_month"})
	}
	return month, year, nil
}

// checkCVC reports whether a security code was sent. It returns an error for an invalid one.
func checkCVC(code string, test *testMethod) (bool, error) {
	length := 3
	if test.brand == "amex" {
		length = 4
	}
	right := len(code) == length || len(code) == 3 && test.brand == "amex"
	if code != "" && (!right || strings.Trim(code, "0123456789") != "") {
		return false, declined(decline{"invalid_cvc", "", "Your card's security code is invalid.", "cvc"})
	}
	return code != "", nil
}

// methodOf returns the payment method that a call names or contains; nil if it has none.
func (s *Sandbox) methodOf(ctx context.Context, p params, provided *method) (*method, error) {
	id := p.text("payment_method")
	switch test := byName[id]; {
	case provided != nil:
		return provided, nil
	case !p.has("payment_method"):
		return nil, nil
	case test != nil:
		m := s.newMethod(test)
		return &m, nil
	}
	record, err := s.config.Records.Record(ctx, methodRecord, id)
	if errors.Is(err, market.ErrNotFound) || err == nil && !record.Expires.After(s.config.Clock.Now()) {
		f := notFound("PaymentMethod", id, "payment_method")
		f.Status = http.StatusBadRequest // as Stripe responds for an object that a parameter names
		return nil, f
	}
	if err != nil {
		return nil, err
	}
	m := &method{}
	return m, json.Unmarshal(record.Data, m)
}
