package market

import (
	"strings"
	"time"
)

// Account types, as sign-up offers them.
const (
	AccountUser   = "User"
	AccountSeller = "Seller"
)

// StatusVerified is User.Status of a verified seller; otherwise it is "".
const StatusVerified = "verified"

// User is a person in the market. The identity provider's Account of the same
// UID holds how they sign in.
type User struct {
	ID          string
	UID         string
	Name        string
	Email       string        // as typed; compare with NormalEmail
	AccountType string        // AccountUser or AccountSeller
	Admin       bool          // an admin acts as neither buyer nor seller
	Moderator   bool          // with Admin: decides about phones and people, and has nothing to do with orders and money
	Status      string        // StatusVerified or ""
	Removed     bool          // a tombstone, until its sweep is done
	Leaving     bool          // with Removed: the person deleted their account and is to be forgotten; without: is about to
	Closed      string        // with Removed: the Case that closed the account, which may give it back; "" for a removal for good
	Suspensions []Suspension  // see suspension.go
	Unfounded   []Unfounded   // reports of the person that an admin found unfounded, oldest first; the last maxUnfounded
	SweepUntil  time.Time     // while set, the runner repeats the cascade of the last verify or removal, or ends Leaving
	Emails      []EmailChoice // the notifications that the person gets emails about: all kinds but those that are off, in the order of NotificationKinds
	// PayoutAccount is the account that receives a seller's money; nil if there is none.
	PayoutAccount *PayoutAccount
	Version       int64
	CreatedAt     time.Time
}

// MayBuy returns whether the user may book, wait for and pay phones: everybody but admins.
func (u User) MayBuy() bool { return u.IsBuyer() || u.IsSeller() }

// IsBuyer returns whether the user has a buyer's account, and sells nothing.
func (u User) IsBuyer() bool { return !u.Admin && u.AccountType == AccountUser }

// IsSeller returns whether the user acts as a seller.
func (u User) IsSeller() bool { return !u.Admin && u.AccountType == AccountSeller }

// IsVerified returns whether an admin has verified this seller.
func (u User) IsVerified() bool { return u.IsSeller() && u.Status == StatusVerified }

// HandlesMoney returns whether the user is an admin who sees orders and decides about their money: no
// moderator.
func (u User) HandlesMoney() bool { return u.Admin && !u.Moderator }

// AdminTopic returns the broker's topic that the protocol's topic admin is for this admin.
func (u User) AdminTopic() string {
	if u.HandlesMoney() {
		return TopicAdmin
	}
	return TopicModerators
}

// NormalEmail is the form of an email address that is compared and indexed.
func NormalEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// Brand is a brand of phones.
type Brand struct {
	ID        string
	Name      string // unique without case
	Img       string // http(s) or site-relative URL
	Version   int64
	CreatedAt time.Time
}

// BrandStock is a brand with a summary of its available phones. Version is the brand's: a
// change of its phones does not raise it.
type BrandStock struct {
	Brand

	Available int // phones that can be booked
	FromPrice int // the lowest resale price of those, whole US dollars; 0 if there are none
}

// Product is one phone for sale.
type Product struct {
	ID            string
	BrandID       string
	Brand         string // the brand's name
	Name          string
	Img           string   // the first of Photos
	Photos        []Photo  // at most eight; see Gallery
	OriginalPrice int      // whole US dollars
	ResalePrice   int      // whole US dollars
	Storage       int      // GB; 0 if the seller has not given it
	Colour        string   // the seller's own words; "" if not given
	Delivers      Delivery // what the seller offers; "" for both
	Postage       int      // of a phone that is sent, whole US dollars
	UsedTime      string
	Condition     string // Excellent, Good or Fair
	Description   string
	SellerUID     string
	SellerName    string
	SellerEmail   string
	Location      string // where the seller is
	Phone         string // the seller's telephone number
	PostedOn      string // YYYY-MM-DD
	NoOffers      bool   // the seller takes no offers
	Verified      bool   // the seller is verified
	Advertised    bool
	Sold          bool     // the phone is paid for and never available again, unless the money goes back
	Hold          *Hold    // of the booking that holds or has bought it
	Watchers      int      // people who watch the phone; see watcher_count.go
	Waitlist      []Waiter // buyers who wait for the end of the hold, in the order of joining; empty unless the phone is held
	Version       int64
	TermsVersion  int64 // the Version in which price, name, storage, colour, condition, description, delivery or postage last changed; 0 for never
	EditedVersion int64 // the Version in which the seller last changed texts, prices or photos; 0 for never
	CreatedAt     time.Time
}

// Booked returns whether the phone is held or sold.
func (p Product) Booked() bool { return p.Hold != nil }

// HeldBy returns whether the booking holds or has bought the phone.
func (p Product) HeldBy(bookingID string) bool { return p.Hold != nil && p.Hold.BookingID == bookingID }

