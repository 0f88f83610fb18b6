package apitest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/api/rest"
	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
)

func trustLoopback(s *setup) {
	s.config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
}

func limitedTo(n int) func(*setup) { return func(s *setup) { s.config.RateLimit = n } }

// through sets the client address that a trusted proxy forwards.
func through(addresses string) func(*http.Request) { return header("X-Forwarded-For", addresses) }

// burst makes calls until one is refused, and returns the number of accepted ones. If a
// second ends in between, they are up to twice the limit.
func burst(t *testing.T, limit int, call func() response) (passed int, last response) {
	t.Helper()
	for passed = range 10 * limit {
		if last = call(); last.StatusCode == http.StatusTooManyRequests {
			return passed, last
		}
	}
	t.Fatalf("%d calls passed", passed+1)
	return passed, last
}

func TestRateLimit(t *testing.T) {
	const limit = 20
	e := newEnv(t, limitedTo(limit), trustLoopback)
	buyer, other := e.buyer("Bob"), e.buyer("Ned")

	t.Run("429 by address for visitors, with Retry-After", func(t *testing.T) {
		passed, last := burst(t, limit, func() response { return e.visitor().get("/config", through("203.0.113.1")) })
		if last.wantError(http.StatusTooManyRequests, rest.CodeTooFast); passed < limit-1 || last.Header.Get("Retry-After") != "1" {
			t.Errorf("%d passed, Retry-After %q", passed, last.Header.Get("Retry-After"))
		}
		e.visitor().get("/config", through("203.0.113.2")).wantStatus(http.StatusOK)
	})
	t.Run("429 for an invalid token too", func(t *testing.T) {
		burst(t, limit, func() response {
			return e.visitor().get("/booking/1", header("Authorization", "Bearer x"), through("203.0.113.3"))
		})
	})
	t.Run("429 by account, from any address", func(t *testing.T) {
		burst(t, limit, func() response {
			return buyer.get("/users/buyer/"+buyer.user.Email, through("203.0.113.4"))
		})
		other.get("/users/buyer/"+other.user.Email, through("203.0.113.4")).wantStatus(http.StatusOK)
	})
	t.Run("429 by account even where a call takes no token", func(t *testing.T) {
		third, fourth := e.buyer("Tom"), e.buyer("Tim")
		burst(t, limit, func() response { return third.get("/config", through("203.0.113.6")) })
		fourth.get("/config", through("203.0.113.6")).wantStatus(http.StatusOK)
		e.visitor().get("/config", through("203.0.113.6")).wantStatus(http.StatusOK)
	})
	t.Run("429 by account with the cookie too, even where a call takes no credentials", func(t *testing.T) {
		from := through("203.0.113.8")
		for _, path := range []string{"/users/buyer/", "/config?"} {
			fifth, sixth := e.buyer("Tam"), e.buyer("Tod")
			burst(t, limit, func() response { return fifth.withCookie(http.MethodGet, path+fifth.user.Email, nil, from) })
			sixth.withCookie(http.MethodGet, path+sixth.user.Email, nil, from).wantStatus(http.StatusOK)
		}
		e.visitor().get("/config", from).wantStatus(http.StatusOK)
	})
	t.Run("429 for a booking is not acknowledged", func(t *testing.T) {
		_, last := burst(t, limit, func() response { return other.putBooking("{") })
		last.wantError(http.StatusTooManyRequests, rest.CodeTooFast).wantUnacknowledged(t)
	})
	t.Run("429 by address for requests to the sandbox, counted separately", func(t *testing.T) {
		from := through("203.0.113.7")
		burst(t, limit, func() response { return e.send(http.MethodPost, stripesandbox.Path+"/v1/payment_methods", "", from) })
		e.visitor().get("/config", from).wantStatus(http.StatusOK)
		for range 3 * limit {
			e.visitor().get(stripesandbox.Path+"/v3.js", from).wantStatus(http.StatusOK)
		}
	})
	t.Run("never for files, screens and probes", func(t *testing.T) {
		for _, path := range []string{"/assets/app-1a.js", "/photos/one-0123456789.jpg", "/", "/healthz", "/readyz", "/favicon.svg"} {
			for range 3 * limit {
				e.visitor().get(path, through("203.0.113.5")).wantStatus(http.StatusOK)
			}
		}
	})
}

// sessionReads counts reads of sessions.
type sessionReads struct {
	market.Store
	sessions atomic.Int64
}

func (s *sessionReads) Session(ctx context.Context, id string) (market.Session, error) {
	s.sessions.Add(1)
	return s.Store.Session(ctx, id)
}

