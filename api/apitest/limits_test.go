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

// forwardedFor sets the client addresses that a proxy forwards.
func forwardedFor(addresses string) func(*http.Request) { return header("X-Forwarded-For", addresses) }

// sendUntilLimited sends requests until the rate limit refuses one, and returns the number of
// accepted ones. If a second ends in between, they are up to twice the limit.
func sendUntilLimited(t *testing.T, limit int, send func() response) (accepted int, last response) {
	t.Helper()
	for accepted = range 10 * limit {
		if last = send(); last.StatusCode == http.StatusTooManyRequests {
			return accepted, last
		}
	}
	t.Fatalf("the server accepted %d requests, the limit is %d", accepted+1, limit)
	return accepted, last
}

func TestRateLimit(t *testing.T) {
	const limit = 20
	e := newEnv(t, limitedTo(limit), trustLoopback)
	buyer, other := e.buyer("Bob"), e.buyer("Ned")

	t.Run("429 by address for visitors, with Retry-After", func(t *testing.T) {
		accepted, last := sendUntilLimited(t, limit, func() response { return e.visitor().get("/config", forwardedFor("203.0.113.1")) })
		if last.wantError(http.StatusTooManyRequests, rest.CodeTooFast); accepted < limit-1 || last.Header.Get("Retry-After") != "1" {
			t.Errorf("the server accepted %d requests, then Retry-After is %q", accepted, last.Header.Get("Retry-After"))
		}
		e.visitor().get("/config", forwardedFor("203.0.113.2")).wantStatus(http.StatusOK)
	})
	t.Run("429 for an invalid token too", func(t *testing.T) {
		sendUntilLimited(t, limit, func() response {
			return e.visitor().get("/booking/1", header("Authorization", "Bearer x"), forwardedFor("203.0.113.3"))
		})
	})
	t.Run("429 by account, from any address", func(t *testing.T) {
		sendUntilLimited(t, limit, func() response {
			return buyer.get("/users/buyer/"+buyer.user.Email, forwardedFor("203.0.113.4"))
		})
		other.get("/users/buyer/"+other.user.Email, forwardedFor("203.0.113.4")).wantStatus(http.StatusOK)
	})
	t.Run("429 by account even where a call takes no token", func(t *testing.T) {
		third, fourth := e.buyer("Tom"), e.buyer("Tim")
		sendUntilLimited(t, limit, func() response { return third.get("/config", forwardedFor("203.0.113.6")) })
		fourth.get("/config", forwardedFor("203.0.113.6")).wantStatus(http.StatusOK)
		e.visitor().get("/config", forwardedFor("203.0.113.6")).wantStatus(http.StatusOK)
	})
	t.Run("429 by account with the cookie too, even where a call takes no credentials", func(t *testing.T) {
		from := forwardedFor("203.0.113.8")
		for _, path := range []string{"/users/buyer/", "/config?"} {
			fifth, sixth := e.buyer("Tam"), e.buyer("Tod")
			sendUntilLimited(t, limit, func() response { return fifth.withCookie(http.MethodGet, path+fifth.user.Email, nil, from) })
			sixth.withCookie(http.MethodGet, path+sixth.user.Email, nil, from).wantStatus(http.StatusOK)
		}
		e.visitor().get("/config", from).wantStatus(http.StatusOK)
	})
	t.Run("429 for a booking with acknowledged false", func(t *testing.T) {
		_, last := sendUntilLimited(t, limit, func() response { return other.putBooking("{") })
		last.wantError(http.StatusTooManyRequests, rest.CodeTooFast).wantUnacknowledged(t)
	})
	t.Run("429 by address for requests to the sandbox, counted separately", func(t *testing.T) {
		from := forwardedFor("203.0.113.7")
		sendUntilLimited(t, limit, func() response { return e.send(http.MethodPost, stripesandbox.Path+"/v1/payment_methods", "", from) })
		e.visitor().get("/config", from).wantStatus(http.StatusOK)
		for range 3 * limit {
			e.visitor().get(stripesandbox.Path+"/v3.js", from).wantStatus(http.StatusOK)
		}
	})
	t.Run("200 for any number of files, screens and probes", func(t *testing.T) {
		for _, path := range []string{"/assets/app-1a.js", "/photos/one-0123456789.jpg", "/", "/healthz", "/readyz", "/favicon.svg"} {
			for range 3 * limit {
				e.visitor().get(path, forwardedFor("203.0.113.5")).wantStatus(http.StatusOK)
			}
		}
	})
}

