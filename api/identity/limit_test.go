package identity_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/api/identity"
	"secondring/api/rest"
	"secondring/market"
	"secondring/market/markettest"
)

func TestConcurrentGuessesAreLimited(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	var all sync.WaitGroup
	statuses := make(chan int, 40)
	for range 40 {
		all.Go(func() { statuses <- e.browser().signIn(ada, "a guess").Status })
	}
	all.Wait()
	close(statuses)
	count := map[int]int{}
	for status := range statuses {
		count[status]++
	}
	if count[401] != 10 || count[429] != 30 {
		t.Errorf("answers by status: %v", count)
	}
}

func TestCorrectPasswordsAreNotCountedAsFailures(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	var all sync.WaitGroup
	for range 25 {
		all.Go(func() {
			if a := e.browser().signIn(ada, adaPass); a.Status != 200 {
				t.Errorf("status %d", a.Status)
			}
		})
	}
	all.Wait()
}

// Each sign-in costs a hash, so successful ones are limited too.
func TestSuccessfulSignInsAreLimited(t *testing.T) {
	e := newEnv(t)
	identity.HashCheaply(e.service)
	for i := range 6 {
		e.browser().signUp(fmt.Sprintf("person%d@example.com", i), adaPass).is(201)
	}
	statuses := map[int]int{}
	for i := range 6 {
		for range 61 {
			statuses[e.browser().signIn(fmt.Sprintf("person%d@example.com", i), adaPass).Status]++
		}
	}
	if statuses[200] > 300 || statuses[200] < 280 || statuses[200]+statuses[429] != 6*61 {
		t.Errorf("answers by status: %v", statuses)
	}
	last := e.browser().signIn("person5@example.com", adaPass)
	last.refused(429, "too_many_requests", "")
	if last.Header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	elsewhere := e.browser()
	elsewhere.address = "192.0.2.2"
	elsewhere.signIn("person5@example.com", adaPass).is(200)
	e.clock.Pass(time.Minute)
	e.browser().signIn("person5@example.com", adaPass).is(200)
}

func TestUserHasAtMostTwentySessions(t *testing.T) {
	e := newEnv(t)
	identity.HashCheaply(e.service)
	first := e.member(ada)
	token := first.token(ada)
	for range 25 {
		e.clock.Pass(time.Second)
		e.browser().signIn(ada, adaPass).is(200)
	}
	sessions, err := e.store.SessionsOf(t.Context(), e.account(ada).UID)
	must(t, err)
	if len(sessions) != 20 {
		t.Errorf("%d sessions", len(sessions))
	}
	first.do("GET", "/identity/me", nil).is(401)
	if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("a token of the oldest session: %v", err)
	}
}

func TestAddressIsLimitedToHundredFailures(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	for i := range 100 {
		e.browser().signIn(fmt.Sprintf("person%d@example.com", i), "a guess").is(401)
	}
	e.browser().signIn(ada, adaPass).is(429)
	elsewhere := e.browser()
	elsewhere.address = "192.0.2.2"
	elsewhere.signIn(ada, adaPass).is(200)
	e.clock.Pass(15 * time.Minute)
	e.browser().signIn(ada, adaPass).is(200)
}

func TestSignUpsAreLimitedPerAddress(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	for range 299 {
		e.browser().signUp(ada, adaPass).is(409)
	}
	a := e.browser().signUp("next@example.com", adaPass)
	a.refused(429, "too_many_requests", "")
	if a.Header.Get("Retry-After") != "60" {
		t.Errorf("come back after %q seconds", a.Header.Get("Retry-After"))
	}
	e.clock.Pass(time.Minute)
	e.browser().signUp("next@example.com", adaPass).is(201)
}

func TestLimitsCanBeOff(t *testing.T) {
	e := newEnv(t, func(c *identity.Config) { c.Unlimited = true })
	e.browser().signUp(ada, adaPass).is(201)
	for range 15 {
		e.browser().signIn(ada, "a guess").is(401)
	}
	e.browser().signIn(ada, adaPass).is(200)
}

// brokenCounter is a counter whose server is unavailable.
type brokenCounter struct{}

func (brokenCounter) Count(context.Context, string, time.Duration, int) (int, time.Duration, error) {
	return 0, 0, errors.New("the counter is away")
}

func TestSignInFailsWithoutCounter(t *testing.T) {
	e := newEnv(t, func(c *identity.Config) { c.Counter = brokenCounter{} })
	a := e.browser().signIn(ada, adaPass)
	if a.is(500); strings.Contains(a.Body, "counter") {
		t.Errorf("the answer tells %s", a.Body)
	}
	e.browser().signUp(ada, adaPass).is(500)
}

func TestIPv6NetworkCountsAsOneAddress(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2::1": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64",
		"": "", "a name": "a name",
	} {
		if got := rest.Network(address); got != want {
			t.Errorf("%q counts as %q, want %q", address, got, want)
		}
	}
}

func TestCounterResetsAfterWindow(t *testing.T) {
	clock := markettest.NewClock(time.Now())
	c := identity.NewMemoryCounter(clock)
	count := func(n, want int, left time.Duration) {
		t.Helper()
		got, still, err := c.Count(t.Context(), "key", time.Minute, n)
		if got != want || still != left || err != nil {
			t.Errorf("count %d, %s left, %v; want %d, %s", got, still, err, want, left)
		}
	}
	count(0, 0, 0)
	count(1, 1, time.Minute)
	clock.Pass(time.Second)
	count(2, 3, 59*time.Second)
	count(0, 3, 59*time.Second)
	clock.Pass(59 * time.Second)
	count(0, 0, 0)
	count(1, 1, time.Minute)
}

// If the clock is set ahead and corrected, or set back, no user is refused for longer
// than a window.
func TestCounterSurvivesClockJumps(t *testing.T) {
	for _, back := range []time.Duration{time.Hour, 24 * time.Hour} {
		clock := markettest.NewClock(time.Now())
		c := identity.NewMemoryCounter(clock)
		look := func(n, want int) {
			t.Helper()
			got, left, err := c.Count(t.Context(), "ada", 15*time.Minute, n)
			if err != nil || got != want || left > 15*time.Minute {
				t.Errorf("%d for another %v, %v; want %d", got, left, err, want)
			}
		}
		look(3, 3)
		clock.Pass(-back)
		look(0, 3)
		clock.Pass(15*time.Minute - time.Second)
		look(1, 4)
		clock.Pass(time.Second)
		look(0, 0)
	}
}

func TestCounterIsBounded(t *testing.T) {
	c := identity.NewMemoryCounter(markettest.NewClock(time.Now()))
	add := func(key string) int {
		n, _, err := c.Count(t.Context(), key, time.Minute, 1)
		must(t, err)
		return n
	}
	add("old")
	add("touched")
	for i := range 100_000 - 1 {
		add(fmt.Sprint(i))
		if i == 50_000 && add("touched") != 2 {
			t.Error("touched was forgotten")
		}
	}
	if add("old") != 1 {
		t.Error("nothing was forgotten")
	}
	if add("touched") != 3 {
		t.Error("what was touched later was forgotten")
	}
}
