package market_test

import (
	"context"
	"errors"
	"testing"

	"secondring/market"
	"secondring/market/markettest"
)

// withoutThreads is a store whose process is killed when it changes a thread.
type withoutThreads struct{ market.Store }

func (withoutThreads) SaveThread(context.Context, market.Thread, []market.Effect) error {
	return errCrash
}

func (e *env) follow() {
	e.t.Helper()
	e.must(markettest.Runner(e.clock, e.AddConversations).Step(e.ctx))
}

func (e *env) storedThread(id string) market.Thread {
	e.t.Helper()
	t, err := e.store.Thread(e.ctx, id)
	e.must(err)
	return t
}

// A thread whose version has not risen keeps what a screen shows of it.
func TestThreadFollowsABlockAfterACrash(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	thread, err := e.StartThread(e.ctx, buyer, market.MessageRequest{ProductID: e.phone(seller).ID, Text: "Any scratches?"})
	e.must(err)
	crashing := market.New(withoutThreads{e.store}, e.clock, defaultRules, e.bank)
	for _, step := range []struct {
		isBlocked bool
		change    func(context.Context, market.Actor, string) (int, error)
	}{{true, crashing.Block}, {false, crashing.Unblock}} {
		before := e.storedThread(thread.ID).Version
		if _, err := step.change(e.ctx, seller, thread.ID); !errors.Is(err, errCrash) {
			t.Fatalf("the change returned %v, want a crash", err)
		}
		e.follow()
		got, err := e.Thread(e.ctx, seller, thread.ID)
		e.must(err)
		if got.Blocked != step.isBlocked || got.Version <= before {
			t.Errorf("after the crash the seller's thread is %+v, want version %d at least, blocked %v", got, before+1, step.isBlocked)
		}
		e.follow()
		if again := e.storedThread(thread.ID).Version; again != got.Version {
			t.Errorf("the thread has followed twice: version %d, want %d", again, got.Version)
		}
	}
}

func TestThreadFollowsThePeople(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	thread, err := e.StartThread(e.ctx, buyer, market.MessageRequest{ProductID: e.phone(seller).ID, Text: "Any scratches?"})
	e.must(err)
	_, err = e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{})
	e.must(err)
	e.follow()
	if got := e.storedThread(thread.ID).Version; got != thread.Version+1 {
		t.Errorf("after the verification the thread has the version %d, want %d", got, thread.Version+1)
	}
	e.must(e.Rename(e.ctx, buyer.User.UID, "Robert"))
	e.follow()
	if got := e.storedThread(thread.ID).Version; got != thread.Version+2 {
		t.Errorf("after the new name the thread has the version %d, want %d", got, thread.Version+2)
	}
}
