package identity

import (
	"context"
	"strings"

	"github.com/alexedwards/argon2id"

	"secondring/market"
)

// CountHashes returns a function that returns how many passwords the service has checked at
// the full cost. That is more reliable than a measurement of time.
func CountHashes(s *Service) func() int {
	count := make(chan int, 1)
	count <- 0
	compare := s.hash.compare
	s.hash.compare = func(password, hash string) (bool, error) {
		if params, _, _, err := argon2id.DecodeHash(hash); err == nil && *params == argonParams {
			count <- <-count + 1
		}
		return compare(password, hash)
	}
	return func() int {
		n := <-count
		count <- 0
		return n
	}
}

// HashCheaply makes the service's hashes cheap, for tests of many sign-ins.
func HashCheaply(s *Service) {
	s.hash.params.Memory, s.hash.params.Iterations = 64, 1
	s.hash.dummy = strings.Replace(dummyHash, "m=19456,t=2", "m=64,t=1", 1)
}

// HoldHashing takes all hashing slots until release is called.
func HoldHashing(s *Service) (release func()) {
	for range cap(s.hash.slots) {
		s.hash.slots <- struct{}{}
	}
	return func() {
		for range cap(s.hash.slots) {
			<-s.hash.slots
		}
	}
}

// MatchesBusy checks a password while all hashing slots are taken.
func MatchesBusy(password string) (bool, error) {
	s := &Service{hash: newHasher()}
	HoldHashing(s)
	return s.hash.matches(context.Background(), "", password)
}

// Matches checks a password against a stored hash.
func Matches(s *Service, encoded, password string) (bool, error) {
	return s.hash.matches(context.Background(), encoded, password)
}

// TokenKey returns the key that signs access tokens.
func TokenKey(s *Service) []byte { return s.tokens.key }

// ReturnTo calls returnTo.
func ReturnTo(asked string) string { return returnTo(asked) }

// Cached returns the user of an access token that is in the cache.
func Cached(s *Service, token string) (market.User, bool) {
	entry, ok := s.cached(token)
	if !ok {
		return market.User{}, false
	}
	return entry.actor.User, true
}
