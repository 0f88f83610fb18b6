package market

import (
	"time"

	"secondring/market/search"
)

// Who may advertise (setting ADVERTISE).
const (
	AdvertiseVerified = "verified"
	AdvertiseAll      = "all"
	AdvertiseOff      = "off"
)

// How sellers are paid out (setting PAYOUTS).
const (
	PayoutsManual = "manual" // an admin pays, and enters the reference
	PayoutsStripe = "stripe" // the payment check transfers the money to the seller's PayoutAccount
	PayoutsOff    = "off"
)

// Who sees the phone number and the email address of a phone's seller (setting CONTACT).
const (
	ContactShown        = "shown"         // everybody who is signed in
	ContactAfterPayment = "after-payment" // the buyer, with the paid order, and admins
)

// Rules are the market's settings.
type Rules struct {
	BookingHold time.Duration // how long an unpaid booking keeps the phone
	TurnHold    time.Duration // the same for a buyer who got the phone from its waitlist
	OfferHold   time.Duration // the same for a buyer whose offer was accepted
	Payouts     string        // one of the Payouts… constants
	Commission  int           // the market's share of a price, in whole percent
	SendWithin  time.Duration // how long the seller of a paid phone may take to send it
	Transit     time.Duration // how long a phone may be on its way
	SettleAfter time.Duration // how long after that, or after the receipt, the buyer may report a problem
	MaxHolds    int           // unpaid bookings a buyer may have at once
	// MaxHoldsPerNetwork is how many unpaid bookings may come from one network address
	// at once, of all buyers together; 0 for any number.
	MaxHoldsPerNetwork int
	Advertise          string // one of the Advertise… constants
	Contact            string // one of the Contact… constants; "" for ContactShown
	AdminFactor        bool   // admins need a second factor
	VerifyEmail        bool   // only people who have confirmed their address may book and list
	// PublicURL is the origin of this server's pictures in views, like https://phones.example; with ""
	// views have paths.
	PublicURL string
}

// rebookAfter is the time that a buyer must wait after a hold to hold the same phone
// again. It prevents keeping a phone off the market without paying.
const rebookAfter = time.Hour

// Market has the use cases of the market. It is safe for concurrent use.
type Market struct {
	store            Store
	clock            Clock
	rules            Rules
	payments         Payments
	payouts          PayoutProvider
	pictures         Pictures         // nil if there is none
	evidencePictures EvidencePictures // nil if there is none
	takedowns        Takedowns
	letters          Letters
	caseKey          []byte
	counters         Counters
	accessCache      AccessCache // nil if there is none
	rates            RateCounter
	bookingLocks     keyedLock // of phones that are being booked
	corrector        *search.Corrector
}

// New returns a market over a store. A Runner beside it does the background work; see background.go.
// Use NoPayments in a process that takes no payments.
func New(store Store, clock Clock, rules Rules, payments Payments) *Market {
	m := &Market{
		store: store, clock: clock, rules: rules, payments: payments, payouts: noPayouts{}, counters: noCounters{}, rates: noRates{}, letters: noLetters{}, takedowns: noTakedowns{},
	}
	m.corrector = search.NewCorrector(m.findPhones, clock.Now)
	return m
}

// UsePictures sets the image hosts that check each photo of a request. Call it before the
// market is used.
func (m *Market) UsePictures(p Pictures) { m.pictures = p }

// UsePayouts sets the provider that pays sellers out with PayoutsStripe. Call it before the
// market is used.
func (m *Market) UsePayouts(p PayoutProvider) { m.payouts = p }

// Counters counts what has happened in the market, for metrics.
type Counters interface {
	CountBooking(status BookingStatus) // a booking has got this status
	CountPayment(dollars int)          // a payment was recorded
	CountRefund()                      // the money of a payment was returned
}

type noCounters struct{}

func (noCounters) CountBooking(BookingStatus) {}
func (noCounters) CountPayment(int)           {}
func (noCounters) CountRefund()               {}

// UseCounters sets what counts. Call it before the market is used.
func (m *Market) UseCounters(c Counters) { m.counters = c }
