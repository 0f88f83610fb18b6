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
)

func TestConcurrentGuessesAreLimited(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
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
		t.Errorf("responses by status: %v, want 10 of 401 and 30 of 429", count)
	}
}

func TestCorrectPasswordsAreNotCountedAsFailures(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
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
		e.browser().signUp(fmt.Sprintf("person%d@example.com", i), adaPass).wantStatus(201)
	}
	statuses := map[int]int{}
	for i := range 6 {
		for range 61 {
			statuses[e.browser().signIn(fmt.Sprintf("person%d@example.com", i), adaPass).Status]++
		}
	}
	if statuses[200] > 300 || statuses[200] < 280 || statuses[200]+statuses[429] != 6*61 {
		t.Errorf("responses by status: %v", statuses)
	}
	last := e.browser().signIn("person5@example.com", adaPass)
	last.wantError(429, "too_many_requests", "")
	if last.Header.Get("Retry-After") == "" {
		t.Error("the 429 has no Retry-After")
	}
	e.from("192.0.2.2").signIn("person5@example.com", adaPass).wantStatus(200)
	e.clock.Pass(time.Minute)
	e.browser().signIn("person5@example.com", adaPass).wantStatus(200)
}

// A sign-in above the limit does not wait for those that are running. Each is counted once.
func TestSignInAboveLimitIsRefusedAtOnce(t *testing.T) {
	e := newEnv(t)
	identity.HashCheaply(e.service)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	release := sync.OnceFunc(identity.HoldHashing(e.service))
	var all sync.WaitGroup
	defer all.Wait()
	defer release()
	statuses := make(chan int, 61)
	for range 61 {
		all.Go(func() { statuses <- e.browser().signIn(ada, adaPass).Status })
	}
	select {
	case status := <-statuses:
		if status != 429 {
			t.Errorf("the first response has status %d, want 429", status)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("no sign-in is refused while others are running")
	}
	release()
	for range 60 {
		if status := <-statuses; status != 200 {
			t.Errorf("status %d of a sign-in within the limit", status)
		}
	}
}

func TestUserHasAtMostTwentySessions(t *testing.T) {
	e := newEnv(t)
	identity.HashCheaply(e.service)
	first := e.member(ada)
	token := first.token(ada)
	for range 25 {
		e.clock.Pass(time.Second)
		e.browser().signIn(ada, adaPass).wantStatus(200)
	}
	sessions, err := e.store.SessionsOf(t.Context(), e.account(ada).UID)
	must(t, err)
	if len(sessions) != 20 {
		t.Errorf("%d sessions, want 20", len(sessions))
	}
	first.do("GET", "/identity/me", nil).wantStatus(401)
	e.wantTokenRefused(token)
}

func TestAddressIsLimitedToHundredFailures(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	for i := range 100 {
		e.browser().signIn(fmt.Sprintf("person%d@example.com", i), "a guess").wantStatus(401)
	}
	e.browser().signIn(ada, adaPass).wantStatus(429)
	e.from("192.0.2.2").signIn(ada, adaPass).wantStatus(200)
	e.clock.Pass(15 * time.Minute)
	e.browser().signIn(ada, adaPass).wantStatus(200)
}

func TestSignUpsAreLimitedPerAddress(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	for range 299 {
		e.browser().signUp(ada, adaPass).wantStatus(409)
	}
	a := e.browser().signUp("next@example.com", adaPass)
	a.wantError(429, "too_many_requests", "")
	if a.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After is %q", a.Header.Get("Retry-After"))
	}
	e.clock.Pass(time.Minute)
	e.browser().signUp("next@example.com", adaPass).wantStatus(201)
}

