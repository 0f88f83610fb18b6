package market

// BookingStatus is the status of an order.
type BookingStatus string

// The statuses of contract section 4.
const (
	BookingHeld      BookingStatus = "held"
	BookingPaid      BookingStatus = "paid"
	BookingExpired   BookingStatus = "expired"
	BookingCancelled BookingStatus = "cancelled"
	BookingRefunded  BookingStatus = "refunded"
)

// bookingMove is an event in the life of an order.
type bookingMove string

const (
	movePay    bookingMove = "pay"    // the money has arrived
	moveLapse  bookingMove = "lapse"  // the hold's deadline has passed
	moveCancel bookingMove = "cancel" // by the buyer, or by the deletion of either account
	moveRefund bookingMove = "refund" // the money went back
)

// bookingMoves is the state machine of an order: status, move, next status. Other moves are
// not allowed.
var bookingMoves = map[BookingStatus]map[bookingMove]BookingStatus{
	BookingHeld: {
		movePay:    BookingPaid,
		moveLapse:  BookingExpired,
		moveCancel: BookingCancelled,
		moveRefund: BookingRefunded,
	},
	// A late payment still buys the phone if it is available.
	BookingExpired: {
		movePay:    BookingPaid,
		moveRefund: BookingRefunded,
	},
	BookingCancelled: {
		movePay:    BookingPaid,
		moveRefund: BookingRefunded,
	},
	BookingPaid: {
		moveRefund: BookingRefunded,
	},
	// A dispute was won, or a refund has failed: the market has the money again.
	BookingRefunded: {
		movePay: BookingPaid,
	},
}

// after returns the status that a move leads to, and whether it may happen.
func (s BookingStatus) after(m bookingMove) (BookingStatus, bool) {
	next, ok := bookingMoves[s][m]
	return next, ok
}

// PaymentOutcome is what happens to a received payment. It is decided once, by a
// compare-and-set of the payment.
type PaymentOutcome string

// The outcomes.
const (
	PaymentUndecided PaymentOutcome = ""
	PaymentKept      PaymentOutcome = "kept"     // it bought the phone
	PaymentReturned  PaymentOutcome = "returned" // it bought no phone and is refunded
)
