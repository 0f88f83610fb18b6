package redisbroker

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"secondring/hub"
	"secondring/market"
)

// openFor is how long no call is made to a Redis that could not be reached. Then one
// call may try, for callTimeout at most; all others still fail at once.
const openFor = time.Second

// errUnavailable is the error that callers get: status 503, so the client may try again.
var errUnavailable = &market.Error{Code: market.CodeUnavailable, Message: "Live updates are not available right now. Please try again in a moment"}

// circuitBreaker fails calls at once while the server cannot be reached, so that they do
// not all wait for a server that hangs.
type circuitBreaker struct {
	openUntil atomic.Int64 // market.Monotonic in nanoseconds; 0 while closed, when the server answers
}

// isOpen reports whether calls fail at once now.
func (c *circuitBreaker) isOpen() bool { return int64(market.Monotonic()) < c.openUntil.Load() }

// allow reports whether this call may be made. After openFor it allows one call.
func (c *circuitBreaker) allow() bool {
	until, now := c.openUntil.Load(), int64(market.Monotonic())
	switch {
	case until == 0:
		return true
	case now < until:
		return false
	}
	return c.openUntil.CompareAndSwap(until, now+int64(openFor))
}

// report records whether a call has found the server unavailable.
func (c *circuitBreaker) report(unavailable bool) {
	if unavailable {
		c.openUntil.Store(int64(market.Monotonic() + openFor))
	} else if c.openUntil.Load() != 0 {
		c.openUntil.Store(0)
	}
}

// check returns an error if the broker or the context has ended.
func (b *Broker) check(ctx context.Context) error {
	if b.ctx.Err() != nil {
		return hub.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return nil
}

// guarded calls f, unless the circuit breaker is open. It returns hub.ErrClosed, the context's
// error, errUnavailable, or any other error of f.
func (b *Broker) guarded(ctx context.Context, f func() error) error {
	if err := b.check(ctx); err != nil {
		return err
	}
	if !b.breaker.allow() {
		return errUnavailable
	}
	err := f()
	if err == nil {
		b.breaker.report(false)
		return nil
	}
	if b.ctx.Err() != nil {
		return hub.ErrClosed
	}
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if isUnavailable(err) {
		b.breaker.report(true)
		return errors.Join(errUnavailable, err)
	}
	return err
}

// isUnavailable reports whether an error means that the server cannot be reached, does not
// answer or is not ready. Other errors are permanent.
func isUnavailable(err error) bool {
	if redis.IsLoadingError(err) || redis.IsReadOnlyError(err) || redis.IsMasterDownError(err) ||
		redis.IsClusterDownError(err) || redis.IsTryAgainError(err) || redis.IsMaxClientsError(err) || redis.IsOOMError(err) {
		return true
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, net.ErrClosed)
}
