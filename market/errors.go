package market

import (
	"errors"
	"maps"
)

// Code says what kind of refusal an Error is. The api turns it into a status.
type Code string

// The codes, each with the status the api answers.
const (
	CodeInvalid      Code = "invalid"                // 422
	CodeBadRequest   Code = "bad_request"            // 400
	CodeNoToken      Code = "unauthorized"           // 401
	CodeForbidden    Code = "forbidden"              // 403
	CodeNoUser       Code = "no_user"                // 403: signed in, but POST /users is still to come
	CodeNotVerified  Code = "not_verified"           // 403: advertising waits for an admin
	CodeSecondFactor Code = "second_factor"          // 401: the sign-in takes a code, too
	CodeNeedsFactor  Code = "second_factor_required" // 403: an admin must switch a second factor on
	CodeVerifyEmail  Code = "verify_email"           // 403: the person has not confirmed their address yet
	CodeNotFound     Code = "not_found"              // 404
	CodeGone         Code = "gone"                   // 410: a link that was used or has expired
	CodeTaken        Code = "taken"                  // 409: the phone is booked
	CodeFree         Code = "free"                   // 409: the phone is available: nobody has to wait for it
	CodeSold         Code = "sold"                   // 409: the phone is sold
	CodeFull         Code = "full"                   // 409: the phone's waitlist is full
	CodeHeld         Code = "held"                   // 409: a held or paid phone stays as it is
	CodePaid         Code = "paid"                   // 409: the booking is paid
	CodeClosed       Code = "closed"                 // 409: the booking has ended
	CodeTooMany      Code = "too_many"               // 409: more holds than MAX_HOLDS or MAX_HOLDS_PER_ADDRESS
	CodeWait         Code = "wait"                   // 409: this buyer's booking of this phone has just ended
	CodeExists       Code = "exists"                 // 409: exists already
	CodeReported     Code = "reported"               // 409: this reporter has reported this phone
	CodeConflict     Code = "conflict"               // 409: changed by another call, try again
	CodeProcessing   Code = "processing"             // 409: the bank is deciding about the payment
	CodeRefunded     Code = "refunded"               // 409: the phone was not available, the payment was refunded
	CodeOpenOrders   Code = "open_orders"            // 409: the person has orders that are not settled
	CodeUnpaid       Code = "payment_required"       // 402: the payment has not succeeded
	CodeUnavailable  Code = "unavailable"            // 503: a needed server cannot be reached
)

// Error is the only error that users see: what happened and what to do.
type Error struct {
	Code    Code
	Message string
	Fields  Fields // by the payload's field name; only with CodeInvalid
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Is makes errors.Is(err, &Error{Code: c}) true for any error of that code.
func (e *Error) Is(target error) bool {
	var other *Error
	return errors.As(target, &other) && other.Code == e.Code
}

// CodeOf returns the code of a market error, or "" for any other.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// Fields are the errors in a payload, by field.
type Fields map[string]string

// add keeps the first error of a field.
func (f Fields) add(name, message string) {
	if _, said := f[name]; !said {
		f[name] = message
	}
}

// err returns nil when nothing is wrong, else one CodeInvalid error.
func (f Fields) err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalid, Message: "Some fields need another look", Fields: f}
}

// fieldsOf starts with the errors that the decoder found.
func fieldsOf(wrong Fields) Fields {
	f := Fields{}
	maps.Copy(f, wrong)
	return f
}

func refuse(code Code, message string) error { return &Error{Code: code, Message: message} }

func forbidden(message string) error { return refuse(CodeForbidden, message) }

func missing(what string) error { return refuse(CodeNotFound, "There is no such "+what) }

// Errors that a Store returns. They are never shown to users.
var (
	ErrNotFound    = errors.New("store: not found")
	ErrConflict    = errors.New("store: version has moved on")
	ErrExists      = errors.New("store: already there")
	ErrLimit       = errors.New("store: limit reached")
	ErrInUse       = errors.New("store: still in use")
	ErrUnavailable = errors.New("store: the engine cannot be asked now") // a write may have been carried out
	ErrDiskFull    = errors.New("store: the disk is full, or takes nothing")
)

// unlessNotFound returns the error of a write or a read of what may have been removed by now.
func unlessNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// unlessChanged returns the error of a write that is left out if another one came first.
func unlessChanged(err error) error {
	if errors.Is(err, ErrConflict) {
		return nil
	}
	return unlessNotFound(err)
}
