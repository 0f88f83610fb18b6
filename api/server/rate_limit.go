package server

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-chi/httprate"

	"secondring/api/rest"
	"secondring/market"
)

func errTooFast() error {
	return rest.NewError(rest.CodeTooFast, "Too many calls at once. Please wait a moment")
}

func newLimiter(perSecond int, counter httprate.LimitCounter, fail func(http.ResponseWriter, *http.Request, error)) *httprate.RateLimiter {
	options := []httprate.Option{
		httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
			fail(w, r, errTooFast())
		}),
		httprate.WithErrorHandler(func(w http.ResponseWriter, r *http.Request, err error) { fail(w, r, err) }),
		httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"}),
	}
	if counter != nil {
		options = append(options, httprate.WithLimitCounter(counter))
	}
	return httprate.NewRateLimiter(perSecond, time.Second, options...)
}

// newPageLimiter bounds how often an address has the store read for a phone's
// page. It counts in this process: it is the process that it shields.
func newPageLimiter(perSecond int) *httprate.RateLimiter {
	return httprate.NewRateLimiter(perSecond, time.Second, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// overLimit counts the call and answers 429 where there are too many.
func (s *server) overLimit(w http.ResponseWriter, r *http.Request, c rest.Route) bool {
	if s.limiter == nil || c.Unlimited || (c.Method == http.MethodGet && strings.HasPrefix(c.Path, "/images/")) {
		return false
	}
	counted := r
	if c.Access == rest.Anyone {
		// The call itself takes no credentials. Many people may share an address,
		// though, and good ones tell them apart; bad ones are none.
		if sent := bearerSent(r); sent != "" {
			counted, _ = s.admitBearer(r, sent)
		} else if s.HasSession(r) {
			counted, _ = s.admitCookie(r)
		}
	}
	return s.limiter.RespondOnLimit(w, r, caller(counted))
}

// httprate wants a writer and a request for what is counted without a call.
var noRequest = &http.Request{URL: &url.URL{}}

type discardWriter struct{}

func (discardWriter) Header() http.Header         { return http.Header{} }
func (discardWriter) Write(p []byte) (int, error) { return len(p), nil }
func (discardWriter) WriteHeader(int)             {}

// failures counts, by address and in this process, the credentials that turned
// out to be nobody's. An address with too many in a second has none looked up any
// more, so that made-up ones cost the store no more than that. nil counts nothing.
type failures struct {
	limiter   *httprate.RateLimiter
	perSecond int
}

func newFailures(perSecond int) *failures { return &failures{newPageLimiter(perSecond), perSecond} }

// lookUp asks whose credentials came from an address. CodeTooFast where it has
// sent too many bad ones.
func (f *failures) lookUp(ctx context.Context, address string, ask func(ctx context.Context) error) error {
	if f == nil {
		return ask(ctx)
	}
	key := httprate.CanonicalizeIP(address)
	if _, rate, err := f.limiter.Status(key); err != nil || int(math.Round(rate)) >= f.perSecond {
		return errTooFast() // no error ever: it counts in memory
	}
	err := ask(ctx)
	if market.CodeOf(err) == market.CodeNoToken {
		f.limiter.OnLimit(discardWriter{}, noRequest, key)
	}
	return err
}

// limited counts what is sent to a mounted handler, whose callers are addresses,
// apart from the market's calls: in the sandbox, what is sent is kept.
func (s *server) limited(mount string, next http.Handler) http.Handler {
	if s.limiter == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		if !reads && s.limiter.RespondOnLimit(w, r, mount+" "+caller(r)) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// caller is who is counted: the account, or the address of a visitor.
func caller(r *http.Request) string {
	if who, ok := rest.Actor(r.Context()); ok {
		return "account:" + who.User.UID
	}
	if who, ok := rest.CookieOwner(r.Context()); ok {
		return "account:" + who.Account.UID
	}
	return "address:" + httprate.CanonicalizeIP(rest.Address(r.Context()))
}

// tooManyPages tells whether this caller has asked for more pages that are made of what
// the market says now than RATE_LIMIT allows.
func (s *server) tooManyPages(w http.ResponseWriter, r *http.Request) bool {
	return s.pages != nil && s.pages.OnLimit(w, r, caller(r))
}
