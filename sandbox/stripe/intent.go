package stripe

import (
	"context"
	"crypto/rand"
	"errors"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"secondring/market"
)

const intentPrefix = "pi_" // of the IDs of intents

// The statuses of Stripe's payment intents.
const (
	statusRequiresPaymentMethod = "requires_payment_method"
	statusRequiresAction        = "requires_action"
	statusProcessing            = "processing"
	statusSucceeded             = "succeeded"
	statusCanceled              = "canceled"
)

// intent is the document of a payment intent, with everything that belongs to it.
type intent struct {
	outbox

	ID           string            `json:"id"`
	Secret       string            `json:"secret"`
	Amount       int64             `json:"amount"`
	Currency     string            `json:"currency"`
	Status       string            `json:"status"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	ReceiptEmail string            `json:"receipt_email,omitempty"`
	Description  string            `json:"description,omitempty"`
	Types        []string          `json:"types"`
	Created      int64             `json:"created"`
	Method       method            `json:"method,omitzero"`
	LastError    *failure          `json:"last_error,omitempty"`
	// Charges are the attempts to charge a payment method. Only the last one counts; earlier
	// releases kept the failed ones.
	Charges []charge  `json:"charges,omitempty"`
	NextAt  time.Time `json:"later,omitzero"` // the time of the next transition without a request; zero for none
}

// method is the payment method of an intent.
type method struct {
	Test string `json:"test"` // the name of its testMethod
}

// charge is the charge of an intent, which is pending or has succeeded.
type charge struct {
	ID      string   `json:"id"`
	Refunds []refund `json:"refunds,omitempty"` // oldest first
	Dispute *dispute `json:"dispute,omitempty"`
}

func (intent) kind() string { return "stripe.intent" }

func (i intent) due() time.Time {
	due := i.outbox.due()
	if due.IsZero() || !i.NextAt.IsZero() && i.NextAt.Before(due) {
		return i.NextAt
	}
	return due
}

// secret returns the client secret.
func (i *intent) secret() string { return i.ID + "_secret_" + i.Secret }

// hasStatus reports whether the intent has one of the statuses.
func (i *intent) hasStatus(statuses ...string) bool { return slices.Contains(statuses, i.Status) }

// charge returns the charge; nil if there is none.
func (i *intent) charge() *charge {
	if len(i.Charges) == 0 || !i.hasStatus(statusProcessing, statusSucceeded) {
		return nil
	}
	return &i.Charges[len(i.Charges)-1]
}

// partID returns the ID of a part of an intent or an account, such as its charge. It has the op of
// the owner's ID, by which ownerID finds the owner.
func partID(prefix, owner, number string) string {
	_, op, _ := strings.Cut(owner, "_")
	return prefix + op + number
}

// ownerID returns the ID of the intent or the account to which a part belongs; "" for no part.
func ownerID(ownerPrefix, part string) string {
	_, op, found := strings.Cut(part, "_")
	if !found {
		return ""
	}
	return ownerPrefix + op[:min(len(op), opLength)]
}

// opLength is the length of an op: that of rand.Text.
const opLength = 26

func (s *Sandbox) createIntent(ctx context.Context, c *call) (object, error) {
	amount, err := c.cents("amount")
	if err != nil {
		return nil, err
	}
	email := c.text("receipt_email")
	if at, err := mail.ParseAddress(email); email != "" && (err != nil || at.Address != email) {
		return nil, invalid("email_invalid", "receipt_email", "Invalid email address.")
	}
	i := &intent{
		ID: intentPrefix + c.op, Secret: rand.Text(), Amount: amount, Currency: strings.ToLower(c.text("currency")),
		Status: statusRequiresPaymentMethod, Metadata: c.metadata(), ReceiptEmail: email, Description: c.text("description"),
		Types: c.list("payment_method_types"), Created: s.now().Unix(),
	}
	if i, err = create(ctx, s, i.ID, i); err != nil {
		return nil, err
	}
	return c.view(i, ""), nil
}

func (s *Sandbox) retrieveIntent(ctx context.Context, c *call) (object, error) {
	i, _, err := load[intent](ctx, s, c.id)
	if err == nil {
		err = c.checkSecret(i)
	}
	if err != nil {
		return nil, err
	}
	return c.view(i, ""), nil
}

// checkSecret returns an error if the call is of a browser without the client secret of the
// intent: the same as for an intent that does not exist.
func (c *call) checkSecret(i *intent) error {
	if c.isBrowser && !secureEqual(c.text("client_secret"), i.secret()) {
		return market.ErrNotFound
	}
	return nil
}

func (s *Sandbox) listIntents(ctx context.Context, c *call) (object, error) {
	return list(ctx, s, c, c.text("starting_after"), func(i *intent) []object {
		if i.Created < c.since() {
			return nil
		}
		return []object{c.view(i, "data.")}
	})
}

// since returns the time from which objects are listed, in seconds of Unix time.
func (c *call) since() int64 {
	seconds, _ := strconv.ParseInt(c.text("created[gte]"), 10, 64) // zero if it is missing
	return seconds
}

func (s *Sandbox) cancelIntent(ctx context.Context, c *call) (object, error) {
	return s.changeIntent(ctx, c, func(i *intent) error {
		if i.hasStatus(statusProcessing, statusSucceeded, statusCanceled) {
			return unexpectedState(i)
		}
		i.Status = statusCanceled
		s.addEvent(&i.outbox, "payment_intent.canceled", i.view())
		return nil
	})
}

// changeIntent applies a step to the intent in the path of the call. A failure of the step contains
// the intent.
func (s *Sandbox) changeIntent(ctx context.Context, c *call, step func(*intent) error) (object, error) {
	i, err := change(ctx, s, c.id, func(i *intent) error {
		if err := c.checkSecret(i); err != nil {
			return err
		}
		return step(i)
	})
	if f := (*failure)(nil); errors.As(err, &f) {
		f.Intent = c.view(i, "")
	}
	if err != nil {
		return nil, err
	}
	return c.view(i, ""), nil
}

// unexpectedState returns the failure for a step that the intent's state does not allow.
func unexpectedState(i *intent) *failure {
	return refused("payment_intent_unexpected_state", "", "This is not possible because the PaymentIntent has a status of "+i.Status+".")
}

// view returns the JSON object of the intent for the caller. A browser sees neither the metadata nor
// the charge. within precedes the names of the properties to expand.
func (c *call) view(i *intent, within string) object {
	o := i.view()
	if c.isBrowser {
		delete(o, "metadata")
		delete(o, "latest_charge")
		return o
	}
	if ch := i.charge(); ch != nil && c.expands(within+"latest_charge") {
		o["latest_charge"] = ch.view(i, c.expands(within+"latest_charge.refunds"))
	}
	return o
}

// view returns the JSON object of the intent, with the fields of Stripe's that are read somewhere.
func (i *intent) view() object {
	o := object{
		"id": i.ID, "object": "payment_intent", "amount": i.Amount, "amount_received": int64(0), "client_secret": i.secret(),
		"created": i.Created, "currency": i.Currency, "description": i.Description, "last_payment_error": i.LastError,
		"latest_charge": nil, "livemode": false, "metadata": i.Metadata, "next_action": nil, "payment_method_types": i.Types,
		"receipt_email": i.ReceiptEmail, "status": i.Status,
	}
	if ch := i.charge(); ch != nil {
		o["latest_charge"] = ch.ID
	}
	switch i.Status {
	case statusSucceeded:
		o["amount_received"] = i.Amount
	case statusRequiresAction:
		o["next_action"] = object{"type": "use_stripe_sdk"}
	}
	return o
}

// view returns the JSON object of the charge of an intent. Stripe omits the refunds unless they
// are to be expanded.
func (ch *charge) view(i *intent, withRefunds bool) object {
	o := object{
		"id": ch.ID, "object": "charge", "amount": i.Amount, "amount_refunded": ch.refunded(), "currency": i.Currency,
		"disputed": ch.Dispute != nil, "livemode": false, "paid": i.hasStatus(statusSucceeded), "payment_intent": i.ID,
		"refunded": ch.refunded() == i.Amount, "status": "pending",
	}
	if i.hasStatus(statusSucceeded) {
		o["status"] = "succeeded"
	}
	if withRefunds {
		refunds := []object{}
		for _, r := range slices.Backward(ch.Refunds) {
			refunds = append(refunds, r.view(i, ch))
		}
		o["refunds"] = listObject(refunds, false)
	}
	return o
}
