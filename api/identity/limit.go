package identity

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"runtime"
	"time"

	"secondring/api/emails"
	"secondring/api/rest"
	"secondring/market"
)

// Limits of attempts. RATE_LIMIT=off switches them off.
const (
	failWindow   = 15 * time.Minute
	failsPerPair = 10  // failed sign-ins of one account from one address
	failsPerAddr = 100 // failed sign-ins from one address
	// An account with this many failures from all addresses is under attack. Then each
	// address has only a few attempts. Addresses without a failure are still accepted, so
	// that the owner cannot be locked out.
	failsPerAccount   = 100
	failsWhileGuessed = 2
	signUpWindow      = time.Minute
	signUpsAddr       = 300 // sign-ups from one address
	emailWindow       = time.Hour
	emailsPerAccount  = 5 // requested changes of one account's email address
	renameWindow      = time.Hour
	renamesPerAccount = 30 // changes of one account's name
	deviceWindow      = 24 * time.Hour
	deviceEmails      = 10 // emails about new browsers of one account
	forgotWindow      = 15 * time.Minute
	forgotAddr        = 100  // reset emails requested from one address
	resetsPerPair     = 3    // reset emails to one account requested from one address, in an emailWindow
	emailsAddr        = 1000 // emails that one address can request in an emailWindow
	// Of each kind of email the first ones that an address causes in a minute go before others.
	laneWindow = time.Minute
	laneAddr   = 10
	// Limits of all sign-ins: each costs a hash, and a successful one also adds a session.
	signInWindow   = time.Minute
	signInsPerPair = 60  // of one account from one address
	signInsPerAddr = 300 // from one address
)

// limiter limits sign-ins, sign-ups, changes of the email address and the name, and emails that
// people request or cause.
type limiter struct {
	counter rest.Counter
	off     bool
	pairs   *keyedSemaphore // one attempt at a time for an account from an address
	// addresses lets one address use at most half of the processors, so that other
	// addresses can sign in at the same time.
	addresses *keyedSemaphore
}

func newLimiter(counter rest.Counter, off bool) *limiter {
	return &limiter{
		counter: counter, off: off,
		pairs: newKeyedSemaphore(1), addresses: newKeyedSemaphore(max(1, runtime.GOMAXPROCS(0)/2)),
	}
}

// tooManyTries is the rate limit error. after is the time until the next try.
type tooManyTries struct{ after time.Duration }

func (e *tooManyTries) Error() string { return "too many tries" }

// Unwrap returns the market error that the API sends.
func (e *tooManyTries) Unwrap() error {
	return rest.NewError(rest.CodeTooFast, "Too many attempts. Please wait a while and try again.")
}

// attemptKeys are the counter keys of an attempt to sign in.
type attemptKeys struct{ pair, address, account string }

func attemptKeysOf(ctx context.Context, email string) attemptKeys {
	addr := rest.Network(rest.Address(ctx))
	sum := sha256.Sum256([]byte(market.NormalEmail(email))) // keys have the same length, and a shared counter has no email addresses
	account := base64.RawURLEncoding.EncodeToString(sum[:])
	return attemptKeys{pair: "fail:" + addr + ":" + account, address: "fail:" + addr, account: "fail-account:" + account}
}

// enter counts the try and waits for a free slot. Above the limits of the address or the
// account it returns tooManyTries without waiting. Call leave after the try.
func (l *limiter) enter(ctx context.Context, k attemptKeys) (leave func(), err error) {
	if l.off {
		return func() {}, nil
	}
	if err := l.countTry(ctx, k); err != nil {
		return nil, err
	}
	leavePair, err := l.pairs.enter(ctx, k.pair)
	if err != nil {
		return nil, err
	}
	leaveAddress, err := l.addresses.enter(ctx, k.address)
	if err != nil {
		leavePair()
		return nil, err
	}
	return func() { leaveAddress(); leavePair() }, nil
}

// try runs one check of an account's password or code within the limits, and counts a wrong
// one.
func (l *limiter) try(ctx context.Context, email string, guess func() (right bool, err error)) (bool, error) {
	k := attemptKeysOf(ctx, email)
	leave, err := l.enter(ctx, k)
	if err != nil {
		return false, err
	}
	defer leave()
	if err := l.mayTry(ctx, k); err != nil {
		return false, err
	}
	if right, err := guess(); right || err != nil {
		return right, err
	}
	return false, l.failed(ctx, k)
}

// countTry counts a sign-in, successful or not, and returns an error above the limits.
func (l *limiter) countTry(ctx context.Context, k attemptKeys) error {
	for key, limit := range map[string]int{"sign-in:" + k.pair: signInsPerPair, "sign-in:" + k.address: signInsPerAddr} {
		if err := l.count(ctx, key, signInWindow, limit); err != nil {
			return err
		}
	}
	return nil
}

