package market

import (
	"cmp"
	"slices"
	"strings"

	"secondring/market/search"
)

// OrderTab is a list of orders about which an admin must do something. An order may be in several.
type OrderTab string

// The tabs.
const (
	TabProblem OrderTab = "problem" // an admin must decide who gets the money
	TabPayout  OrderTab = "payout"  // the money is due to the seller
	TabDispute OrderTab = "dispute" // the bank waits for an answer to the buyer's dispute
	TabLate    OrderTab = "late"    // the buyer, the seller or an admin was reminded to act, and has not
)

// Tabs returns the tabs that the order is in.
func (b Booking) Tabs() []OrderTab {
	var tabs []OrderTab
	isOpen := b.Status == BookingPaid && b.Fulfilment != nil && b.Fulfilment.State != FulfilmentSettled
	if isOpen && b.needsAdmin() {
		tabs = append(tabs, TabProblem)
	}
	if b.PayoutState() == EarningDue {
		tabs = append(tabs, TabPayout)
	}
	if b.awaitsAnswer() {
		tabs = append(tabs, TabDispute)
	}
	if isOpen && !b.isDisputed() && b.Fulfilment.isOverdue() {
		tabs = append(tabs, TabLate)
	}
	return tabs
}

// isOverdue returns whether somebody was reminded of what they have to do: the seller to send the phone,
// the buyer to confirm its receipt or to return it, the seller to confirm its return or to answer a problem,
// or the admins to decide. When the phone is received, nobody has to do anything.
func (f Fulfilment) isOverdue() bool {
	isReminded := !f.RemindedAt.IsZero() && f.State != FulfilmentReceived
	return isReminded || f.Late || f.RemindAt.After(f.Deadline)
}

// The beginnings of a name by which an order is found: of how many words, and how long they are at
// most, in characters.
const (
	maxNameWords     = 6
	maxNameBeginning = 30
)

// Terms returns the texts by which admins find the order: its ID, its transaction, the email
// addresses of both sides, and each beginning of their names that starts with a word.
func (b Booking) Terms() []string {
	terms, names := []string{b.ID, b.Intent, NormalEmail(b.Email)}, []string{b.UserName}
	if b.Seller != nil {
		terms, names = append(terms, NormalEmail(b.Seller.Email)), append(names, b.Seller.Name)
	}
	for _, name := range names {
		words := search.WordsOf(name)
		for i := range min(len(words), maxNameWords) {
			text := beginning(words[i:])
			for end := range text {
				terms = append(terms, text[:end])
			}
			terms = append(terms, text)
		}
	}
	slices.Sort(terms)
	return slices.DeleteFunc(slices.Compact(terms), func(term string) bool { return term == "" })
}

// wantedTerms returns the terms of which an order must have one to be found by a text.
func wantedTerms(q string) []string {
	if q = strings.TrimSpace(q); q == "" {
		return nil
	}
	return []string{q, NormalEmail(q), cmp.Or(beginning(search.WordsOf(q)), q)}
}

// beginning returns the beginning of words that orders are found by.
func beginning(words []string) string {
	text := []rune(strings.Join(words, " "))
	return strings.TrimSpace(string(text[:min(len(text), maxNameBeginning)]))
}