// Hold reserves a phone for a buyer. It has all data of the booking, so that the
// booking can be written from it after a crash.
type Hold struct {
	BookingID string    `json:"bookingId"`
	BuyerUID  string    `json:"buyerUid"`
	Name      string    `json:"name"` // the buyer's, like Email, Phone and Location
	Email     string    `json:"email"`
	Phone     string    `json:"phone"`
	Location  string    `json:"location"`
	At        time.Time `json:"at"`
	Until     time.Time `json:"until"`
	// Transaction is the payment that bought the phone; "" while it is held.
	Transaction string `json:"transaction,omitempty"`
	// Turn is true if the buyer got the phone from its waitlist.
	Turn bool `json:"turn,omitempty"`
	// Network is the buyer's network, as in Booking.Network; "" after the sale.
	Network string `json:"network,omitempty"`
	// Refunded is true if the buyer has the money back, or gets it back.
	Refunded bool `json:"refunded,omitempty"`
	// Offer is the offer by which the buyer got the phone; nil if it was booked at its list price.
	Offer *HoldOffer `json:"offer,omitempty"`
}

// HoldOffer is the offer of a Hold, with the prices of its booking in whole US dollars.
type HoldOffer struct {
	ID        string `json:"id"`
	Price     int    `json:"price"`
	ListPrice int    `json:"listPrice"` // of the phone
}

// Waiter is a buyer's place on a phone's waitlist, with the data for the booking when it is
// their turn.
type Waiter struct {
	ID       string    `json:"id"`
	UID      string    `json:"uid"`
	Phone    string    `json:"phone"` // a telephone number
	Location string    `json:"location"`
	At       time.Time `json:"at"` // when they joined the waitlist
	// Network identifies the network address from which they joined it; "" is not limited.
	Network string `json:"network,omitempty"`
}

// Booking is one buyer's order of one phone: see doc.go for both words.
type Booking struct {
	ID          string
	BuyerUID    string
	UserName    string // the buyer's, like Email, Phone and Location
	Email       string
	ProductID   string
	SellerUID   string
	ProductName string
	BrandID     string
	Brand       string
	Img         string
	Price       int      // whole US dollars
	OfferID     string   // of the offer by which it was booked; "" for none
	ListPrice   int      // the phone's price, if it was booked by an offer; else 0, and Price is that
	Delivers    Delivery // what the phone's seller offers; "" for both
	SendPostage int      // of the phone, if it is sent, whole US dollars
	Delivery    Delivery // what the buyer has chosen: DeliveryMeet or DeliverySend
	Address     string   // the ID of the record of the address; "" if there is none. See delivery.go
	Phone       string   // a telephone number
	Location    string
	Status      BookingStatus
	HoldUntil   time.Time     // when the hold ends
	Intent      string        // the payment intent at the provider, once there is one
	IntentAt    time.Time     // when Intent was made
	Attempt     int           // counts the intents: raised when the provider has cancelled one
	Closing     BookingStatus // the status after the hold has ended; set while it is being ended. Then no new intent is made
	ClosingAt   time.Time     // when Closing was set
	Due         time.Time     // when the runner must handle it next; zero if nothing is left to do
	EndedAt     time.Time     // when its hold ended
	// Seller is the seller's contact data at the time of the payment, before it at the time of the
	// booking; nil once the seller has deleted their account.
	Seller *Contact
	// Fulfilment is what happens after the payment; nil before it.
	Fulfilment *Fulfilment
	// Commission is the market's share in whole percent at the time of the booking.
	Commission int
	// Payout is how the seller got the money; nil before the payout.
	Payout *Payout
	// Dispute is the dispute of the payment; nil if there is none.
	Dispute *Dispute
	// Turn is true if the buyer got the phone from its waitlist.
	Turn bool
	// TermsVersion is that of the phone when it was booked: the terms that the buyer agreed
	// to.
	TermsVersion int64
	// Network identifies the network address that the booking was made from, or from which its
	// buyer joined the waitlist, while it is held; "" as soon as its hold is being ended, and if
	// bookings are not limited by network.
	Network   string
	Version   int64
	CreatedAt time.Time
}

// Contact is the contact data of one side of a paid order.
type Contact struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Phone    string `json:"phone"`
	Location string `json:"location"`
}

// Payment is money that was received, recorded once for each transaction.
type Payment struct {
	ID          string
	Transaction string // the provider's id of the intent
	BookingID   string
	ProductID   string
	BuyerUID    string
	SellerUID   string // "" for a charge without a booking
	Email       string // the buyer's
	Price       int    // whole US dollars
	Postage     int    // whole US dollars, paid with the price
	Outcome     PaymentOutcome
	RefundedAt  time.Time // zero if the money was not refunded
	Version     int64
	CreatedAt   time.Time
}