// Each new name of a seller changes all of their phones.
func TestRenamesAreLimited(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	rename := func(i int) response {
		return b.do("PATCH", "/identity/me", fields{"displayName": fmt.Sprint("Ada ", i)})
	}
	for i := range 30 {
		rename(i).wantStatus(200)
		rename(i).wantStatus(200) // the same name is not counted
	}
	a := rename(30)
	a.wantError(429, "too_many_requests", "")
	if a.Header.Get("Retry-After") != "3600" {
		t.Errorf("Retry-After is %q", a.Header.Get("Retry-After"))
	}
	user, err := e.store.UserByEmail(t.Context(), ada)
	must(t, err)
	if name := e.account(ada).DisplayName; name != "Ada 29" || user.Name != "Ada 29" {
		t.Errorf("after a refused change the names are %q and %q", name, user.Name)
	}
	b.do("PATCH", "/identity/me", fields{"displayName": "Ada 29", "photoURL": "/new.jpg"}).wantStatus(200)
	e.member("bob@example.com").do("PATCH", "/identity/me", fields{"displayName": "Bob"}).wantStatus(200)
	e.clock.Pass(time.Hour)
	rename(31).wantStatus(200)
}

// A request that was prepared before another change is counted too. Otherwise a person could
// keep many requests open and let them all change the name.
func TestPreparedRenamesAreCounted(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	statuses := map[int]int{}
	for range 31 {
		e.afterCookieCheck = func(ctx context.Context) { // another request sets another name
			in, _ := rest.CookieOwner(ctx)
			a := in.Account
			a.DisplayName = "Another"
			a.Version++
			must(t, e.store.SaveAccount(ctx, a, nil))
		}
		statuses[b.do("PATCH", "/identity/me", fields{"displayName": e.account(ada).DisplayName}).Status]++
		e.afterCookieCheck = nil
		a := e.account(ada)
		a.DisplayName = "Ada"
		a.Version++
		must(t, e.store.SaveAccount(t.Context(), a, nil))
	}
	if statuses[200] != 30 || statuses[429] != 1 {
		t.Errorf("responses by status: %v, want 30 of 200 and 1 of 429", statuses)
	}
}

// renameCounter changes the account before each count of a rename, so that the rename finds a
// conflict.
type renameCounter struct {
	*rest.MemoryCounter

	conflict func()
	counts   int
}

func (c *renameCounter) Count(ctx context.Context, key string, window time.Duration, n int) (int, time.Duration, error) {
	if strings.HasPrefix(key, "rename:") {
		c.conflict()
		c.counts++
	}
	return c.MemoryCounter.Count(ctx, key, window, n)
}

func TestRenameIsCountedOnceAfterConflict(t *testing.T) {
	c := &renameCounter{}
	e := newEnv(t, func(config *identity.Config) {
		c.MemoryCounter = rest.NewMemoryCounter(config.Clock)
		config.Counter = c
	})
	c.conflict = func() {
		a := e.account(ada)
		a.PhotoURL = "/new.jpg"
		a.Version++
		must(t, e.store.SaveAccount(t.Context(), a, nil))
	}
	got := e.member(ada).do("PATCH", "/identity/me", fields{"displayName": "Ada Lovelace"}).wantStatus(200)
	if got["displayName"] != "Ada Lovelace" || got["photoURL"] != e.server.URL+"/new.jpg" || c.counts != 1 {
		t.Errorf("the response is %v after %d counts, want 1", got, c.counts)
	}
}

func TestLimitsCanBeOff(t *testing.T) {
	e := newEnv(t, func(c *identity.Config) { c.Unlimited = true })
	b := e.member(ada)
	for i := range 31 {
		b.do("PATCH", "/identity/me", fields{"displayName": fmt.Sprint("Ada ", i)}).wantStatus(200)
	}
	for range 15 {
		e.browser().signIn(ada, "a guess").wantStatus(401)
	}
	e.browser().signIn(ada, adaPass).wantStatus(200)
}

// brokenCounter is a counter whose server is unavailable.
type brokenCounter struct{}

func (brokenCounter) Count(context.Context, string, time.Duration, int) (int, time.Duration, error) {
	return 0, 0, errors.New("the counter is down")
}

func TestSignInFailsWithoutCounter(t *testing.T) {
	e := newEnv(t, func(c *identity.Config) { c.Counter = brokenCounter{} })
	a := e.browser().signIn(ada, adaPass)
	if a.wantStatus(500); strings.Contains(a.Body, "counter") {
		t.Errorf("the response shows the error: %s", a.Body)
	}
	e.browser().signUp(ada, adaPass).wantStatus(500)
}
