package demo

import "strings"

// States of Order.
const (
	Held      = "held"
	Paid      = "paid"
	Expired   = "expired"
	Cancelled = "cancelled"
	Refunded  = "refunded"
)

// Order is a booking and its state.
type Order struct {
	Phone int    // index in Catalogue.Phones
	Buyer string // Person.Email
	State string
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
}

// orderHistory returns orders: the buyers of Logins have one in every state, and the sellers
// of Logins have sold phones.
func orderHistory(all []Phone) []Order {
	logins := Logins()
	verified, seller, buyer, second := logins[1].Email, logins[2].Email, logins[3].Email, logins[4].Email
	specs := []struct{ buyer, state, seller string }{
		{buyer, Refunded, ""},
		{buyer, Paid, verified},
		{second, Paid, seller},
		{buyer, Cancelled, ""},
		{"abir.hasan@example.com", Paid, verified},
		{"puja.saha@example.com", Paid, seller},
		{buyer, Expired, ""},
		{"omar.faruk@example.com", Paid, verified},
		{second, Cancelled, seller},
		{"labiba.noor@example.com", Refunded, verified},
		{"tom.whitfield@example.com", Paid, ""},
		{"urmi.roy@example.com", Expired, seller},
		{"ridwan.karim@example.com", Held, verified},
		{buyer, Paid, seller},
		{second, Held, ""},
		{buyer, Held, ""},
	}
	used := map[int]bool{}
	var orders []Order
	for _, spec := range specs {
		for i, p := range all {
			// The newest phones stay available.
			if !used[i] && p.Drawn && !p.Advertised && p.BookedBy == "" && i < len(all)*2/3 && (spec.seller == "" || spec.seller == p.Seller) {
				used[i] = true
				orders = append(orders, Order{Phone: i, Buyer: spec.buyer, State: spec.state})
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
			out = append(out, Report{i, texts[len(out)].reporter, texts[len(out)].reason})
		}
	}
	return out
}
