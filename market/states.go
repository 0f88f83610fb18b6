package market

// BookingStatus is the status of an order.
type BookingStatus string

// The statuses of an order, as the API returns them.
const (
	BookingHeld      BookingStatus = "held"
	BookingPaid      BookingStatus = "paid"
	BookingExpired   BookingStatus = "expired"
	BookingCancelled BookingStatus = "cancelled"
	BookingRefunded  BookingStatus = "refunded"
)

// bookingStep is what changes the status of an order.
type bookingStep string

const (
	stepPay    bookingStep = "pay"    // the money has arrived
	stepExpire bookingStep = "expire" // the hold's deadline has passed
	stepCancel bookingStep = "cancel" // by the buyer, or by the deletion of either account
	stepRefund bookingStep = "refund" // the money went back
)

// bookingSteps is the state machine of an order: status, step, next status. Other steps are
// not allowed.
var bookingSteps = map[BookingStatus]map[bookingStep]BookingStatus{
	BookingHeld: {
		stepPay:    BookingPaid,
		stepExpire: BookingExpired,
		stepCancel: BookingCancelled,
		stepRefund: BookingRefunded,
	},
	// A late payment still buys the phone if it is available.
	BookingExpired: {
		stepPay:    BookingPaid,
		stepRefund: BookingRefunded,
	},
	BookingCancelled: {
		stepPay:    BookingPaid,
		stepRefund: BookingRefunded,
	},
	BookingPaid: {
		stepRefund: BookingRefunded,
	},
	// A dispute was won, or a refund has failed: the market has the money again.
	BookingRefunded: {
		stepPay: BookingPaid,
	},
}

// after returns the status that a step leads to, and whether the step is allowed.
func (s BookingStatus) after(m bookingStep) (BookingStatus, bool) {
	next, ok := bookingSteps[s][m]
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
