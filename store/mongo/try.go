package mongo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"secondring/market"
)

// Times of a call.
const (
	patience  = 5 * time.Second        // for a whole call: then the server counts as away
	noServer  = 2 * time.Second        // for a server that can be asked at all
	firstWait = 10 * time.Millisecond  // before the second try; doubled before each further one
	longWait  = 500 * time.Millisecond // at most
)

// try runs do until the server has answered it. Do must be fit to be repeated:
// a try whose answer was lost may have been carried out.
func (s *Store) try(ctx context.Context, what string, do func(ctx context.Context) error) error {
	if err := ctx.Err(); err != nil { // the driver would look later
		return named(ctx, what, err)
	}
	mine, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for wait := firstWait; ; wait = min(2*wait, longWait) {
		err := do(mine)
		if !isAway(err) || isGivenUp(err) {
			return named(ctx, what, err)
		}
		select {
		case <-mine.Done():
			return named(ctx, what, err)
		case <-time.After(wait):
		}
	}
}

// named says what was being done, and turns the driver's errors into the
// market's.
func named(ctx context.Context, what string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && isAway(err), errors.Is(err, context.Canceled): // it was the caller who had enough
		err = errors.Join(ctx.Err(), err)
	case errors.Is(err, mongo.ErrNoDocuments):
		err = market.ErrNotFound
	case mongo.IsDuplicateKeyError(err):
		err = market.ErrExists
	case isAway(err):
		err = errors.Join(market.ErrAway, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Codes by which a server says that it cannot be asked now, or no longer: it is
// not, or not yet, the primary, is shutting down, or cannot write as durably as
// is asked. MongoDB's error_codes.yml has them.
var awayCodes = []int{
	1, // InternalError: FerretDB has lost its PostgreSQL
	6, 7, 43, 64, 89, 91, 100, 112, 133, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436, 237, 50,
}

// isAway tells whether the server could not be asked, or has not answered.
// Whether it has done what was asked is then not known.
func isAway(err error) bool {
	if err == nil || errors.Is(err, mongo.ErrClientDisconnected) {
		return false
	}
	if isCut(err) || isGivenUp(err) || mongo.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	if labelled, ok := errors.AsType[mongo.LabeledError](err); ok &&
		(labelled.HasErrorLabel("RetryableWriteError") || labelled.HasErrorLabel("TransientTransactionError")) {
		return true
	}
	if concern, ok := errors.AsType[mongo.WriteException](err); ok && concern.WriteConcernError != nil {
		return true // it is written, but not yet safe
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

// isCut tells whether a connection could not be made, or has ended.
func isCut(err error) bool {
	_, connecting := errors.AsType[topology.ConnectionError](err)
	_, wire := errors.AsType[net.Error](err)
	return connecting || wire || mongo.IsNetworkError(err)
}
