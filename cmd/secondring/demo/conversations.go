package demo

import "time"

// Conversation is what a buyer and a seller have said about a phone.
type Conversation struct {
	Phone int    // index in Catalogue.Phones
	Buyer string // Person.Email
	Lines []Line
}

// Line is a message, an offer, or the seller's price in place of one.
type Line struct {
	BySeller bool
	Text     string        // may be empty with an offer
	Percent  int           // of an offer or another price, of the phone's price; 0 for a message
	Before   time.Duration // how long before the start it was said
	Read     bool          // by the other side
}

// conversations returns what is said about available phones of the sellers of Logins: a question with its answer, an
// offer that waits for the seller, one that waits for the buyer, and a question that nobody has read.
func conversations(all []Phone, orders []Order, now time.Time) []Conversation {
	logins := Logins()
	verified, seller, buyer, second := logins[1].Email, logins[2].Email, logins[3].Email, logins[4].Email
	specs := []struct {
		seller, buyer string
		lines         []Line
	}{
		{seller, buyer, []Line{
			{Text: "Hello! Are there any faults that the photos do not show?", Before: 26 * time.Hour, Read: true},
			{BySeller: true, Text: "One small scratch beside the camera, nothing else. The battery lasts a day.", Before: 25 * time.Hour, Read: true},
		}},
		{seller, second, []Line{
			{Text: "I can fetch it tomorrow.", Percent: 80, Before: 2 * time.Hour},
		}},
		{verified, buyer, []Line{
			{Text: "Would you take a little less?", Percent: 75, Before: 5 * time.Hour, Read: true},
			{BySeller: true, Percent: 90, Before: time.Hour},
		}},
		{verified, second, []Line{
			{Text: "Does it come with the box and the charger?", Before: 40 * time.Minute},
		}},
	}
	used := map[int]bool{}
	for _, o := range orders {
		used[o.Phone] = true
	}
	var out []Conversation
	for _, spec := range specs {
		for i := len(all) - 1; i >= 0; i-- { // the newest, which stay available
			isListed := all[i].Created.Before(now.Add(-spec.lines[0].Before))
			if p := all[i]; isListed && !used[i] && p.BookedBy == "" && p.Seller == spec.seller {
				used[i] = true
				out = append(out, Conversation{Phone: i, Buyer: spec.buyer, Lines: spec.lines})
				break
			}
		}
	}
	return out
}
