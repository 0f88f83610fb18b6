package demo

import "strings"

// States of Order. Those from Waiting to PaidOut are stages of a paid order.
const (
	Held      = "held"
	Expired   = "expired"
	Cancelled = "cancelled"
	Refunded  = "refunded"
	Waiting   = "waiting"  // for the seller, who must send or hand over the phone
	Sent      = "sent"     // a day after the payment
	Received  = "received" // a day ago
	Problem   = "problem"  // reported a day ago
	Released  = "released" // the two met a day after the payment
	PaidOut   = "paid out" // two days after that
)

// Order is a booking and its state.
type Order struct {
	Phone int    // index in Catalogue.Phones
	Buyer string // Person.Email
	State string
	Days  int // how many days ago it was booked; 0 if it is held
}

// Holds returns the buyers of the phones that are held at the start, a buyer for each phone.
func (c Catalogue) Holds() []string {
	var buyers []string
	for _, p := range c.Phones {
		if p.BookedBy != "" {
			buyers = append(buyers, p.BookedBy)
		}
	}
	for _, o := range c.Orders {
		if o.State == Held {
			buyers = append(buyers, o.Buyer)
		}
	}
	return buyers
}

// Report is a buyer's complaint about a phone.
type Report struct {
	Phone    int    // index in Catalogue.Phones
	Reporter string // Person.Email
	Reason   string
	Days     int // how many days ago it was made
}

// orderHistory returns orders: the buyers of Logins have one in every state, and the sellers
// of Logins have sold phones.
func orderHistory(all []Phone) []Order {
	logins := Logins()
	verified, seller, buyer, second := logins[1].Email, logins[2].Email, logins[3].Email, logins[4].Email
	specs := []struct {
		buyer, state, seller string
		days                 int
	}{
		{buyer, PaidOut, verified, 14},
		{buyer, Refunded, "", 13},
		{"labiba.noor@example.com", Refunded, verified, 12},
		{"abir.hasan@example.com", Released, verified, 11},
		{buyer, Cancelled, "", 8},
		{second, Problem, verified, 6},
		{buyer, Expired, "", 6},
		{second, Released, seller, 5},
		{"urmi.roy@example.com", Expired, seller, 5},
		{"puja.saha@example.com", Problem, seller, 4},
		{second, Cancelled, seller, 4},
		{buyer, Received, verified, 5},
		{"tom.whitfield@example.com", Received, "", 4},
		{"omar.faruk@example.com", Sent, "", 4},
		{buyer, Sent, seller, 3},
		{"nabila.khan@example.com", Waiting, verified, 2},
		{second, Waiting, verified, 1},
		{buyer, Waiting, seller, 1},
		{second, Held, "", 0},
		{buyer, Held, "", 0},
	}
	used := map[int]bool{}
	var orders []Order
	for _, spec := range specs {
		for i, p := range all {
			// The newest phones stay available. Any ordered phone can be sent.
			if !used[i] && !p.MeetOnly && p.Drawn && !p.Advertised && p.BookedBy == "" && i < len(all)*5/6 && (spec.seller == "" || spec.seller == p.Seller) {
				used[i] = true
				orders = append(orders, Order{Phone: i, Buyer: spec.buyer, State: spec.state, Days: spec.days})
				break
			}
		}
	}
	return orders
}

// reports lists the open reports, each about another phone.
func reports(all []Phone) []Report {
	texts := []struct{ reporter, reason string }{
		{"anika.tabassum@example.com", "The seller asked me to pay outside SecondRing and gets angry when I say no."},
		{"fahim.shahriar@example.com", "The same phone is offered on another site with a different price and place."},
		{"ridwan.karim@example.com", "I went to see it: the back glass is cracked, which the description does not say."},
		{"samira.yasmin@example.com", "Nobody answers the phone number. I tried for three days."},
		{"zahid.alam@example.com", "He would not show me the IMEI, so I could not check whether it is blocked."},
	}
	var out []Report
	for i := len(all) / 3; i < len(all) && len(out) < len(texts); i += 17 {
		if !all[i].Advertised && !strings.HasPrefix(all[i].Seller, "nusrat") {
			out = append(out, Report{i, texts[len(out)].reporter, texts[len(out)].reason, len(texts) - len(out)})
		}
	}
	return out
}
