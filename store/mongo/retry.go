package mongo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"secondring/market"
)

// Time limits and pauses of a call.
const (
	callTimeout   = 5 * time.Second        // of a whole call, unless the address has another
	serverTimeout = 2 * time.Second        // for finding a usable server, and for connecting to it
	minBackoff    = 25 * time.Millisecond  // before the second attempt; doubled before each further one
	maxBackoff    = 800 * time.Millisecond // between two attempts
)

// retry runs do until the server has responded, or the time limit of the call is reached.
// do must be repeatable: the server may have executed an attempt whose response was lost.
// operation is the prefix of the error. See wrapError for the errors.
func (e *Engine) retry(ctx context.Context, operation string, do func(ctx context.Context) error) error {
	if err := ctx.Err(); err != nil { // the driver checks it later
		return wrapError(ctx, operation, err)
	}
	callCtx, cancel := context.WithTimeout(ctx, e.callTimeout)
	defer cancel()
	for wait := minBackoff; ; wait = min(2*wait, maxBackoff) {
		err := e.attempt(callCtx, do)
		if !isUnavailable(err) || isServerSelectionError(err) {
			return wrapError(ctx, operation, err)
		}
		select {
		case <-callCtx.Done():
			return wrapError(ctx, operation, err)
		case <-time.After(wait/2 + rand.N(wait)): //nolint:gosec // conflicting writers must not conflict again
		}
	}
}

// attempt runs do once, with a part of the time of a call. So there is time for a second
// attempt on another connection if the server has received the request and does not respond.
func (e *Engine) attempt(ctx context.Context, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, e.callTimeout*3/5)
	defer cancel()
	return do(ctx)
}

// wrapError adds the name of the operation to an error and converts errors of the driver:
// it returns market.ErrNotFound if no document matches, market.ErrExists if a unique key is
// taken, and market.ErrUnavailable if the server did not respond. If the caller's context has
// ended, it returns the context's error instead of ErrUnavailable.
func wrapError(ctx context.Context, operation string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && isUnavailable(err): // the caller's context has ended
		err = errors.Join(ctx.Err(), err)
	case errors.Is(err, mongo.ErrNoDocuments):
		err = market.ErrNotFound
	case mongo.IsDuplicateKeyError(err):
		err = market.ErrExists
	case isUnavailable(err):
		err = errors.Join(market.ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// temporaryCodes are the codes of the server's temporary errors.
var temporaryCodes = slices.Concat(
	// The server is not the primary, not yet or no longer, is shutting down, cannot
	// satisfy the write concern, or takes too long. The codes are those of MongoDB's
	// error_codes.yml.
	[]int{6, 7, 43, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 237, 262, 9001, 10107, 11600, 11602, 13435, 13436},
	// InternalError: FerretDB has no connection to PostgreSQL.
	[]int{1},
	// SQLSTATE codes of PostgreSQL, which FerretDB passes on in PostgreSQL's encoding.
	[]int{
		sqlstate("40001"),                                       // conflicting writes
		sqlstate("40P01"),                                       // deadlock: several concurrent writes of one unique key
		sqlstate("53300"),                                       // too many connections
		sqlstate("57014"),                                       // the query was cancelled because it took too long
		sqlstate("57P01"), sqlstate("57P02"), sqlstate("57P03"), // the server is stopping or starting
	},
)

// sqlstate returns PostgreSQL's number for an SQLSTATE code (MAKE_SQLSTATE): six bits for
// each of the five characters, the first character in the lowest bits.
func sqlstate(code string) (number int) {
	for i, c := range []byte(code) {
		number |= int(c-'0') << (6 * i)
	}
	return number
}

// isUnavailable reports whether the server could not be reached, did not respond in time, or
// returned a temporary error. It is then unknown whether the server has executed the call.
func isUnavailable(err error) bool {
	if err == nil || errors.Is(err, mongo.ErrClientDisconnected) {
		return false
	}
	if isConnectionError(err) || isServerSelectionError(err) || mongo.IsTimeout(err) || isContextError(err) {
		return true
	}
	if labelled, ok := errors.AsType[mongo.LabeledError](err); ok &&
		(labelled.HasErrorLabel("RetryableWriteError") || labelled.HasErrorLabel("TransientTransactionError")) {
		return true
	}
	if concern, ok := errors.AsType[mongo.WriteException](err); ok && concern.WriteConcernError != nil {
		return true // the write is done, but not by a majority yet
	}
	if serverErr, ok := errors.AsType[mongo.ServerError](err); ok {
		return slices.ContainsFunc(temporaryCodes, serverErr.HasErrorCode)
	}
	return false
}

// isServerSelectionError reports whether the driver found no usable server in time. The
// driver has already waited, so retry does not try again.
func isServerSelectionError(err error) bool {
	_, ok := errors.AsType[topology.ServerSelectionError](err)
	return ok
}

// isConnectionError reports whether a connection could not be opened or was closed. When a
// connection breaks, the driver clears its pool, and callers that wait for a connection get
// the pool's error.
func isConnectionError(err error) bool {
	_, isConnection := errors.AsType[topology.ConnectionError](err)
	var pool driver.RetryablePoolError // the interface does not embed error, so AsType does not accept it
	_, isNet := errors.AsType[net.Error](err)
	return isConnection || errors.As(err, &pool) || isNet || mongo.IsNetworkError(err)
}

// isContextError reports whether a context has ended: the caller's, that of retry or attempt,
// or one of the driver.
func isContextError(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
