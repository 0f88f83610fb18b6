package rest

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"

	"secondring/market"
)

// statusOf maps the codes of errors to HTTP statuses.
var statusOf = map[market.Code]int{
	market.CodeBadRequest:   http.StatusBadRequest,
	market.CodeNoToken:      http.StatusUnauthorized,
	market.CodeForbidden:    http.StatusForbidden,
	market.CodeNoUser:       http.StatusForbidden,
	market.CodeNotVerified:  http.StatusForbidden,
	market.CodeSecondFactor: http.StatusUnauthorized,
	market.CodeNeedsFactor:  http.StatusForbidden,
	market.CodeVerifyEmail:  http.StatusForbidden,
	market.CodeNotFound:     http.StatusNotFound,
	market.CodeGone:         http.StatusGone,
	market.CodeTaken:        http.StatusConflict,
	market.CodeFree:         http.StatusConflict,
	market.CodeSold:         http.StatusConflict,
	market.CodeFull:         http.StatusConflict,
	market.CodeHeld:         http.StatusConflict,
	market.CodePaid:         http.StatusConflict,
	market.CodeClosed:       http.StatusConflict,
	market.CodeTooMany:      http.StatusConflict,
	market.CodeOver:         http.StatusConflict,
	market.CodeNoOffers:     http.StatusConflict,
	market.CodeBuyerLimit:   http.StatusConflict,
	market.CodeBlocked:      http.StatusForbidden,
	market.CodeContact:      http.StatusUnprocessableEntity,
	market.CodeLink:         http.StatusUnprocessableEntity,
	market.CodeContactWarn:  http.StatusUnprocessableEntity,
	market.CodeRepeated:     http.StatusTooManyRequests,
	market.CodeWait:         http.StatusConflict,
	market.CodeExists:       http.StatusConflict,
	market.CodeSuspended:    http.StatusForbidden,
	market.CodeDecided:      http.StatusConflict,
	market.CodeReported:     http.StatusConflict,
	market.CodeConflict:     http.StatusConflict,
	market.CodeProcessing:   http.StatusConflict,
	market.CodeRefunded:     http.StatusConflict,
	market.CodeOpenOrders:   http.StatusConflict,
	market.CodePassword:     http.StatusConflict,
	market.CodeUnpaid:       http.StatusPaymentRequired,
	market.CodeInvalid:      http.StatusUnprocessableEntity,
	market.CodeUnavailable:  http.StatusServiceUnavailable,
	CodeTooLarge:            http.StatusRequestEntityTooLarge,
	CodeUnsupported:         http.StatusUnsupportedMediaType,
	CodeTooFast:             http.StatusTooManyRequests,
	CodeNotAllowed:          http.StatusMethodNotAllowed,
	CodeMisdirected:         http.StatusMisdirectedRequest,
}

// The codes of package rest and the router.
const (
	CodeTooLarge    market.Code = "too_large"          // 413
	CodeUnsupported market.Code = "unsupported_media"  // 415
	CodeTooFast                 = market.CodeTooFast   // 429
	CodeNotAllowed  market.Code = "method_not_allowed" // 405
	CodeMisdirected market.Code = "wrong_host"         // 421
	codeInternal    market.Code = "internal"           // 500
)

// ErrorBody is the body of every error response.
type ErrorBody struct {
	Acknowledged *bool                `json:"acknowledged,omitempty" doc:"Always false. Present only in errors of the routes under /bookings, /booking and /reportedItems"`
	Message      string               `json:"message" doc:"What went wrong and what to do, as a text for people. With status 422 the reason of the first field that is wrong"`
	Code         market.Code          `json:"code" doc:"What went wrong, as a code for programs"`
	Fields       map[string]string    `json:"fields,omitempty" doc:"What is wrong with single fields or parameters: an object of names and sentences"`
	Decision     *market.DecisionView `json:"decision,omitempty" doc:"The decision that has closed the account. Present only with status 403 of a sign-in and the code closed"`
	Token        string               `json:"token,omitempty" doc:"With it the owner of a closed account can appeal: POST /decisions/appeal. Present only with decision"`
	Success      *bool                `json:"success,omitempty" doc:"Always false. Present only in errors of the routes under /images"`
	Error        *UploadError         `json:"error,omitempty" doc:"The message again, in the format of other image hosts. Present only in errors of the routes under /images"`
}

// UploadError is an error in the format of image hosts.
type UploadError struct {
	Message string `json:"message"`
}

// Fail sends an error response. An error other than market.Error is an internal error: it
// is logged here, once, and its text is not sent.
func Fail(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	fail(w, r, log, err, func(*ErrorBody) {})
}

// FailWrite is Fail for bookings and reports, whose error responses also have
// acknowledged:false.
func FailWrite(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	fail(w, r, log, err, func(body *ErrorBody) { body.Acknowledged = new(bool) })
}

// FailUpload is Fail for the image host, whose error responses also have the format of
// image hosts.
func FailUpload(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	fail(w, r, log, err, func(body *ErrorBody) {
		body.Success, body.Error = new(bool), &UploadError{Message: body.Message}
	})
}

func fail(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error, addFields func(*ErrorBody)) {
	var failure *market.Error
	if !errors.As(err, &failure) {
		if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
			return // the caller has closed the connection
		}
		failure = internalError(r, log, err)
	}
	status, ok := statusOf[failure.Code]
	if !ok {
		status = http.StatusInternalServerError
	}
	if status == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", "2")
	}
	if failure.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(failure.RetryAfter.Seconds()))))
	}
	body := ErrorBody{Message: failure.Message, Code: failure.Code, Fields: failure.Fields}
	if failure.Closed != nil {
		status, body.Decision, body.Token = http.StatusForbidden, &failure.Closed.Decision, failure.Closed.Token
	}
	addFields(&body)
	JSON(w, status, body)
}

// internalError logs an error and returns the one that is sent. The log has the route's
// pattern instead of the path, which may contain an email address.
func internalError(r *http.Request, log *slog.Logger, err error) *market.Error {
	log.ErrorContext(r.Context(), "call failed", "method", r.Method, "route", RoutePattern(r),
		"id", RequestID(r.Context()), "error", err)
	if errors.Is(err, market.ErrUnavailable) {
		return &market.Error{Code: market.CodeUnavailable, Message: "SecondRing is not available right now. Please try again in a moment."}
	}
	if errors.Is(err, market.ErrDiskFull) {
		return &market.Error{Code: market.CodeUnavailable, Message: "Nothing can be saved right now. Please try again in a moment."}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &market.Error{Code: market.CodeUnavailable, Message: "This is taking too long. Please try again."}
	}
	return &market.Error{Code: codeInternal, Message: "Something went wrong on our side. Please try again."}
}

// NewError returns an error with a code.
func NewError(code market.Code, message string) error {
	return &market.Error{Code: code, Message: message}
}
