package apitest_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/api/identity"
	"secondring/api/server"
	"secondring/market"
	"secondring/market/markettest"
)

// cacheEnv is an env with users, and with a second server on the same store that has no cache.
// Both servers must send the same responses.
type cacheEnv struct {
	*env
	uncached *httptest.Server
	brands   []market.Brand
	admin    *person
	sellers  []*person
	buyers   []*person
	phones   []string
	bookings map[string]*person // the buyers of the open bookings
}

func newCacheEnv(t *testing.T) *cacheEnv {
	t.Helper()
	e := newEnv(t)
	c := &cacheEnv{env: e, bookings: map[string]*person{}}
	config := e.config
	config.Registry, config.Versions = nil, nil
	publicURL, err := url.Parse(e.server.URL)
	must(t, err)
	identities, err := identity.New(identity.Config{
		Store: e.store, Market: e.market, Clock: e.clock, Secret: testSecret, PublicURL: publicURL, Log: config.Log,
	})
	must(t, err)
	config.Bearer, config.Cookie = identities.Bearer, identities.Cookie
	handler, err := server.New(config)
	must(t, err)
	c.uncached = httptest.NewServer(handler)
	t.Cleanup(c.uncached.Close)
	c.brands = []market.Brand{e.brand("Nokia"), e.brand("Apple")}
	c.admin = e.admin("Ann")
	c.sellers = []*person{e.verified("Sue"), e.seller("Sam")}
	c.buyers = []*person{e.buyer("Bob"), e.buyer("Ben")}
	return c
}

// paths returns the compared paths.
func (c *cacheEnv) paths(p *person) []string {
	paths := []string{"/allCategories", "/productCategory", "/categories", "/products/advertised", "/products/advertised?limit=1"}
	for _, b := range c.brands {
		paths = append(paths, "/categories/"+b.ID, "/categories/"+b.ID+"?limit=2")
	}
	if p.token != "" {
		for _, role := range []string{"admin", "buyer", "seller", "verified"} {
			paths = append(paths, "/users/"+role+"/"+p.user.Email)
		}
		paths = append(paths, "/products?email="+p.user.Email, "/products?email="+c.sellers[0].user.Email)
	}
	return paths
}

// checkResponses fails the test if a response, cached or not, differs from the response of the
// server without a cache.
func (c *cacheEnv) checkResponses(t *testing.T, after string) {
	t.Helper()
	readers := append([]*person{c.visitor(), c.admin}, append(c.sellers, c.buyers...)...)
	for _, p := range readers {
		uncached := *p
		uncached.env = &env{t: t, server: c.uncached}
		for _, path := range c.paths(p) {
			want := uncached.get(path)
			for range 2 { // the second response is cached
				got := p.get(path)
				if diff := cmp.Diff(comparedParts(want), comparedParts(got)); diff != "" {
					t.Fatalf("after %s, %s of %q differs from the server without a cache (-want +got):\n%s", after, path, p.user.Name, diff)
				}
			}
			c.compareEncodings(t, p, path, want)
		}
	}
}

// compareEncodings checks the 304 and the gzip response of a path.
func (c *cacheEnv) compareEncodings(t *testing.T, p *person, path string, want response) {
	t.Helper()
	if tag := want.Header.Get("ETag"); tag != "" {
		got := p.get(path, header("If-None-Match", tag)).wantStatus(http.StatusNotModified)
		if got.Header.Get("ETag") != tag || got.Header.Get("Live-Position") != want.Header.Get("Live-Position") || len(got.body) > 0 {
			t.Fatalf("the 304 of %s has the headers %v", path, got.Header)
		}
	}
	got := p.get(path, header("Accept-Encoding", "gzip"))
	if got.Header.Get("Content-Encoding") != "gzip" {
		return
	}
	if !bytes.Equal(got.gunzip(), want.body) || got.Header.Get("ETag") == want.Header.Get("ETag") {
		t.Fatalf("the compressed response of %s has another body or the same ETag: %v", path, got.Header)
	}
}

// comparedParts returns everything in a response except what differs between any two responses.
func comparedParts(a response) map[string]string {
	all := map[string]string{"status": a.Status, "body": string(a.body)}
	for name, values := range a.Header {
		switch name {
		case "X-Request-Id", "Date":
		default:
			all[name] = strings.Join(values, ", ")
		}
	}
	return all
}

