package datastore

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

// refusing creates no account, and counts how many were requested at the same time.
type refusing struct{ current, most, all atomic.Int64 }

func (r *refusing) CreateAccount(context.Context, string, string, string) (market.Account, error) {
	r.all.Add(1)
	r.most.Store(max(r.most.Load(), r.current.Add(1)))
	defer r.current.Add(-1)
	<-time.After(time.Second) // of the test's clock
	return market.Account{}, errors.New("no account")
}

// The password of each person is hashed, and one that waits too long for its turn fails.
func TestDemoAddsNoMorePeopleAtOnceThanCanBeHashed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r refusing
		s := &seeder{accounts: &r, people: map[string]market.Actor{}}
		if err := s.addPeople(t.Context(), make([]demo.Person, 40)); err == nil {
			t.Error("people were added without an account")
		}
		if most, all := r.most.Load(), r.all.Load(); most > int64(runtime.GOMAXPROCS(0)) || all != 40 {
			t.Errorf("%d of %d people were added at the same time, want at most %d of 40", most, all, runtime.GOMAXPROCS(0))
		}
	})
}
