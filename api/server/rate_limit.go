package server

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"secondring/api/rest"
	"secondring/market"
)

func errTooFast() error {
	return rest.NewError(rest.CodeTooFast, "Too many calls at once. Please wait a moment")
}

// providerCallsPerMinute is how many calls of an account may reach the card provider within a
// minute. The provider limits the calls of the whole market.
const providerCallsPerMinute = 300

func errTooManyProviderCalls() error {
	return rest.NewError(rest.CodeTooFast, "Too many calls about payments. Please wait a minute")
}

// newLimiter returns a limit of calls within a window. The counter counts them across nodes;
// nil counts in this process. fail sends refusal for a call above the limit.
func newLimiter(
	limit int, window time.Duration, counter httprate.LimitCounter, refusal func() error, fail func(http.ResponseWriter, *http.Request, error),
) *httprate.RateLimiter {
	return httprate.NewRateLimiter(limit, window,
		httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) { fail(w, r, refusal()) }),
		httprate.WithErrorHandler(func(w http.ResponseWriter, r *http.Request, err error) { fail(w, r, err) }),
		httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"}),
		httprate.WithLimitCounter(counter))
}

// overLimit counts the call and sends 429 if there are too many. Routes that are Unlimited,
// or have NoRateLimit, are not counted.
func (s *server) overLimit(w http.ResponseWriter, r *http.Request, route rest.Route) bool {
	if s.limiter == nil || route.Unlimited || route.NoRateLimit {
		return false
	}
	ctx := r.Context()
	if route.Access == rest.Anyone {
		// The call itself requires no credentials. But many people may share an address,
		// and valid credentials distinguish them. Invalid ones are counted for the address.
		if sent := bearerSent(r); sent != "" {
			ctx, _ = s.admitBearer(ctx, sent)
		} else if s.HasSession(r) {
			ctx, _ = s.admitCookie(ctx, r)
		}
	}
	return s.limiter.RespondOnLimit(w, r, caller(ctx))
}

// overProviderLimit counts a call that reaches the card provider, and sends 429 if the account
// has made too many.
func (s *server) overProviderLimit(w http.ResponseWriter, r *http.Request, route rest.Route) bool {
	who, ok := rest.Actor(r.Context())
	if s.providerLimiter == nil || route.CallsProvider == nil || !ok || !route.CallsProvider(who) {
		return false
	}
	return s.providerLimiter.RespondOnLimit(w, r, "provider:"+who.User.UID)
}

// credentialLimiter counts invalid credentials by address, in this process. If an address
// has sent too many in a second, its credentials are not looked up, so that invented ones
// cause little load on the store. nil counts nothing.
type credentialLimiter struct {
	counter   *rest.MemoryCounter
	perSecond int
}

func newCredentialLimiter(perSecond int) *credentialLimiter {
	return &credentialLimiter{rest.NewMemoryCounter(market.SystemClock{}), perSecond}
}

// lookUp calls verify, which looks up the caller's credentials. It returns CodeTooFast if the
// caller's address has sent too many invalid ones.
func (l *credentialLimiter) lookUp(ctx context.Context, verify func(ctx context.Context) error) error {
	if l == nil {
		return verify(ctx)
	}
	key := httprate.CanonicalizeIP(rest.Address(ctx))
	if l.count(ctx, key, 0) >= l.perSecond {
		return errTooFast()
	}
	err := verify(ctx)
	if market.CodeOf(err) == market.CodeNoToken {
		l.count(ctx, key, 1)
	}
	return err
}

// count adds n to the invalid credentials of this second, and returns their number.
func (l *credentialLimiter) count(ctx context.Context, key string, n int) int {
	count, _, _ := l.counter.Count(ctx, key, time.Second, n) // this counter never fails
	return count
}

// limitWrites limits the writes to a mounted handler, apart from the market's calls, because
// the sandbox stores what it receives.
func (s *server) limitWrites(mount string, next http.Handler) http.Handler {
	if s.limiter == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		if !reads && s.limiter.RespondOnLimit(w, r, mount+" "+caller(r.Context())) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// caller returns the key under which calls are counted: the account, or the address of a
// visitor.
func caller(ctx context.Context) string {
	if who, ok := rest.Actor(ctx); ok {
		return "account:" + who.User.UID
	}
	if who, ok := rest.CookieOwner(ctx); ok {
		return "account:" + who.Account.UID
	}
	return "address:" + httprate.CanonicalizeIP(rest.Address(ctx))
}

// overPageLimit counts a request for a phone's page, which reads the store, and returns
// whether this caller has requested more of them than RATE_LIMIT allows.
func (s *server) overPageLimit(w http.ResponseWriter, r *http.Request) bool {
	return s.pageLimiter != nil && s.pageLimiter.OnLimit(w, r, caller(r.Context()))
}
