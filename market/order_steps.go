package market

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"time"
)

// The use cases of an order after its payment. Each is one compare-and-set of the booking,
// with the notifications of both sides. The payment check does what is due later: it
// settles the order, and it requests a refund that was decided.

// maxProblem is the length of a reported problem and of a reason, in characters.
const maxProblem = 1000

// maxCorrections is how often the seller can correct the carrier and its number: the buyer is
// notified of each correction.
const maxCorrections = 5

// FulfilmentRequest is the payload of PUT /bookings/{id}/fulfilment.
type FulfilmentRequest struct {
	Action            string   // a fulfilmentStep that a person takes
	Carrier, Tracking string   // of "send" and "return"
	Code              string   // of "handed"
	Outcome           string   // of "settle"
	Category          string   // of "problem"; may be empty
	Reason            string   // of "problem", "cancel" and "settle"
	Text              string   // of "answer" and "object"
	Photos            []string // of "problem", "answer" and "object": addresses of Evidence of this order
	Wrong             Fields
}

// Fulfil takes a step of a paid order. It returns 0 if the order is in that state already.
// The seller may send the phone, correct its tracking number, or enter the buyer's code.
// The buyer may confirm the receipt or report a problem, which the seller may answer. An admin may settle
// the order, or decide that the phone is returned.
func (m *Market) Fulfil(ctx context.Context, who Actor, id string, in FulfilmentRequest) (int, error) {
	b, err := m.Booking(ctx, who, id)
	if err != nil {
		return 0, err
	}
	step := in.step(b)
	if err := mayTakeStep(who, b, step); err != nil {
		return 0, err
	}
	wrong := in.check(step)
	if step.hasPhotos() {
		if err := m.mustBeEvidence(ctx, b, who.User.UID, wrong, in.Photos); err != nil {
			return 0, err
		}
	}
	if err := wrong.Err(); err != nil {
		return 0, err
	}
	if step == stepReportProblem && in.Category == string(ProblemNotArrived) && b.isInTimeToSend(m.clock.Now()) {
		return 0, refuse(CodeConflict, "The seller has until "+inFull(b.Fulfilment.Deadline)+" to send the phone")
	}
	if step == stepHandOver || step == stepHandBack {
		if err := m.enterCode(ctx, b, step, in.Code); err != nil {
			return 0, err
		}
	}
	return m.takeStep(ctx, b, step, &who.User, func(f *Fulfilment, now time.Time) { f.apply(step, in, m.rules, now) })
}

// step returns the step of an action. Its meaning depends on the order for a handover, and on the
// outcome for a decision.
func (in FulfilmentRequest) step(b Booking) fulfilmentStep {
	step := fulfilmentStep(in.Action)
	switch {
	case step == stepHandOver:
		return b.handoverStep()
	case step == stepAdminSettle && FulfilmentOutcome(in.Outcome) == OutcomeReturn:
		return stepAdminReturn
	case step == stepAdminRefund: // a call of its own
		return ""
	}
	return step
}

// isInTimeToSend returns whether the seller may still send the phone.
func (b Booking) isInTimeToSend(now time.Time) bool {
	return b.Fulfilment != nil && b.Fulfilment.State == FulfilmentWaiting && now.Before(b.Fulfilment.Deadline)
}

// apply enters a step that a person takes. The state is the one after it.
func (f *Fulfilment) apply(step fulfilmentStep, in FulfilmentRequest, rules Rules, now time.Time) {
	switch step {
	case stepSend:
		f.send(in.Carrier, in.Tracking, rules, now)
	case stepHandOver:
		f.Method, f.ReceivedAt = MethodMet, now
		f.Deadline, f.RemindAt, f.RemindedAt = now, time.Time{}, time.Time{} // both have seen the phone
	case stepReceive:
		f.ReceivedAt = now
		f.begin(rules, now)
	case stepReportProblem:
		f.Problem, f.Category, f.Photos, f.ProblemAt = in.Reason, cmp.Or(ProblemCategory(in.Category), ProblemOther), in.Photos, now
		f.begin(rules, now)
		f.awaitAnswer(rules, now)
	case stepWait:
		f.Waited = true
		f.endAt(f.Deadline.Add(rules.SendWithin), rules.SendWithin/2)
	case stepSellerCancel:
		f.Problem = in.Reason
		f.settle(OutcomeRefund, ReasonSellerCancelled, now)
	case stepAnswer:
		f.Answer = &Statement{Text: in.Text, Photos: in.Photos, At: now}
		f.answered()
	case stepAdminReturn:
		f.Reason, f.ReturningAt = in.Reason, now
		f.begin(rules, now)
	case stepReturn:
		f.Return = &Return{Carrier: in.Carrier, Tracking: in.Tracking, At: now}
		f.begin(rules, now)
	case stepObject:
		f.Objection = &Statement{Text: in.Text, Photos: in.Photos, At: now}
		f.begin(rules, now)
	case stepReturned, stepHandBack:
		f.settle(OutcomeRefund, f.Reason, now)
	case stepAdminSettle:
		f.settle(FulfilmentOutcome(in.Outcome), in.Reason, now)
	}
}