// count adds one to a count. It returns tooManyTries if the count exceeds limit. Without limits
// it counts nothing.
func (l *limiter) count(ctx context.Context, key string, window time.Duration, limit int) error {
	if l.off {
		return nil
	}
	count, left, err := l.counter.Count(ctx, key, window, 1)
	if err == nil && count > limit {
		return &tooManyTries{after: left}
	}
	return err
}

// mayTry returns an error if the count of the pair or of the address has reached its limit.
func (l *limiter) mayTry(ctx context.Context, k attemptKeys) error {
	if l.off {
		return nil
	}
	limit := failsPerPair
	switch guessed, _, err := l.counter.Count(ctx, k.account, failWindow, 0); {
	case err != nil:
		return err
	case guessed >= failsPerAccount:
		limit = failsWhileGuessed
	}
	if err := l.checkFailures(ctx, k.pair, limit); err != nil {
		return err
	}
	return l.checkFailures(ctx, k.address, failsPerAddr)
}

// checkFailures returns tooManyTries if the failures of a key have reached the limit.
func (l *limiter) checkFailures(ctx context.Context, key string, limit int) error {
	count, left, err := l.counter.Count(ctx, key, failWindow, 0)
	if err == nil && count >= limit {
		return &tooManyTries{after: left}
	}
	return err
}

// failed counts a failed sign-in.
func (l *limiter) failed(ctx context.Context, k attemptKeys) error {
	if l.off {
		return nil
	}
	for _, key := range []string{k.pair, k.address, k.account} {
		if _, _, err := l.counter.Count(ctx, key, failWindow, 1); err != nil {
			return err
		}
	}
	return nil
}

// maySignUp counts a sign-up and returns an error above the limit.
func (l *limiter) maySignUp(ctx context.Context) error {
	return l.count(ctx, "sign-up:"+rest.Network(rest.Address(ctx)), signUpWindow, signUpsAddr)
}

// mayEmail counts an email that anybody can request, and returns an error above the limit of
// the address. Emails about a change of an account are not counted: they have limits of the
// account, and nobody may prevent them.
func (l *limiter) mayEmail(ctx context.Context) error {
	return l.count(ctx, "emails:"+rest.Network(rest.Address(ctx)), emailWindow, emailsAddr)
}

// lane returns the part of the outbox for an email that anybody can request. Above a number in
// a minute the address's emails wait behind others, so that it cannot delay theirs. It is not
// switched off with the limits, because it refuses nothing.
func (l *limiter) lane(ctx context.Context, template string) emails.Lane {
	count, _, err := l.counter.Count(ctx, "lane:"+template+":"+rest.Network(rest.Address(ctx)), laneWindow, 1)
	switch {
	case err == nil && count > laneAddr:
		return emails.Ordinary
	case template == templateWelcome, template == templateSignUpAgain:
		return emails.Welcome
	}
	return emails.Security
}

// mayChangeEmail counts a requested change of the address, because each sends an email to
// that address.
func (l *limiter) mayChangeEmail(ctx context.Context, uid string) error {
	return l.count(ctx, "change-email:"+uid, emailWindow, emailsPerAccount)
}

// mayRename counts a change of an account's name, because a seller's phones all show the name.
func (l *limiter) mayRename(ctx context.Context, uid string) error {
	return l.count(ctx, "rename:"+uid, renameWindow, renamesPerAccount)
}

// mayRequestReset counts a requested reset email. It returns false above the limits of the
// address that requests it. The response is the same then, but nothing is stored, so that
// nobody can fill the store with other people's addresses, or use up what an account's owner
// may request from another address.
func (l *limiter) mayRequestReset(ctx context.Context, email string) (bool, error) {
	if may, err := l.isWithin(ctx, "forgot:"+attemptKeysOf(ctx, email).pair, emailWindow, resetsPerPair); !may {
		return false, err
	}
	addr := rest.Network(rest.Address(ctx))
	if may, err := l.isWithin(ctx, "forgot:"+addr, forgotWindow, forgotAddr); !may {
		return false, err
	}
	return l.isWithin(ctx, "emails:"+addr, emailWindow, emailsAddr)
}

// mayEmailDevice counts an email about a new browser, because a person can sign in from any
// number of them. It returns false above the limit; the sign-in succeeds without the email.
func (l *limiter) mayEmailDevice(ctx context.Context, uid string) (bool, error) {
	return l.isWithin(ctx, "device-email:"+uid, deviceWindow, deviceEmails)
}

// isWithin adds one to a count. It returns false if the count exceeds limit.
func (l *limiter) isWithin(ctx context.Context, key string, window time.Duration, limit int) (bool, error) {
	err := l.count(ctx, key, window, limit)
	if _, above := errors.AsType[*tooManyTries](err); above {
		return false, nil
	}
	return err == nil, err
}