// Record is a small document that another package keeps in the store. Only that package
// knows its content.
type Record struct {
	Kind    string // the package and the type of its content
	ID      string // unique within its kind
	Data    []byte
	Due     time.Time // when it must be handled; zero for never
	Expires time.Time // when it may be forgotten; zero for never
	Tries   int       // of a job: how often it failed since it was last done
	Version int64
}

// Report is an open report of one phone, or of the other side of one conversation, with the phone's data
// at that time. It is an entry of the list of reported items. What was reported is in its Case, too, and stays there.
type Report struct {
	ID          string
	ProductID   string
	SellerID    string // User.ID of the phone's seller, or of the other side of the conversation; "" in reports from before it was kept
	ReporterUID string
	UserName    string // the reporter's, like Email
	Email       string
	ProductName string
	BrandID     string
	Brand       string
	Img         string
	Rule        Rule
	Reason      string
	CaseID      string
	ThreadID    string  // if it is about a conversation; else ""
	Quotes      []Quote // of the conversation, oldest first
	Version     int64
	CreatedAt   time.Time
}

// Quote is a message of a reported conversation: one that was reported, or one beside it.
type Quote struct {
	Text       string    `json:"text"`
	At         time.Time `json:"at" doc:"UTC"`
	By         string    `json:"by" doc:"Name of who wrote it"`
	IsReported bool      `json:"reported" doc:"True for a reported message, false for one beside it"`
	ByReporter bool      `json:"byReporter" doc:"True if the person who made the report wrote it"`
}

// Account is how a person signs in: the identity provider's record.
type Account struct {
	UID          string
	Email        string
	PasswordHash string // encoded argon2id; "" for a Google-only account
	GoogleSub    string // Google's subject; "" when not linked
	DisplayName  string
	PhotoURL     string
	Removed      bool          // the address stays taken until `user allow`
	Unconfirmed  bool          // the owner has not confirmed the address yet
	Address      *Address      // where their phones are sent to, if they want it to be remembered
	Phone        string        // the telephone number with which their forms begin; "" for none
	Location     string        // the place with which their forms begin; "" for none
	SignUpKey    string        // hash of the key of the form that created it; "" for none
	Links        []AccountLink // sent by email, one for each purpose
	Devices      []string      // hashes of the browsers that signed in, newest last
	RestoredAt   time.Time     // when its owner last undid a change of the address; zero for never
	RestoredFrom time.Time     // when the oldest change was made that this has undone
	SecondFactor *SecondFactor // nil: the sign-in requires no code
	Version      int64
	CreatedAt    time.Time

	// CredentialsVersion is raised by each change of how the account is entered: its password,
	// second factor, address and linked Google account. It makes all sessions invalid except
	// KeptSession, in which the change was made ("" for none). See ADR 30.
	CredentialsVersion int64
	KeptSession        string
}

// HasSecondFactor returns whether the account's sign-in requires a code.
func (a Account) HasSecondFactor() bool { return a.SecondFactor != nil && a.SecondFactor.Confirmed }

// SecondFactor is what an account's sign-in requires beside the password: codes of an
// authenticator app.
type SecondFactor struct {
	Secret    string   // the app's secret, encrypted by the identity provider
	Confirmed bool     // a code of the app was entered: codes are required from then on
	LastStep  int64    // the time step of the last code that was used: no code can be used twice
	Recovery  []string // hashes of the unused recovery codes
	Address   string   // a hash of the account's confirmed address when it was set up; "" if there was none, or it is not known
}

// The purposes of links that give an account back to the owner of its address.
const (
	LinkUndo      = "undo"          // undoes a change of the address
	LinkFactorOff = "second-factor" // switches off a second factor that the owner did not switch on
)

// GivesBack returns whether the link gives the account back to the owner of its address.
func (l AccountLink) GivesBack() bool { return l.Purpose == LinkUndo || l.Purpose == LinkFactorOff }

// AccountLink is a link in an email, such as the link for a new password. It contains a
// secret token. Only the token's hash is stored.
type AccountLink struct {
	Purpose string
	Hash    string // SHA-256 of the token, hexadecimal
	Email   string // the address that the link is about
	Expires time.Time
	At      time.Time // when the change was made that the link undoes; zero for other links
	Used    bool      // what it does was done; it changes nothing any more
}

// Session is one signed-in browser. Its id is a hash: the cookie is never stored.
type Session struct {
	ID        string
	UID       string
	Device    string // browser and system, such as "Firefox on Windows"; "" where unknown
	Network   string // the network address of the sign-in
	CreatedAt time.Time
	SeenAt    time.Time // when it was last used, rounded to the hour
	ExpiresAt time.Time

	CredentialsVersion int64 // that of the account when its owner was checked
}
