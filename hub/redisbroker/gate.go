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

// shut is how long nobody asks a Redis that could not be reached. Then one may
// try, and waits for callTimeout at most; all others go on without it.
const shut = time.Second

// errAway is what people get to see of it: 503, and when to come back.
var errAway = &market.Error{Code: market.CodeUnavailable, Message: "Live updates cannot be reached just now. Please try again in a moment"}

// gate keeps calls from waiting, one after the other or all at once, for a
// server that hangs.
type gate struct {
	until atomic.Int64 // of market.Uptime; 0 while the server answers
}

// shut tells whether asking is of no use now.
func (g *gate) shut() bool { return int64(market.Uptime()) < g.until.Load() }

// enter tells whether this call may ask: of all that come when the time is over,
// one.
func (g *gate) enter() bool {
	until, now := g.until.Load(), int64(market.Uptime())
	switch {
	case until == 0:
		return true
	case now < until:
		return false
	}
	return g.until.CompareAndSwap(until, now+int64(shut))
}

// note is told how each call ended.
func (g *gate) note(away bool) {
	if away {
		g.until.Store(int64(market.Uptime() + shut))
	} else if g.until.Load() != 0 {
		g.until.Store(0)
	}
}

// check says why a call cannot be made at all.
func (b *Broker) check(ctx context.Context) error {
	if b.ctx.Err() != nil {
		return hub.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return nil
}

// ask runs do, unless it is known to be of no use now.
func (b *Broker) ask(ctx context.Context, do func() error) error {
	if err := b.check(ctx); err != nil {
		return err
	}
	if !b.gate.enter() {
		return errAway
	}
	err := do()
	if err == nil {
		b.gate.note(false)
		return nil
	}
	if b.ctx.Err() != nil {
		return hub.ErrClosed
	}
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if isAway(err) {
		b.gate.note(true)
		return errors.Join(errAway, err)
	}
	return err
}

// isAway tells a server that cannot be reached, does not answer or is not ready
// from one that refuses for good.
func isAway(err error) bool {
	if redis.IsLoadingError(err) || redis.IsReadOnlyError(err) || redis.IsMasterDownError(err) ||
		redis.IsClusterDownError(err) || redis.IsTryAgainError(err) || redis.IsMaxClientsError(err) || redis.IsOOMError(err) {
		return true
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, net.ErrClosed)
}