// send enters or corrects the carrier and its number. A correction keeps both times.
func (f *Fulfilment) send(carrier, tracking string, rules Rules, now time.Time) {
	switch {
	case f.SentAt.IsZero():
		f.SentAt = now
		f.begin(rules, now)
	case f.Carrier != carrier || f.Tracking != tracking:
		f.Corrections++
	}
	f.Method, f.Carrier, f.Tracking = MethodPosted, carrier, tracking
}

// mayTakeStep returns an error if this person may not take the step. check refuses unknown
// steps.
func mayTakeStep(who Actor, b Booking, step fulfilmentStep) error {
	switch step {
	case stepSend, stepHandOver, stepSellerCancel, stepAnswer, stepReturned, stepObject:
		if !who.User.IsSeller() || b.SellerUID != who.User.UID {
			return forbidden("Only the seller can do this")
		}
	case stepReceive, stepReportProblem, stepWait, stepReturn, stepHandBack:
		if !b.isBuyer(who) {
			return forbidden("Only the buyer can do this")
		}
	case stepAdminSettle, stepAdminReturn:
		return mayDecide(who, b)
	}
	return nil
}

// mayDecide returns an error unless the person is an admin who handles money, and neither the buyer nor
// the seller of the order.
func mayDecide(who Actor, b Booking) error {
	if err := mustHandleMoney(who); err != nil {
		return err
	}
	if who.User.UID == b.BuyerUID || who.User.UID == b.SellerUID {
		return forbidden("You cannot decide about your own order")
	}
	return nil
}

// hasPhotos returns whether a person may show photographs with the step.
func (s fulfilmentStep) hasPhotos() bool {
	return s == stepReportProblem || s == stepAnswer || s == stepObject
}

// check returns the fields that are wrong.
func (in FulfilmentRequest) check(step fulfilmentStep) Fields {
	f := FieldsOf(in.Wrong)
	switch step {
	case stepSend, stepReturn:
		f.words("carrier", in.Carrier, maxShort)
		f.words("tracking", in.Tracking, maxShort)
	case stepHandOver, stepHandBack:
		f.text("code", in.Code, handoverDigits)
	case stepReportProblem:
		f.multiline("reason", in.Reason, maxProblem)
		if in.Category != "" {
			f.oneOf("category", in.Category, problemCategories...)
		}
	case stepSellerCancel, stepAdminReturn:
		f.multiline("reason", in.Reason, maxProblem)
	case stepAnswer, stepObject:
		f.multiline("text", in.Text, maxProblem)
	case stepAdminSettle:
		f.multiline("reason", in.Reason, maxProblem)
		if o := FulfilmentOutcome(in.Outcome); o != OutcomeRelease && o != OutcomeRefund {
			f.Add("outcome", "must be release, refund or return")
		}
	case stepReceive, stepWait, stepReturned:
	default:
		f.Add("action", "must be send, handed, cancel, received, wait, problem, answer, return, returned, object or settle")
	}
	return f
}

