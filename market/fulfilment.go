package market

import "time"

// Three things can go wrong with a phone, and they are independent:
//
//   - a problem: the buyer complains about a paid order, and an admin decides who gets the
//     money (this file);
//   - a dispute: the buyer demands the money back from their bank, and the bank decides
//     (dispute.go);
//   - a report: a person tells the admins that a phone should not be for sale
//     (reports.go).

// FulfilmentState is the state of a paid order.
type FulfilmentState string

// The states, in the usual order. A problem may come before FulfilmentSettled.
const (
	FulfilmentWaiting   FulfilmentState = "waiting"   // the seller has not handed over or sent the phone
	FulfilmentSent      FulfilmentState = "sent"      // the phone is on its way
	FulfilmentReceived  FulfilmentState = "received"  // the buyer has the phone; the order is settled next
	FulfilmentProblem   FulfilmentState = "problem"   // the buyer has reported a problem; an admin decides
	FulfilmentReturning FulfilmentState = "returning" // an admin has decided that the buyer returns the phone
	FulfilmentSentBack  FulfilmentState = "sentBack"  // the phone is on its way back to the seller
	FulfilmentSettled   FulfilmentState = "settled"   // the order is over, with an Outcome
)

// FulfilmentMethod is how the buyer gets the phone.
type FulfilmentMethod string

// The methods.
const (
	MethodMet    FulfilmentMethod = "met"    // the two sides meet
	MethodPosted FulfilmentMethod = "posted" // by a carrier
)

// FulfilmentOutcome is who gets the money of a settled order.
type FulfilmentOutcome string

// The outcomes.
const (
	OutcomeRelease FulfilmentOutcome = "release" // to the seller
	OutcomeRefund  FulfilmentOutcome = "refund"  // back to the buyer
	// OutcomeReturn is a decision, but no outcome of a settled order: the buyer gets the money back
	// after the phone was returned.
	OutcomeReturn FulfilmentOutcome = "return"
)

// ProblemCategory is what is wrong with an order.
type ProblemCategory string

// The categories.
const (
	ProblemNotArrived     ProblemCategory = "not_arrived"
	ProblemNotAsDescribed ProblemCategory = "not_as_described"
	ProblemDamaged        ProblemCategory = "damaged"
	ProblemLocked         ProblemCategory = "locked" // to a carrier or an account
	ProblemOther          ProblemCategory = "other"
)

var problemCategories = []string{
	string(ProblemNotArrived), string(ProblemNotAsDescribed), string(ProblemDamaged), string(ProblemLocked), string(ProblemOther),
}

// Statement is what the seller says about a problem, or about a phone that was sent back.
type Statement struct {
	Text   string    `json:"text"`
	Photos []string  `json:"photos,omitempty"` // addresses of Evidence
	At     time.Time `json:"at"`
}

// Return is how the buyer has sent the phone back.
type Return struct {
	Carrier  string    `json:"carrier"`
	Tracking string    `json:"tracking"`
	At       time.Time `json:"at"`
}

// Fulfilment is what happens to an order after its payment.
type Fulfilment struct {
	State       FulfilmentState   `json:"state"`
	Method      FulfilmentMethod  `json:"method,omitempty"`
	Carrier     string            `json:"carrier,omitempty"`
	Tracking    string            `json:"tracking,omitempty"`    // the carrier's number
	Corrections int               `json:"corrections,omitempty"` // of the carrier and its number
	Problem     string            `json:"problem,omitempty"`     // in the words of the buyer, or of the seller who cancelled
	Category    ProblemCategory   `json:"category,omitempty"`    // of the buyer's problem
	Photos      []string          `json:"photos,omitempty"`      // of the buyer's problem: addresses of Evidence
	Answer      *Statement        `json:"answer,omitempty"`      // of the seller to the problem
	Return      *Return           `json:"return,omitempty"`      // by a carrier
	Objection   *Statement        `json:"objection,omitempty"`   // of the seller to what was sent back
	Reason      string            `json:"reason,omitempty"`      // an admin's reason for the decision, or a Reason…
	Outcome     FulfilmentOutcome `json:"outcome,omitempty"`
	PaidAt      time.Time         `json:"paidAt,omitzero"`
	SentAt      time.Time         `json:"sentAt,omitzero"`
	ReceivedAt  time.Time         `json:"receivedAt,omitzero"`
	ProblemAt   time.Time         `json:"problemAt,omitzero"`
	AnswerBy    time.Time         `json:"answerBy,omitzero"`    // when the seller should have answered the problem
	Late        bool              `json:"late,omitempty"`       // they have not
	ReturningAt time.Time         `json:"returningAt,omitzero"` // when the return was decided
	SettledAt   time.Time         `json:"settledAt,omitzero"`
	Deadline    time.Time         `json:"deadline,omitzero"`   // when the state ends by itself; see deadlines.go
	RemindAt    time.Time         `json:"remindAt,omitzero"`   // when somebody is reminded of it next
	RemindedAt  time.Time         `json:"remindedAt,omitzero"` // when the side that loses by the deadline was reminded of it
	Waited      bool              `json:"waited,omitempty"`    // the buyer has given the seller more time
	Handover    *Handover         `json:"handover,omitempty"`
}

