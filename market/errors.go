package market

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Code is the kind of an Error. The api package maps it to an HTTP status.
type Code string

// The codes, each with its HTTP status.
const (
	CodeInvalid      Code = "invalid"                // 422
	CodeBadRequest   Code = "bad_request"            // 400
	CodeNoToken      Code = "unauthorized"           // 401
	CodeForbidden    Code = "forbidden"              // 403
	CodeNoUser       Code = "no_user"                // 403: signed in, but POST /users was not called yet
	CodeNotVerified  Code = "not_verified"           // 403: only verified sellers may advertise
	CodeSecondFactor Code = "second_factor"          // 401: the sign-in requires a code of the second factor
	CodeNeedsFactor  Code = "second_factor_required" // 403: an admin must set up a second factor
	CodeVerifyEmail  Code = "verify_email"           // 403: the person has not confirmed their email address
	CodeNotFound     Code = "not_found"              // 404
	CodeGone         Code = "gone"                   // 410: a link that was used or has expired
	CodeTaken        Code = "taken"                  // 409: the phone is booked
	CodeFree         Code = "free"                   // 409: the phone is available and has no waitlist
	CodeSold         Code = "sold"                   // 409: the phone is sold
	CodeFull         Code = "full"                   // 409: the phone's waitlist is full
	CodeHeld         Code = "held"                   // 409: something that is in use cannot be changed
	CodePaid         Code = "paid"                   // 409: the booking is paid
	CodeClosed       Code = "closed"                 // 409: this is not possible, or not any more
	CodeOver         Code = "over"                   // 409: the offer cannot be answered any more
	CodeNoOffers     Code = "no_offers"              // 409: the seller takes no offers for the phone
	CodeBuyerLimit   Code = "buyer_limit"            // 409: the buyer may not book the phone now
	CodeBlocked      Code = "blocked"                // 403: one side of the conversation has blocked the other
	CodeContact      Code = "contact"                // 422: the text has an email address
	CodeLink         Code = "link"                   // 422: the text has a link to another site
	CodeContactWarn  Code = "contact_warning"        // 422: the text may have a phone number or the name of a messenger
	CodeRepeated     Code = "repeated"               // 429: the same first message was sent to several others
	CodeTooFast      Code = "too_many_requests"      // 429: too many calls in some time
	CodeTooMany      Code = "too_many"               // 409: a limit of one person or of one network is reached
	CodeWait         Code = "wait"                   // 409: this buyer's booking of this phone has ended less than rebookAfter ago
	CodeExists       Code = "exists"                 // 409: exists already
	CodeSuspended    Code = "suspended"              // 403: an admin has suspended the person
	CodeDecided      Code = "decided"                // 409: the case is decided
	CodeReported     Code = "reported"               // 409: this reporter has reported this phone
	CodeConflict     Code = "conflict"               // 409: another call was first, or the state of the order or the account does not allow it
	CodeProcessing   Code = "processing"             // 409: the bank is deciding about the payment
	CodeRefunded     Code = "refunded"               // 409: the phone was not available, the payment was refunded
	CodeOpenOrders   Code = "open_orders"            // 409: the person has orders that are not settled
	CodePassword     Code = "password"               // 409: the account has no password, and needs one
	CodeUnpaid       Code = "payment_required"       // 402: the payment has not succeeded
	CodeUnavailable  Code = "unavailable"            // 503: a needed server cannot be reached
)

// Error is the only error that users see. The message says what happened and what to do.
type Error struct {
	Code    Code
	Message string
	Fields  map[string]string // sentences, by the payload's field name; only with CodeInvalid and those of texts with contact data
	// RetryAfter is when the call may succeed again; 0 if that is not known. Only with CodeRepeated and CodeTooFast.
	RetryAfter time.Duration
	// Closed is what the owner of a closed account gets; nil for other errors. The HTTP status is 403.
	Closed *ClosedAccount
}