// takeStep takes a step of a paid order and notifies both sides. who is the person who takes
// it; nil for the market. It returns 0 if the order is in that state already.
func (m *Market) takeStep(ctx context.Context, b Booking, step fulfilmentStep, who *User, change func(*Fulfilment, time.Time)) (int, error) {
	return m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		f, err := b.next(step)
		if err != nil || f == nil {
			return false, nil, err
		}
		before := *b
		change(f, now)
		if reflect.DeepEqual(f, before.Fulfilment) { // the same number was sent again
			return false, nil, errHandedOver()
		}
		if (f.Outcome == OutcomeRelease || step == stepAdminReturn) && before.isDisputed() {
			return false, nil, errDisputed()
		}
		if who == nil && (before.isDisputed() || now.Before(before.Fulfilment.dueAt(now))) {
			return false, nil, nil // a person has changed the order since it was read
		}
		f.Handover = nil
		b.Fulfilment, b.Due = f, f.dueAt(now)
		if b.Due.IsZero() && m.payoutStep(*b) != payoutNothing {
			b.Due = now
		}
		m.checkDisputeInTime(b)
		effects, err := m.stepEffects(ctx, *b, step, who, now)
		return true, append(effects, b.ledgerEntries(before, now)...), err
	})
}

// stepEffects returns the events of a step of a paid order. who is the person who took it.
// Only an admin's decision is entered in the audit log.
func (m *Market) stepEffects(ctx context.Context, b Booking, step fulfilmentStep, who *User, at time.Time) ([]Effect, error) {
	notices, err := m.stepNotices(ctx, b, step, at)
	if err != nil {
		return nil, err
	}
	effects := append(m.bookingEvents(b, at), notices...)
	if step != stepAdminSettle && step != stepAdminRefund && step != stepAdminReturn {
		return effects, nil
	}
	seller, err := m.idOf(ctx, b.SellerUID)
	if err != nil {
		return nil, err
	}
	action := ActionReleaseOrder
	switch {
	case step == stepAdminReturn:
		action = ActionReturnOrder
	case b.Fulfilment.Outcome == OutcomeRefund:
		action = ActionRefundOrder
	}
	return append(effects, NewAuditEntry(at, who, action).of(b.ID, b.title(), seller)), nil
}

// next returns the order's fulfilment in the state after the step; nil if the same step has
// led to the current state.
func (b Booking) next(step fulfilmentStep) (*Fulfilment, error) {
	if b.Fulfilment == nil || b.Status != BookingPaid {
		return nil, refuse(CodeClosed, "This order is not paid")
	}
	f := *b.Fulfilment
	state, ok := f.State.after(step)
	switch {
	case step == stepAdminRefund && f.Outcome == OutcomeRefund:
		return nil, refuse(CodeRefunded, "This order is being refunded already")
	case step == stepSend && f.State == FulfilmentSent && f.Corrections >= maxCorrections:
		return nil, refuse(CodeTooMany, fmt.Sprintf("The carrier and the tracking number can be corrected %d times. Please write to us", maxCorrections))
	case step == stepWait && f.Waited:
		return nil, refuse(CodeConflict, "You have given the seller more time already")
	case step == stepAnswer && f.Answer != nil:
		return nil, refuse(CodeConflict, "You have answered already")
	case step == stepAdminReturn && f.Objection != nil:
		return nil, refuse(CodeConflict, "The phone was sent back already. Decide who gets the money")
	case ok:
		f.State = state
		return &f, nil
	case step == stepReceive && f.State == FulfilmentReceived, step == stepReportProblem && f.State == FulfilmentProblem,
		step == stepSellerCancel && f.Reason == ReasonSellerCancelled,
		step == stepReturn && f.State == FulfilmentSentBack, step == stepObject && f.State == FulfilmentProblem && f.Objection != nil,
		step == stepReturned && f.Return != nil && f.Outcome == OutcomeRefund:
		return nil, nil
	case f.State == FulfilmentSettled:
		return nil, refuse(CodeClosed, "This order is completed")
	case f.State == FulfilmentProblem:
		return nil, refuse(CodeConflict, "The buyer has reported a problem with this order. An admin decides about it")
	case f.State == FulfilmentReturning, f.State == FulfilmentSentBack:
		return nil, refuse(CodeConflict, "The buyer returns this phone")
	case step == stepAnswer, step == stepAdminReturn:
		return nil, refuse(CodeConflict, "No problem with this order is open")
	}
	return nil, errHandedOver()
}

func errHandedOver() error { return refuse(CodeConflict, "The phone has been handed over already") }

// settle settles the order.
func (f *Fulfilment) settle(outcome FulfilmentOutcome, reason string, at time.Time) {
	f.Outcome, f.Reason, f.SettledAt = outcome, reason, at
	f.Deadline, f.RemindAt, f.RemindedAt = time.Time{}, time.Time{}, time.Time{}
}