// Calls that reach the card provider have a limit of their own, because the provider limits the
// calls of the whole market.
func TestCallsToTheProviderAreRateLimited(t *testing.T) {
	e := newOrdersEnv(t, withStripePayouts, limitedTo(100_000))
	e.buyer.book(e.seller.addPhone(e.brand))
	e.seller.do(http.MethodPost, "/payouts/onboarding", nil).wantStatus(http.StatusOK) // the account is pending now
	getEarnings := func(p *person) func() response { return func() response { return p.get("/earnings") } }
	for name, send := range map[string]func() response{
		"intents":                      func() response { return e.buyer.postIntent(fields{"price": 120}) },
		"payments":                     func() response { return e.otherBuyer.postPayment(fields{}) },
		"earnings of a waiting seller": getEarnings(e.seller),
	} {
		t.Run(name, func(t *testing.T) {
			refused := 0
			for range 700 { // a new minute may begin in between
				if got := send(); got.StatusCode == http.StatusTooManyRequests {
					if got.wantError(http.StatusTooManyRequests, rest.CodeTooFast); got.Header.Get("Retry-After") == "" {
						t.Fatal("the error has no Retry-After")
					}
					refused++
				}
			}
			if refused < 75 {
				t.Errorf("the server refuses %d of 700 calls, want at least 75", refused)
			}
		})
	}
	t.Run("earnings without a payout account", func(t *testing.T) {
		for range 700 {
			getEarnings(e.otherSeller)().wantStatus(http.StatusOK)
		}
	})
}

// sessionReads counts reads of sessions.
type sessionReads struct {
	market.Store
	sessions atomic.Int64
}

func (s *sessionReads) Hooked(hook market.StoreHook) market.Store {
	s.Store = s.Store.Hooked(hook)
	return s
}

func (s *sessionReads) Session(ctx context.Context, id string) (market.Session, error) {
	s.sessions.Add(1)
	return s.Store.Session(ctx, id)
}

// Requests with invalid credentials read the store at most as often as the rate limit allows.
func TestInvalidCredentialsAreRateLimited(t *testing.T) {
	const limit, requests = 20, 400
	store := &sessionReads{}
	e := newEnv(t, limitedTo(limit), trustLoopback, func(s *setup) {
		s.engine = func(tb testing.TB) market.Store {
			tb.Helper()
			store.Store = openSQLite(tb)
			return store
		}
	})
	signedOut := e.buyer("Eve") // the token's signature is valid, but its session has ended
	signedOut.withCookie(http.MethodPost, "/identity/sign-out", nil).wantStatus(http.StatusNoContent)
	for i, path := range []string{"/users/buyer/a@b.example", "/products/advertised", "/config", "/identity/me"} {
		for name, send := range map[string]func(from func(*http.Request)) response{
			"made-up cookies": func(from func(*http.Request)) response {
				return (&person{env: e, cookie: market.NewID(e.clock.Now())}).withCookie(http.MethodGet, path, nil, from)
			},
			"tokens of an ended session": func(from func(*http.Request)) response { return signedOut.get(path, from) },
		} {
			t.Run(name+" at "+path, func(t *testing.T) {
				from := forwardedFor(fmt.Sprintf("198.51.%d.%d", i, len(name)))
				before, began := store.sessions.Load(), time.Now()
				var refused []response
				for range requests {
					if got := send(from); got.StatusCode == http.StatusTooManyRequests {
						refused = append(refused, got)
					}
				}
				allowed := int64(limit * (2 + int(time.Since(began)/time.Second)))
				if got := store.sessions.Load() - before; got > allowed {
					t.Errorf("%d reads for %d requests, want at most %d", got, requests, allowed)
				}
				if path == "/identity/me" && name == "tokens of an ended session" {
					return // a route for cookies reads no token
				}
				if len(refused) < requests-int(allowed) {
					t.Fatalf("%d of %d requests are refused, want at least %d", len(refused), requests, requests-allowed)
				}
				last := refused[len(refused)-1]
				last.wantError(http.StatusTooManyRequests, rest.CodeTooFast)
				if last.Header.Get("Retry-After") == "" {
					t.Errorf("no Retry-After: %v", last.Header)
				}
			})
		}
	}
}