// fulfilmentStep is a step of a paid order. Those that a person takes have their names from the API.
type fulfilmentStep string

const (
	stepSend          fulfilmentStep = "send"     // the seller has posted the phone, or corrects the carrier and its number
	stepHandOver      fulfilmentStep = "handed"   // the seller has entered the buyer's code
	stepReceive       fulfilmentStep = "received" // the buyer has the phone
	stepReportProblem fulfilmentStep = "problem"  // the buyer reports a problem
	stepWait          fulfilmentStep = "wait"     // the buyer gives the seller more time to send the phone
	stepSellerCancel  fulfilmentStep = "cancel"   // the seller cannot send it: the buyer is refunded
	stepAnswer        fulfilmentStep = "answer"   // the seller answers the problem
	stepReturn        fulfilmentStep = "return"   // the buyer has posted the phone back
	stepReturned      fulfilmentStep = "returned" // the seller has the phone back: the buyer is refunded
	stepObject        fulfilmentStep = "object"   // the seller says that what was sent back is not the phone as it was
	stepAdminSettle   fulfilmentStep = "settle"   // an admin settles the order, in favour of either side
	stepAdminRefund   fulfilmentStep = "refund"   // an admin refunds the buyer, also after the order was settled

	stepHandBack    fulfilmentStep = "handed back"   // the buyer has entered the seller's code; "handed" in the API
	stepAdminReturn fulfilmentStep = "settle:return" // an admin decides that the phone is returned; "settle" in the API
	stepTimeout     fulfilmentStep = "time"          // the deadline of the state has passed
	stepSideLeft    fulfilmentStep = "left"          // the side that would be reminded has no account any more
)

// fulfilmentSteps is the state machine of a paid order: state, step, next state. Other
// steps are not allowed.
var fulfilmentSteps = map[FulfilmentState]map[fulfilmentStep]FulfilmentState{
	FulfilmentWaiting: {
		stepSend:          FulfilmentSent,
		stepHandOver:      FulfilmentReceived,
		stepReceive:       FulfilmentReceived,
		stepReportProblem: FulfilmentProblem,
		stepWait:          FulfilmentWaiting,
		stepSellerCancel:  FulfilmentSettled,
		stepAdminSettle:   FulfilmentSettled,
		stepAdminRefund:   FulfilmentSettled,
		stepTimeout:       FulfilmentSettled,
		stepSideLeft:      FulfilmentProblem,
	},
	FulfilmentSent: {
		stepSend:          FulfilmentSent,
		stepHandOver:      FulfilmentReceived,
		stepReceive:       FulfilmentReceived,
		stepReportProblem: FulfilmentProblem,
		stepAdminSettle:   FulfilmentSettled,
		stepAdminRefund:   FulfilmentSettled,
		stepTimeout:       FulfilmentSettled,
		stepSideLeft:      FulfilmentProblem,
	},
	FulfilmentReceived: {
		stepReportProblem: FulfilmentProblem,
		stepAdminSettle:   FulfilmentSettled,
		stepAdminRefund:   FulfilmentSettled,
		stepTimeout:       FulfilmentSettled,
		stepSideLeft:      FulfilmentProblem,
	},
	FulfilmentProblem: {
		stepAnswer:      FulfilmentProblem,
		stepAdminReturn: FulfilmentReturning,
		stepAdminSettle: FulfilmentSettled,
		stepAdminRefund: FulfilmentSettled,
	},
	FulfilmentReturning: {
		stepReturn:      FulfilmentSentBack,
		stepHandBack:    FulfilmentSettled,
		stepAdminSettle: FulfilmentSettled,
		stepAdminRefund: FulfilmentSettled,
		stepTimeout:     FulfilmentSettled,
		stepSideLeft:    FulfilmentProblem,
	},
	FulfilmentSentBack: {
		stepReturned:    FulfilmentSettled,
		stepObject:      FulfilmentProblem,
		stepAdminSettle: FulfilmentSettled,
		stepAdminRefund: FulfilmentSettled,
		stepTimeout:     FulfilmentSettled,
		stepSideLeft:    FulfilmentProblem,
	},
	FulfilmentSettled: {
		stepAdminRefund: FulfilmentSettled,
	},
}

// after returns the state that a step leads to, and whether the step is allowed.
func (s FulfilmentState) after(m fulfilmentStep) (FulfilmentState, bool) {
	next, ok := fulfilmentSteps[s][m]
	return next, ok
}

// isRefundDecided returns whether an admin has decided to refund the order.
func (b Booking) isRefundDecided() bool {
	return b.Fulfilment != nil && b.Fulfilment.Outcome == OutcomeRefund
}