// ClosedAccount is the decision that has closed an account, and the token with which its owner can appeal.
type ClosedAccount struct {
	Decision DecisionView
	Token    string
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

// Fields collects what is wrong with the fields of a payload, in the order of the checks. A reason
// is a sentence, or one without its subject, which is the field.
type Fields map[string]wrongField

type wrongField struct {
	reason string
	place  int // in the order of the checks
}

// Add sets the reason why a field is wrong, unless it has one.
func (f Fields) Add(name, reason string) {
	if _, isSet := f[name]; !isSet {
		f[name] = wrongField{reason, len(f)}
	}
}

// Err returns nil if nothing is wrong, else one CodeInvalid error. Its message is the reason of the
// first field.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	names, reasons := f.names(), make(map[string]string, len(f))
	for _, name := range names {
		reasons[name] = sentence(name, f[name].reason)
	}
	return &Error{Code: CodeInvalid, Message: reasons[names[0]], Fields: reasons}
}

// names returns the fields in the order of the checks.
func (f Fields) names() []string {
	return slices.SortedFunc(maps.Keys(f), func(a, b string) int { return cmp.Compare(f[a].place, f[b].place) })
}

// Invalid returns the error of one wrong field.
func Invalid(name, reason string) error {
	f := Fields{}
	f.Add(name, reason)
	return f.Err()
}

// FieldsOf returns a copy of the errors that the decoder found.
func FieldsOf(wrong Fields) Fields {
	f := Fields{}
	maps.Copy(f, wrong)
	return f
}

func refuse(code Code, message string) error { return &Error{Code: code, Message: message} }

func forbidden(message string) error { return refuse(CodeForbidden, message) }

func missing(entity string) error { return refuse(CodeNotFound, "There is no such "+entity) }

// Errors that a Store returns. They are never shown to users.
var (
	ErrNotFound    = errors.New("store: not found")
	ErrConflict    = errors.New("store: the version has changed")
	ErrExists      = errors.New("store: already exists")
	ErrLimit       = errors.New("store: limit reached")
	ErrInUse       = errors.New("store: still in use")
	ErrUnavailable = errors.New("store: the engine is unavailable") // a write may have been carried out
	ErrDiskFull    = errors.New("store: the disk is full, or cannot be written to")
)

// ignoreNotFound returns err, or nil if the entity was removed in the meantime.
func ignoreNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// ignoreConflict returns err, or nil if another write came first and this one can be left
// out.
func ignoreConflict(err error) error {
	if errors.Is(err, ErrConflict) {
		return nil
	}
	return ignoreNotFound(err)
}

// IsTaken returns whether somebody else has added, changed or removed an entity first.
func IsTaken(err error) bool {
	return errors.Is(err, ErrExists) || errors.Is(err, ErrConflict) || errors.Is(err, ErrNotFound)
}

func ignoreTaken(err error) error {
	if IsTaken(err) {
		return nil
	}
	return err
}

// labels are the names of fields in sentences, where they differ from the words of the field.
var labels = map[string]string{
	"id":                "Brand",
	"img":               "Photo",
	"url":               "Photo",
	"alt":               "Description of the photo",
	"photoURL":          "Picture",
	"displayName":       "Name",
	"userName":          "Name",
	"sellerName":        "Name of the seller",
	"productName":       "Name of the phone",
	"productID":         "Phone",
	"phone":             "Phone number",
	"productCondition":  "Condition",
	"selling_post_date": "Date",
	"bookingId":         "Booking",
	"transactionId":     "Payment",
	"minPrice":          "Lowest price",
	"maxPrice":          "Highest price",
	"minStorage":        "Smallest storage",
	"q":                 "Search text",
	"upTo":              "Notification",
	"current":           "Password",
	"new":               "New password",
}

// sentence makes a reason without a subject a sentence: "must be a list" of the field photos is
// "Photos must be a list".
func sentence(field, reason string) string {
	if first, _ := utf8.DecodeRuneInString(reason); !unicode.IsLower(first) {
		return reason
	}
	return label(field) + " " + reason
}

// label returns the name of a field in a sentence. Of a field in a list it is that of the last part:
// of photos[1].alt that of alt.
func label(field string) string {
	field = field[strings.LastIndex(field, ".")+1:]
	if named, ok := labels[field]; ok {
		return named
	}
	var words strings.Builder
	for i, c := range field {
		switch {
		case i == 0:
			words.WriteRune(unicode.ToUpper(c))
		case unicode.IsUpper(c):
			words.WriteString(" " + string(unicode.ToLower(c)))
		default:
			words.WriteRune(c)
		}
	}
	return words.String()
}
