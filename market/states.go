package market

// BookingStatus is the state of an order.
type BookingStatus string

// The statuses of contract section 4.
const (
	BookingHeld      BookingStatus = "held"
	BookingPaid      BookingStatus = "paid"
	BookingExpired   BookingStatus = "expired"
	BookingCancelled BookingStatus = "cancelled"
	BookingRefunded  BookingStatus = "refunded"
)

// bookingMove is something that happens to an order.
type bookingMove string

const (
	movePay    bookingMove = "pay"    // the money has arrived
	moveLapse  bookingMove = "lapse"  // the hold's deadline has passed
	moveCancel bookingMove = "cancel" // the buyer, or the end of either account
	moveRefund bookingMove = "refund" // the money went back
)

// bookingMoves is the order's whole life: status, what happens, next status.
// What is not in it may not happen.
var bookingMoves = map[BookingStatus]map[bookingMove]BookingStatus{
	BookingHeld: {
		movePay:    BookingPaid,
		moveLapse:  BookingExpired,
		moveCancel: BookingCancelled,
		moveRefund: BookingRefunded,
	},
	// Money that arrives late still takes a phone that is still free.
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
	// A dispute was won, or a refund has failed: the money is here again.
	BookingRefunded: {
		movePay: BookingPaid,
	},
}

// after returns the status that a move leads to, and whether it may happen.
func (s BookingStatus) after(m bookingMove) (BookingStatus, bool) {
	next, ok := bookingMoves[s][m]
	return next, ok
}

// PaymentOutcome is what became of money that arrived. It is decided once, by a
// compare-and-set of the payment.
type PaymentOutcome string

// The outcomes.
const (
	PaymentUndecided PaymentOutcome = ""
	PaymentKept      PaymentOutcome = "kept"     // it bought the phone
	PaymentReturned  PaymentOutcome = "returned" // there was no phone for it: it goes back
)
