package identity

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/netip"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// Limits on trying (contract section 2, RATE_LIMIT).
const (
	failWindow   = 15 * time.Minute
	failsPerPair = 10  // failed sign-ins of one account from one address
	failsPerAddr = 100 // failed sign-ins from one address
	// An account that failed this often, from wherever, is being guessed at by
	// many: each address then has a few tries only. It is never shut to addresses
	// that have not failed yet, so nobody can lock its owner out.
	failsPerAccount   = 100
	failsWhileGuessed = 2
	signUpWindow      = time.Minute
	signUpsAddr       = 300 // sign-ups from one address
)

// limiter slows down those who guess passwords or fill the store.
type limiter struct {
	counter Counter
	off     bool
	lanes   *lanes
}

func newLimiter(counter Counter, off bool) *limiter {
	return &limiter{counter: counter, off: off, lanes: newLanes()}
}

// tooFast is a refusal that knows when to come back.
type tooFast struct{ after time.Duration }

func (e *tooFast) Error() string { return "too many tries" }

// Unwrap makes it the market error that is answered.
func (e *tooFast) Unwrap() error {
	return rest.Refuse(rest.CodeTooFast, "Too many tries. Please wait a while and try again.")
}

// failures are the counts that a failed sign-in adds to.
type failures struct{ pair, address, account string }

func failuresOf(ctx context.Context, email string) failures {
	addr := network(rest.Address(ctx))
	sum := sha256.Sum256([]byte(market.NormalEmail(email))) // keys of one length, and no addresses in a shared counter
	account := base64.RawURLEncoding.EncodeToString(sum[:])
	return failures{pair: "fail:" + addr + ":" + account, address: "fail:" + addr, account: "fail-account:" + account}
}

// enter waits until no other try under the same pair is being looked at.
func (l *limiter) enter(ctx context.Context, f failures) (leave func(), err error) {
	if l.off {
		return func() {}, nil
	}
	return l.lanes.enter(ctx, f.pair)
}

// mayTry refuses once the count of the pair or of the address is full.
func (l *limiter) mayTry(ctx context.Context, f failures) error {
	if l.off {
		return nil
	}
	most := failsPerPair
	switch guessed, _, err := l.counter.Count(ctx, f.account, failWindow, 0); {
	case err != nil:
		return err
	case guessed >= failsPerAccount:
		most = failsWhileGuessed
	}
	if err := l.look(ctx, f.pair, most); err != nil {
		return err
	}
	return l.look(ctx, f.address, failsPerAddr)
}

func (l *limiter) look(ctx context.Context, key string, most int) error {
	count, left, err := l.counter.Count(ctx, key, failWindow, 0)
	if err == nil && count >= most {
		return &tooFast{after: left}
	}
	return err
}

// failed remembers a failed sign-in.
func (l *limiter) failed(ctx context.Context, f failures) error {
	if l.off {
		return nil
	}
	for _, key := range []string{f.pair, f.address, f.account} {
		if _, _, err := l.counter.Count(ctx, key, failWindow, 1); err != nil {
			return err
		}
	}
	return nil
}

// maySignUp counts a sign-up and refuses those above the limit.
func (l *limiter) maySignUp(ctx context.Context) error {
	if l.off {
		return nil
	}
	key := "sign-up:" + network(rest.Address(ctx))
	count, left, err := l.counter.Count(ctx, key, signUpWindow, 1)
	if err == nil && count > signUpsAddr {
		return &tooFast{after: left}
	}
	return err
}

// network is what counts as one address: of IPv6 the first 64 bits, because a
// subscriber has all of the rest.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if ip = ip.Unmap(); ip.Is4() {
		return ip.String()
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}
