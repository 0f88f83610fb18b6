package market

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// maxFacts is how long the text about a dispute may be, in characters: Stripe's limit for one text.
const maxFacts = 20_000

// onMinute returns a time in the text for the bank. It has the year: a bank reads it months later.
func onMinute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// productFacts returns what was sold, and for how much.
func (b Booking) productFacts() string {
	text := fmt.Sprintf("Used phone: %s. Price: $%d", b.title(), b.Price)
	if postage := b.postage(); postage > 0 {
		text += fmt.Sprintf(", postage: $%d", postage)
	}
	return text + "."
}

// facts returns what has happened to the order, and the conversation. If all of it is too long, the oldest
// lines of the conversation are left out.
func (b Booking) facts(lines []string) string {
	var facts []string
	add := func(format string, values ...any) { facts = append(facts, fmt.Sprintf(format, values...)) }
	add("Order %s. All times are UTC.", b.ID)
	add("%s", b.productFacts())
	if f := b.Fulfilment; f != nil {
		f.deliveryFacts(add)
		f.problemFacts(add)
	}
	if photos := photoFacts(b.shownPhotos()); photos != "" {
		add("The file has all photographs, in rows of three, from left to right: %s.", photos)
	}
	text := strings.Join(facts, "\n")
	if len(lines) == 0 {
		return beginningOf(text, maxFacts)
	}
	const title, isCut = "\n\nThe conversation of the buyer and the seller about this phone:", "\n(Older lines are left out.)"
	free := maxFacts - utf8.RuneCountInString(text+title+isCut)
	first := len(lines)
	for first > 0 && free >= utf8.RuneCountInString(lines[first-1])+1 {
		first--
		free -= utf8.RuneCountInString(lines[first]) + 1
	}
	text += title
	if first > 0 {
		text += isCut
	}
	return beginningOf(strings.Join(append([]string{text}, lines[first:]...), "\n"), maxFacts)
}

func beginningOf(text string, most int) string {
	all := []rune(text)
	return string(all[:min(len(all), most)])
}

// deliveryFacts adds how the phone got to the buyer.
func (f Fulfilment) deliveryFacts(add func(string, ...any)) {
	if !f.PaidAt.IsZero() {
		add("Paid on %s.", onMinute(f.PaidAt))
	}
	if !f.SentAt.IsZero() {
		add("Sent by the seller on %s with %s, tracking number %s.", onMinute(f.SentAt), f.Carrier, f.Tracking)
	}
	switch {
	case f.ReceivedAt.IsZero():
	case f.Method == MethodMet:
		add("Handed over in person on %s: the buyer showed a code, which only the buyer has, and the seller entered it.", onMinute(f.ReceivedAt))
	default:
		add("The buyer confirmed the receipt on %s.", onMinute(f.ReceivedAt))
	}
}

// problemFacts adds what the buyer and the seller have said to the market, and what it has decided.
func (f Fulfilment) problemFacts(add func(string, ...any)) {
	switch {
	case !f.ProblemAt.IsZero():
		add("On %s the buyer reported a problem (%s) to the market: %s", onMinute(f.ProblemAt), f.Category, f.Problem)
	case f.Problem != "":
		add("The seller cancelled the order: %s", f.Problem)
	default:
		add("The buyer has reported no problem to the market.")
	}
	if a := f.Answer; a != nil {
		add("On %s the seller answered: %s", onMinute(a.At), a.Text)
	}
	if r := f.Return; r != nil {
		add("On %s the buyer sent the phone back with %s, tracking number %s.", onMinute(r.At), r.Carrier, r.Tracking)
	}
	if o := f.Objection; o != nil {
		add("On %s the seller objected to what was sent back: %s", onMinute(o.At), o.Text)
	}
	if f.State == FulfilmentSettled {
		outcome := "the money goes to the seller"
		if f.Outcome == OutcomeRefund {
			outcome = "the buyer is refunded"
		}
		add("On %s the order was settled: %s. %s", onMinute(f.SettledAt), outcome, f.Reason)
	}
}

// shownPhotos are the photographs that one side has shown with a statement.
type shownPhotos struct {
	with      string
	addresses []string
}

// shownPhotos returns the photographs of both sides, in the order of their statements.
func (b Booking) shownPhotos() []shownPhotos {
	f := b.Fulfilment
	if f == nil {
		return nil
	}
	shown := []shownPhotos{{"of the buyer, with the problem", f.Photos}}
	if f.Answer != nil {
		shown = append(shown, shownPhotos{"of the seller, with the answer", f.Answer.Photos})
	}
	if f.Objection != nil {
		shown = append(shown, shownPhotos{"of the seller, with the objection", f.Objection.Photos})
	}
	return shown
}

// photoFacts returns who has shown which of all photographs, counted from 1; "" if there are none.
func photoFacts(shown []shownPhotos) string {
	var parts []string
	next := 1
	for _, s := range shown {
		if n := len(s.addresses); n > 0 {
			numbers := fmt.Sprint(next)
			if n > 1 {
				numbers = fmt.Sprint(next, " to ", next+n-1)
			}
			parts = append(parts, numbers+" "+s.with)
			next += n
		}
	}
	return strings.Join(parts, "; ")
}
