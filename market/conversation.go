package market

import "time"

// A conversation is a thread: one person asks the seller about one phone. Its messages are added in the
// compare-and-set of the thread, each with an ID above the one before. So they have one order, and an
// offer that is made stands in it. An offer is answered in the compare-and-set of the offer. See
// docs/adr/0041-conversations.md.

// Thread is the conversation of one person with the seller of one phone.
type Thread struct {
	ID        string
	ProductID string
	BuyerUID  string
	SellerUID string
	// Phone is the phone as it was last seen: its list data once it is removed.
	Phone  ThreadPhone
	Last   LastMessage
	Unread struct{ Buyer, Seller Unread }
	Recent []Message // the newest messages with a Key, without their texts, oldest first; see keptRecent
	// ClosesAt is when nothing can be written any more; zero while the phone is for sale, or bought by
	// this buyer and not settled.
	ClosesAt  time.Time
	Closed    bool // ClosesAt has passed, and both sides were told
	Left      Left // who has left the market
	Version   int64
	CreatedAt time.Time
}

// ThreadPhone is what a thread keeps of its phone.
type ThreadPhone struct {
	Name, Img string
	Price     int // whole US dollars
}

// LastMessage is the newest message of a thread. ID orders the threads.
type LastMessage struct {
	ID      string
	Text    string // its beginning
	ByUID   string
	OfferID string // the newest offer of the thread; "" for none
	At      time.Time
}

// Unread is what one side has not read of the other's messages.
type Unread struct {
	Count int
	First string // the ID of the first of them; "" for none
}

// Left says which sides have left the market.
type Left struct{ Buyer, Seller bool }

// keptRecent is how many messages a thread keeps. An engine that copies messages from their thread may
// not find the newest ones by their keys yet.
const keptRecent = 8

// Times of threads.
const (
	threadClosesAfterSale  = 14 * 24 * time.Hour // after the phone is sold or removed
	threadClosesAfterOrder = 30 * 24 * time.Hour // after the settlement, for the buyer of the phone
	threadRetention        = 365 * 24 * time.Hour
)

// Pair returns the key of the two people, the same for both directions.
func (t Thread) Pair() string { return pairOf(t.BuyerUID, t.SellerUID) }

func pairOf(a, b string) string { return min(a, b) + " " + max(a, b) }

// Due returns when the thread closes, or is deleted.
func (t Thread) Due() time.Time {
	end := t.Last.At.Add(threadRetention)
	if !t.Closed && !t.ClosesAt.IsZero() && t.ClosesAt.Before(end) {
		return t.ClosesAt
	}
	return end
}

// isClosed returns whether nothing can be written.
func (t Thread) isClosed(now time.Time) bool {
	return t.Closed || !t.ClosesAt.IsZero() && !t.ClosesAt.After(now)
}

// side returns on which side of the thread a person is; "" for neither.
func (t Thread) side(uid string) OrderSide {
	switch uid {
	case t.BuyerUID:
		return SideBuyer
	case t.SellerUID:
		return SideSeller
	}
	return ""
}

// other returns the UID of the other side.
func (t Thread) other(uid string) string {
	if uid == t.BuyerUID {
		return t.SellerUID
	}
	return t.BuyerUID
}

// unreadOf returns what a person has not read.
func (t *Thread) unreadOf(uid string) *Unread {
	if uid == t.BuyerUID {
		return &t.Unread.Buyer
	}
	return &t.Unread.Seller
}

// MessageKind is what a message is.
type MessageKind string

// The kinds of messages.
const (
	MessageText  MessageKind = "text"
	MessageOffer MessageKind = "offer" // an offer, with an optional text
	MessageNote  MessageKind = "note"  // the answer to an offer, written by the market
)

// Message is a line of a thread. It never changes.
type Message struct {
	ID       string
	ThreadID string
	Kind     MessageKind
	ByUID    string
	Text     string
	OfferID  string // of MessageOffer and MessageNote; else ""
	Key      string // unique in its thread, so that a message is added once; "" for none
	At       time.Time
	Version  int64
}

// OfferStatus is what has become of an offer.
type OfferStatus string

// The statuses of offers.
const (
	OfferOpen      OfferStatus = "open"
	OfferCountered OfferStatus = "countered" // the seller has named another price
	OfferAccepted  OfferStatus = "accepted"  // the phone is booked for the buyer at the price, or was bought
	OfferDeclined  OfferStatus = "declined"
	OfferWithdrawn OfferStatus = "withdrawn"
	OfferExpired   OfferStatus = "expired"
	OfferLapsed    OfferStatus = "lapsed" // accepted, and not paid in time
	OfferGone      OfferStatus = "gone"   // the phone was sold, removed or changed, or one side has blocked the other or left
)

// IsOpen returns whether the offer can be accepted.
func (s OfferStatus) IsOpen() bool { return s == OfferOpen || s == OfferCountered }

// Offer is a buyer's offer for a phone, with the data for the booking.
type Offer struct {
	ID        string
	ThreadID  string
	ProductID string
	Name      string // the phone's, like Img and ListPrice at the time of the offer
	Img       string
	ListPrice int // whole US dollars
	BuyerUID  string
	SellerUID string
	Price     int // the buyer's, whole US dollars
	Counter   int // the seller's; 0 for none
	Status    OfferStatus
	ExpiresAt time.Time // of an accepted offer when its hold ends
	Phone     string    // a telephone number of the buyer
	Location  string
	Network   string // the network address of the offer, as in Booking.Network
	BookingID string // of the booking of an accepted offer
	// TermsVersion is that of the phone when the offer was made: the terms that it is for.
	TermsVersion int64
	Version      int64
	CreatedAt    time.Time
}

// price returns the price that stands: the last one that was named.
func (o Offer) price() int {
	if o.Counter > 0 {
		return o.Counter
	}
	return o.Price
}

// by returns who named that price.
func (o Offer) by() OrderSide {
	if o.Counter > 0 {
		return SideSeller
	}
	return SideBuyer
}

// accepter returns the UID of who can accept that price.
func (o Offer) accepter() string {
	if o.by() == SideSeller {
		return o.BuyerUID
	}
	return o.SellerUID
}

// side returns on which side of the offer a person is; "" for neither.
func (o Offer) side(uid string) OrderSide {
	switch uid {
	case o.BuyerUID:
		return SideBuyer
	case o.SellerUID:
		return SideSeller
	}
	return ""
}

// OfferTime is how long an offer, or a counter, can be answered.
const OfferTime = 24 * time.Hour