// randomChange performs one random change of the data, and returns a description of it.
func (c *cacheEnv) randomChange(random *rand.Rand) string {
	seller, buyer := c.sellers[random.IntN(len(c.sellers))], c.buyers[random.IntN(len(c.buyers))]
	phone := ""
	if len(c.phones) > 0 {
		phone = c.phones[random.IntN(len(c.phones))]
	}
	request := func(method, path string, body any, by *person) string {
		return fmt.Sprintf("%s %s: %d", method, path, by.do(method, path, body).StatusCode)
	}
	switch random.IntN(12) {
	case 0, 1, 2:
		c.phones = append(c.phones, seller.addPhone(c.brands[random.IntN(len(c.brands))]))
		return "a new phone"
	case 3:
		return request(http.MethodPatch, "/products/"+phone, fields{"resalePrice": 1 + random.IntN(900)}, seller)
	case 4:
		return request(http.MethodPut, "/products/advertise/"+phone, nil, seller)
	case 5, 6:
		got := buyer.putBooking(buyer.bookingFields(phone))
		if got.StatusCode == http.StatusOK {
			c.bookings[got.insertedID()] = buyer
		}
		return "a booking"
	case 7:
		for booking, buyer := range c.bookings {
			delete(c.bookings, booking)
			return request(http.MethodDelete, "/bookings/"+booking, nil, buyer)
		}
	case 8:
		return request(http.MethodDelete, "/products/"+phone, nil, seller)
	case 9:
		return request(http.MethodPut, "/users/seller/"+seller.user.ID, nil, c.admin)
	case 10:
		return c.changeUser(random)
	default:
		c.clock.Pass(25 * time.Hour) // all holds and tokens expire
		c.runDueWork()
		for _, p := range append(append([]*person{c.admin}, c.sellers...), c.buyers...) {
			p.refreshToken()
		}
		return "the end of all holds"
	}
	return "no change"
}

// changeUser performs one random change of a user: deletion, sign-out, another name, or the
// admin's role for a moment.
func (c *cacheEnv) changeUser(random *rand.Rand) string {
	i := random.IntN(len(c.sellers))
	switch seller := c.sellers[i]; random.IntN(4) {
	case 0:
		c.admin.do(http.MethodDelete, "/users/"+seller.user.ID, nil).wantStatus(http.StatusOK)
		seller.ownProducts().wantStatus(http.StatusUnauthorized)
		c.sellers[i] = c.seller("Sid")
		return "the deletion of a seller"
	case 1:
		seller.withCookie(http.MethodPost, "/identity/sign-out", nil).wantStatus(http.StatusNoContent)
		seller.get("/users/seller/" + seller.user.Email).wantStatus(http.StatusUnauthorized)
		c.sellers[i] = c.seller("Sid")
		return "a sign-out"
	case 2:
		seller.withCookie(http.MethodPatch, "/identity/me", fields{"displayName": fmt.Sprint("Sue ", random.IntN(99))}).wantStatus(http.StatusOK)
		seller.refreshToken()
		return "another name"
	default:
		must(c.t, c.market.MakeAdmin(c.t.Context(), market.Account{UID: seller.user.UID, Email: seller.user.Email}))
		wantRole(seller, "admin", seller.user.Email, true)
		must(c.t, c.market.RevokeAdmin(c.t.Context(), seller.user.Email))
		return "an admin who was revoked"
	}
}

// After any changes in any order the next response is current, both before and after the
// server publishes the events.
func TestCachedResponsesAreCurrent(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			c, random := newCacheEnv(t), rand.New(rand.NewPCG(seed, 6))
			for range 15 {
				change := c.randomChange(random)
				c.checkResponses(t, change)
				if random.IntN(2) == 0 {
					must(t, c.relay.Flush(t.Context()))
					c.checkResponses(t, change+" and its events")
				}
			}
		})
	}
}

// Many users write and read at once. The next response contains each user's own write, and no
// reader gets an older version than before.
func TestReadYourOwnWrites(t *testing.T) {
	c := newCacheEnv(t)
	brand, seller := c.brands[0], c.sellers[0]
	var relay, all sync.WaitGroup
	relayContext, stop := context.WithCancel(t.Context())
	relay.Go(func() {
		markettest.Runner(c.clock, func(r *market.Runner) { r.Add(c.relay.Work()) }).Run(relayContext)
	})
	for range 4 {
		phone := seller.addPhone(brand)
		all.Go(func() {
			for price := range 25 {
				seller.do(http.MethodPatch, "/products/"+phone, fields{"resalePrice": 500 + price}).wantStatus(http.StatusOK)
				for _, path := range []string{"/categories/" + brand.ID, "/products?email=" + seller.user.Email} {
					if got := seller.get(path).product(phone); got["resalePrice"] != float64(500+price) {
						t.Errorf("%s has the price %v, want %d", path, got["resalePrice"], 500+price)
					}
				}
			}
		})
		all.Go(func() {
			latest := 0.0
			for range 60 {
				got, _ := c.buyers[0].get("/categories/" + brand.ID).product(phone)["version"].(float64)
				if got < latest {
					t.Errorf("the reader gets version %v after %v", got, latest)
				}
				latest = got
			}
		})
	}
	all.Wait()
	stop()
	relay.Wait()
	must(t, c.relay.Flush(t.Context()))
	c.checkResponses(t, "all writes")
}
