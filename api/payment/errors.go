package payment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/stripe/stripe-go/v76"

	"secondring/market"
)

// wrapError converts an error of Stripe's library to one of market.Payments' or to a new one.
// It drops the text, which may contain a client secret, an email address, or the whole
// response. It logs why Stripe is unavailable, because callers show another message to
// people.
func (g *Gateway) wrapError(ctx context.Context, action, id string, err error) error {
	e, ok := errors.AsType[*stripe.Error](err)
	if !ok {
		cause := noResponse(err)
		if ctx.Err() == nil {
			g.log.WarnContext(ctx, "Stripe did not answer", "call", action, "id", id, "error", cause)
		}
		return fmt.Errorf("payment: %s %s: %w: %w", action, id, market.ErrPaymentsUnavailable, cause)
	}
	details := slog.Group("stripe", "status", e.HTTPStatusCode, "type", string(e.Type), "code", string(e.Code), "request", e.RequestID)
	switch {
	case e.HTTPStatusCode == http.StatusUnauthorized, e.HTTPStatusCode == http.StatusForbidden:
		g.log.ErrorContext(ctx, "Stripe rejects STRIPE_SECRET_KEY: payments are not possible", slog.String("call", action), details)
	case e.Code == stripe.ErrorCodeResourceMissing:
		return fmt.Errorf("payment: %s %s: %w", action, id, market.ErrNoIntent)
	case isTemporary(e):
		g.log.WarnContext(ctx, "Stripe is unavailable", slog.String("call", action), slog.String("id", id), details)
	default:
		return fmt.Errorf("payment: %s %s: Stripe answered %d, type %s, code %q, parameter %q, request %s",
			action, id, e.HTTPStatusCode, e.Type, e.Code, e.Param, e.RequestID)
	}
	return fmt.Errorf("payment: %s %s: %w: status %d, code %q", action, id, market.ErrPaymentsUnavailable, e.HTTPStatusCode, e.Code)
}

// isTemporary returns whether the same call may succeed later.
func isTemporary(e *stripe.Error) bool {
	return e.HTTPStatusCode >= http.StatusInternalServerError || e.HTTPStatusCode == http.StatusTooManyRequests ||
		e.Code == stripe.ErrorCodeIdempotencyKeyInUse || e.Code == stripe.ErrorCodeLockTimeout
}

var errUnreadable = errors.New("the response cannot be parsed")

// noResponse returns the reason why there was no valid response of Stripe. The library puts
// the body of an invalid one into its error, so that text is dropped.
func noResponse(err error) error {
	if urlErr, ok := errors.AsType[*url.Error](err); ok {
		return urlErr.Err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return errUnreadable
}

// isSpent returns whether an idempotency key can only return the same failure again, even if
// its cause is fixed: the key was used with other parameters, or Stripe has stored the
// failure under it.
func isSpent(err error) bool {
	e, ok := errors.AsType[*stripe.Error](err)
	if !ok {
		return false
	}
	mismatch := e.Type == stripe.ErrorTypeIdempotency && e.Code != stripe.ErrorCodeIdempotencyKeyInUse
	return mismatch || isStoredFailure(err)
}

// isStoredFailure returns whether Stripe has repeated the failure of an earlier call.
func isStoredFailure(err error) bool {
	e, ok := errors.AsType[*stripe.Error](err)
	return ok && replayed(e.LastResponse)
}

func codeOf(err error) stripe.ErrorCode {
	if e, ok := errors.AsType[*stripe.Error](err); ok {
		return e.Code
	}
	return ""
}

func paramOf(err error) string {
	if e, ok := errors.AsType[*stripe.Error](err); ok {
		return e.Param
	}
	return ""
}

// libraryLog receives the log of Stripe's library. It logs only warnings, which are about
// retries and contain no secrets. The library also returns its errors.
type libraryLog struct{ log *slog.Logger }

func (libraryLog) Debugf(string, ...any) {}
func (libraryLog) Infof(string, ...any)  {}
func (libraryLog) Errorf(string, ...any) {}

func (l libraryLog) Warnf(format string, args ...any) {
	l.log.Info("Stripe's library tries again", "says", fmt.Sprintf(format, args...))
}
