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

// Times of a call.
const (
	patience  = 5 * time.Second        // for a whole call: then the server counts as unavailable
	noServer  = 2 * time.Second        // for a server that can be asked at all
	firstWait = 25 * time.Millisecond  // before the second try; doubled before each further one
	longWait  = 800 * time.Millisecond // at most
)

// retry runs do until the server has answered. do must be repeatable: an attempt whose answer
// was lost may have been carried out.
func (s *Store) retry(ctx context.Context, what string, do func(ctx context.Context) error) error {
	if err := ctx.Err(); err != nil { // the driver would look later
		return wrapError(ctx, what, err)
	}
	mine, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for wait := firstWait; ; wait = min(2*wait, longWait) {
		err := s.once(mine, do)
		if !isAway(err) || isGivenUp(err) {
			return wrapError(ctx, what, err)
		}
		select {
		case <-mine.Done():
			return wrapError(ctx, what, err)
		case <-time.After(wait/2 + rand.N(wait)): //nolint:gosec // colliding writers must not collide again
		}
	}
}

// once limits one attempt, so that time is left for a second one on another connection, if
// the server has received the request and does not answer.
func (s *Store) once(ctx context.Context, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience*3/5)
	defer cancel()
	return do(ctx)
}

// wrapError adds what was being done to an error, and turns the driver's errors into the
// market's.
func wrapError(ctx context.Context, what string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && isAway(err): // the caller's context has ended
		err = errors.Join(ctx.Err(), err)
	case errors.Is(err, mongo.ErrNoDocuments):
		err = market.ErrNotFound
	case mongo.IsDuplicateKeyError(err):
		err = market.ErrExists
	case isAway(err):
		err = errors.Join(market.ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Codes of errors that are temporary.
var awayCodes = slices.Concat(
	// The server is not the primary, not yet or no longer, is shutting down, cannot
	// satisfy the write concern, or takes too long. They are in MongoDB's error_codes.yml.
	[]int{6, 7, 43, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 237, 262, 9001, 10107, 11600, 11602, 13435, 13436},
	// InternalError: FerretDB has lost its PostgreSQL.
	[]int{1},
	// PostgreSQL's own, which FerretDB passes on in PostgreSQL's encoding.
	[]int{
		sqlstate("40001"),                                       // colliding writes
		sqlstate("40P01"),                                       // the same: several writes of one unique key at once
		sqlstate("53300"),                                       // too many connections
		sqlstate("57014"),                                       // it takes too long
		sqlstate("57P01"), sqlstate("57P02"), sqlstate("57P03"), // it is stopping or starting
	},
)

// sqlstate is a code of PostgreSQL as a number: six bits for each of its five
// characters, the first in the lowest (MAKE_SQLSTATE).
func sqlstate(code string) (number int) {
	for i, c := range []byte(code) {
		number |= int(c-'0') << (6 * i)
	}
	return number
}

// isAway tells whether the server could not be reached, or has not answered. It is not known
// then whether it has carried out the call.
func isAway(err error) bool {
	if err == nil || errors.Is(err, mongo.ErrClientDisconnected) {
		return false
	}
	if isCut(err) || isGivenUp(err) || mongo.IsTimeout(err) || isEnded(err) {
		return true
	}
	if labelled, ok := errors.AsType[mongo.LabeledError](err); ok &&
		(labelled.HasErrorLabel("RetryableWriteError") || labelled.HasErrorLabel("TransientTransactionError")) {
		return true
	}
	if concern, ok := errors.AsType[mongo.WriteException](err); ok && concern.WriteConcernError != nil {
		return true // it is written, but not by a majority yet
	}
	if answer, ok := errors.AsType[mongo.ServerError](err); ok {
		return slices.ContainsFunc(awayCodes, answer.HasErrorCode)
	}
	return false
}

// isGivenUp tells whether the driver has waited for a server long enough.
func isGivenUp(err error) bool {
	_, gaveUp := errors.AsType[topology.ServerSelectionError](err)
	return gaveUp
}

// isCut tells whether a connection could not be made, or has ended. When one breaks the
// driver ends its pool, and callers that wait for a connection get the pool's error.
func isCut(err error) bool {
	_, connecting := errors.AsType[topology.ConnectionError](err)
	var pool driver.RetryablePoolError // no error by its type
	_, wire := errors.AsType[net.Error](err)
	return connecting || errors.As(err, &pool) || wire || mongo.IsNetworkError(err)
}

// isEnded tells whether a context ended: the caller's, ours, or one of the
// driver's own.
func isEnded(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