// A client without a token sends "Bearer null". The server does not count it as an invalid
// credential, and does not limit other users of the address.
func TestMissingTokenIsNotCountedAsInvalid(t *testing.T) {
	const limit, requests = 20, 60
	e := newEnv(t, limitedTo(limit), trustLoopback)
	from, buyer := forwardedFor("198.51.100.77"), e.buyer("Bob")
	for _, none := range []string{"Bearer null", "Bearer undefined"} {
		for range requests {
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
	t.Run("it is the last address that is not a trusted proxy", func(t *testing.T) {
		e := newEnv(t, trustLoopback)
		for forwarded, want := range map[string]string{
			"203.0.113.1":                        "203.0.113.0",
			"198.51.100.7, 203.0.113.1":          "203.0.113.0",
			"198.51.100.7, 203.0.113.1,10.1.2.3": "203.0.113.0",
			"10.9.9.9":                           "10.9.9.0",
			"2001:db8::1":                        "2001:db8::",
			"::ffff:203.0.113.1":                 "203.0.113.0",
			"unknown":                            "127.0.0.0",
			"203.0.113.1, nonsense, 10.1.2.3":    "10.1.2.0",
		} {
			e.visitor().get("/config", forwardedFor(forwarded)).wantStatus(http.StatusOK)
			if got := lastNetwork(e); got != want {
				t.Errorf("for X-Forwarded-For %q the network is %s, want %s", forwarded, got, want)
			}
		}
	})
	t.Run("without trusted proxies it is the peer's, and the log has one warning that names the setting", func(t *testing.T) {
		e := newEnv(t)
		for range 3 {
			e.visitor().get("/config", forwardedFor("203.0.113.1")).wantStatus(http.StatusOK)
		}
		if got := lastNetwork(e); got != "127.0.0.0" {
			t.Errorf("the network is %s, want 127.0.0.0", got)
		}
		if n := strings.Count(e.log.String(), "TRUSTED_PROXIES"); n != 1 {
			t.Errorf("the log has %d warnings, want 1", n)
		}
	})
}

func TestBodyLimit(t *testing.T) {
	e := newEnv(t)
	buyer := e.buyer("Bob")
	body := `{"productID":"none","phone":"` + strings.Repeat("1", rest.MaxBody-31) + `"}`
	if len(body) != rest.MaxBody {
		t.Fatalf("the body has %d bytes, want %d", len(body), rest.MaxBody)
	}
	buyer.putBooking(body).wantError(http.StatusNotFound, market.CodeNotFound)
	buyer.putBooking(body+" ").wantError(http.StatusRequestEntityTooLarge, rest.CodeTooLarge).wantUnacknowledged(t)
	e.visitor().putBooking(body+" ").wantError(http.StatusUnauthorized, market.CodeNoToken)
	for media, status := range map[string]int{
		"text/xml": http.StatusUnsupportedMediaType, "": http.StatusUnprocessableEntity,
		"application/json; charset=utf-8": http.StatusUnprocessableEntity,
	} {
		buyer.do(http.MethodPut, "/bookings", "{}", header("Content-Type", media)).wantStatus(status)
	}
}
