package market

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
	"unicode/utf8"

	"secondring/market/contact"
)

// RateCounter counts events of a key within a window of time. The window begins with the first
// count, and the count is deleted at its end.
type RateCounter interface {
	// Count adds n to the key's count, 0 to read only, and returns the count and the remaining time of
	// its window.
	Count(ctx context.Context, key string, window time.Duration, n int) (count int, left time.Duration, err error)
}

// UseRateCounter sets what counts messages. Call it before the market is used. Without it their number
// is not limited.
func (m *Market) UseRateCounter(c RateCounter) { m.rates = c }

type noRates struct{}

func (noRates) Count(context.Context, string, time.Duration, int) (int, time.Duration, error) {
	return 0, 0, nil
}

// Limits of what a person writes.
const (
	messagesPerMinute = 20
	threadsPerHour    = 5
	threadsPerDay     = 20
	refusalsPerDay    = 5 // texts with an email address or a link
	sameTextPerHour   = 3 // threads that begin with the same text
	longText          = 60
	day               = 24 * time.Hour
)

// mayWrite returns CodeBlocked if one side of a thread has blocked the other, unless they have an order
// that is paid and not settled. It is called before each try to save a line: Block changes the thread, so
// a line that was checked before is tried again. isPaid is whether the buyer has paid for the phone.
func (m *Market) mayWrite(ctx context.Context, uid string, t Thread) (isPaid bool, err error) {
	order, err := m.orderOf(ctx, t)
	isPaid = order.Status == BookingPaid
	if err != nil || isPaid && order.Fulfilment.State != FulfilmentSettled {
		return isPaid, err
	}
	return isPaid, m.notBlocked(ctx, uid, t.other(uid))
}

// mayAdd returns an error if a person may not add a line to a thread. It counts the line.
func (m *Market) mayAdd(ctx context.Context, who Actor, t Thread, l line, isPaid bool) error {
	if err := m.withinRefusals(ctx, who.User.UID); err != nil {
		return err
	}
	if err := m.checkContact(ctx, who, t, l, isPaid); err != nil {
		return err
	}
	if err := m.isListening(ctx, who.User.UID, t); err != nil {
		return err
	}
	return m.withinRates(ctx, who.User.UID, t, l)
}

// orderOf returns the newest booking of the thread's phone by its buyer; the zero Booking if there is none.
func (m *Market) orderOf(ctx context.Context, t Thread) (Booking, error) {
	b, err := m.store.LastBooking(ctx, t.BuyerUID, t.ProductID)
	return b, ignoreNotFound(err)
}

// isListening returns an error for a thread that is closed, or whose other side has left.
func (m *Market) isListening(ctx context.Context, uid string, t Thread) error {
	if t.isClosed(m.clock.Now()) {
		return refuse(CodeClosed, "This conversation is closed")
	}
	isGone, err := m.isRemoved(ctx, t.other(uid))
	if err == nil && isGone {
		return refuse(CodeClosed, "The other person has left SecondRing")
	}
	return err
}

// withinRates counts a line, and returns an error if it is one too many.
func (m *Market) withinRates(ctx context.Context, uid string, t Thread, l line) error {
	err := m.limit(ctx, "messages:"+uid, time.Minute, messagesPerMinute, "You are writing very fast. Please wait a minute")
	if err != nil || t.Version > 0 {
		return err
	}
	if utf8.RuneCountInString(l.text) > longText {
		sum := sha256.Sum256([]byte(l.text))
		err := m.limit(ctx, "first:"+uid+":"+hex.EncodeToString(sum[:]), time.Hour, sameTextPerHour, "")
		if CodeOf(err) == CodeTooFast {
			return as(err, CodeRepeated, "You have sent this text to three other people within an hour. Please write about this phone")
		}
		if err != nil {
			return err
		}
	}
	const wait = "You have begun many conversations. Please wait for some answers first"
	return errors.Join(
		m.limit(ctx, "threads:"+uid, time.Hour, threadsPerHour, wait), m.limit(ctx, "threads-day:"+uid, day, threadsPerDay, wait))
}

// limit counts one event and returns CodeTooFast if there were more than most within the window.
func (m *Market) limit(ctx context.Context, key string, window time.Duration, most int, message string) error {
	n, left, err := m.rates.Count(ctx, key, window, 1)
	if err != nil || n <= most {
		return err
	}
	return &Error{Code: CodeTooFast, Message: message, RetryAfter: max(left, time.Second)}
}

// as returns an Error with another code and message.
func as(err error, code Code, message string) error {
	failure, _ := errors.AsType[*Error](err)
	return &Error{Code: code, Message: message, RetryAfter: failure.RetryAfter}
}

// withinRefusals returns an error if too many texts of the person were refused today.
func (m *Market) withinRefusals(ctx context.Context, uid string) error {
	n, left, err := m.rates.Count(ctx, refusalsKey(uid), day, 0)
	if err != nil || n < refusalsPerDay {
		return err
	}
	return &Error{
		Code: CodeTooFast, RetryAfter: max(left, time.Second),
		Message: "Several of your messages had email addresses or links, which cannot be sent. You can write again tomorrow",
	}
}

func refusalsKey(uid string) string { return "refused:" + uid }

// checkContact returns an error for a text with contact data, which people do not need before the payment,
// or with a link. A telephone number or the name of a messenger passes if the person confirms it. It
// counts what is refused for good.
func (m *Market) checkContact(ctx context.Context, who Actor, t Thread, l line, isPaid bool) error {
	options := contact.Options{Origin: m.rules.PublicURL, Paid: isPaid}
	if who.User.UID == t.SellerUID && m.rules.Contact != ContactAfterPayment {
		p, err := m.store.Product(ctx, t.ProductID)
		if ignoreNotFound(err) != nil {
			return err
		}
		options.Numbers = append(options.Numbers, p.Phone)
	}
	found := contact.Check(l.text, options)
	switch {
	case found == contact.None, found == contact.Warning && l.confirm:
		return nil
	case found != contact.Warning:
		if _, _, err := m.rates.Count(ctx, refusalsKey(who.User.UID), day, 1); err != nil {
			return err
		}
	}
	reason := textRefusals[found]
	return &Error{Code: Code(found), Message: reason, Fields: map[string]string{"text": reason}}
}

// textRefusals say why a text is not sent, and what to do.
var textRefusals = map[contact.Finding]string{
	contact.Address: "Email addresses cannot be sent before the phone is paid. After that you see each other's contact data on the order",
	contact.Link:    "Links to other sites cannot be sent. Many of them lead to fraud",
	contact.Warning: "This looks like a phone number or another messenger. Outside of SecondRing we cannot hold your money. " +
		"You see each other's contact data once the phone is paid. Send it anyway?",
}