// Invalid credentials cause at most as many store reads as the rate limit. Other users of
// the address are delayed only while such requests are sent.
func TestInvalidCredentialsAreRateLimited(t *testing.T) {
	const limit, flood = 20, 400
	store := &sessionReads{}
	e := newEnv(t, limitedTo(limit), trustLoopback, func(s *setup) {
		s.engine = func(tb testing.TB) market.Store {
			tb.Helper()
			store.Store = openSQLite(tb)
			return store
		}
	})
	ended := e.buyer("Eve") // the token is authentic, but its session has ended
	ended.withCookie(http.MethodPost, "/identity/sign-out", nil).wantStatus(http.StatusNoContent)
	for i, path := range []string{"/users/buyer/a@b.example", "/products/advertised", "/config", "/identity/me"} {
		for name, send := range map[string]func(from func(*http.Request)) response{
			"made-up cookies": func(from func(*http.Request)) response {
				return (&person{env: e, cookie: market.NewID(e.clock.Now())}).withCookie(http.MethodGet, path, nil, from)
			},
			"ended tokens": func(from func(*http.Request)) response { return ended.get(path, from) },
		} {
			t.Run(name+" at "+path, func(t *testing.T) {
				from := through(fmt.Sprintf("198.51.%d.%d", i, len(name)))
				before, began := store.sessions.Load(), time.Now()
				for range flood {
					send(from)
				}
				most := int64(limit * (2 + int(time.Since(began)/time.Second)))
				if got := store.sessions.Load() - before; got > most {
					t.Errorf("%d lookups for %d calls, want %d at most", got, flood, most)
				}
				if last := send(from); path != "/identity/me" || name != "ended tokens" {
					last.wantError(http.StatusTooManyRequests, rest.CodeTooFast)
					if last.Header.Get("Retry-After") == "" {
						t.Errorf("no Retry-After: %v", last.Header)
					}
				}
			})
		}
	}
}

// A client without a token sends "Bearer null". It is not counted as an invalid credential,
// so other users at its address are not limited.
func TestMissingTokenIsNotCountedAsInvalid(t *testing.T) {
	const limit, many = 20, 60
	e := newEnv(t, limitedTo(limit), trustLoopback)
	from, buyer := through("198.51.100.77"), e.buyer("Bob")
	for _, none := range []string{"Bearer null", "Bearer undefined"} {
		for range many {
			e.visitor().get("/users/buyers", from, header("Authorization", none))
		}
	}
	buyer.withCookie(http.MethodGet, "/identity/me", nil, from).wantStatus(http.StatusOK)
}

func TestClientAddress(t *testing.T) {
	lastNetwork := func(e *env) string {
		_, after, _ := strings.Cut(e.log.String()[strings.LastIndex(e.log.String(), `"route":"/config"`):], `"network":"`)
		network, _, _ := strings.Cut(after, `"`)
		return network
	}
	t.Run("is the nearest address that is not a trusted proxy", func(t *testing.T) {
		e := newEnv(t, trustLoopback)
		for named, want := range map[string]string{
			"203.0.113.1":                        "203.0.113.0",
			"198.51.100.7, 203.0.113.1":          "203.0.113.0",
			"198.51.100.7, 203.0.113.1,10.1.2.3": "203.0.113.0",
			"10.9.9.9":                           "10.9.9.0",
			"2001:db8::1":                        "2001:db8::",
			"::ffff:203.0.113.1":                 "203.0.113.0",
			"unknown":                            "127.0.0.0",
			"203.0.113.1, nonsense, 10.1.2.3":    "10.1.2.0",
		} {
			e.visitor().get("/config", through(named)).wantStatus(http.StatusOK)
			if got := lastNetwork(e); got != want {
				t.Errorf("%q: %s, want %s", named, got, want)
			}
		}
	})
	t.Run("is the peer without trusted proxies, with one warning that names the setting", func(t *testing.T) {
		e := newEnv(t)
		for range 3 {
			e.visitor().get("/config", through("203.0.113.1")).wantStatus(http.StatusOK)
		}
		if got := lastNetwork(e); got != "127.0.0.0" {
			t.Errorf("address %s", got)
		}
		if n := strings.Count(e.log.String(), "TRUSTED_PROXIES"); n != 1 {
			t.Errorf("%d warnings", n)
		}
	})
}

func TestBodyLimit(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	just := `{"productID":"none","phone":"` + strings.Repeat("1", rest.MaxBody-31) + `"}`
	if len(just) != rest.MaxBody {
		t.Fatalf("the body has %d bytes", len(just))
	}
	buyer.putBooking(just).wantError(http.StatusNotFound, market.CodeNotFound)
	buyer.putBooking(just+" ").wantError(http.StatusRequestEntityTooLarge, rest.CodeTooLarge).wantUnacknowledged(t)
	e.visitor().putBooking(just+" ").wantError(http.StatusUnauthorized, market.CodeNoToken)
	for media, status := range map[string]int{
		"text/xml": http.StatusUnsupportedMediaType, "": http.StatusUnprocessableEntity,
		"application/json; charset=utf-8": http.StatusUnprocessableEntity,
	} {
		buyer.do(http.MethodPut, "/bookings", "{}", header("Content-Type", media)).wantStatus(status)
	}
}
