package market_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"secondring/market"
)

func TestAdminsKeepTexts(t *testing.T) {
	e := newEnv(t)
	admin, other := e.admin(), e.admin()
	keep := func(who market.Actor, version int, texts ...string) (int, error) {
		return e.KeepTexts(e.ctx, who, market.KeptTextsRequest{Texts: texts, Version: &version})
	}
	want := func(version int64, texts ...string) {
		t.Helper()
		got, err := e.KeptTexts(e.ctx, other)
		if e.must(err); got.Texts == nil || got.Version != version || !slices.Equal(got.Texts, texts) {
			t.Errorf("the texts are %+v, want %d, %q", got, version, texts)
		}
	}
	_, err := e.KeptTexts(e.ctx, e.buyer())
	e.wantCode(err, market.CodeForbidden)
	_, err = keep(e.seller(), 0, "Stolen")
	e.wantCode(err, market.CodeForbidden)
	want(0)
	for _, step := range []struct {
		version int
		texts   []string
		changed int
	}{{0, []string{"Stolen"}, 1}, {0, []string{"Stolen"}, 0}, {1, []string{"Fake", "Stolen"}, 1}, {2, []string{}, 1}} {
		n, err := keep(admin, step.version, step.texts...)
		if e.must(err); n != step.changed {
			t.Errorf("%q changed %d, want %d", step.texts, n, step.changed)
		}
	}
	want(3)
	_, err = keep(other, 2, "Old")
	e.wantCode(err, market.CodeConflict)
	want(3)
}

func TestKeptTextsAreBounded(t *testing.T) {
	e := newEnv(t)
	admin := e.admin()
	for field, in := range map[string]market.KeptTextsRequest{
		"version":  {Texts: []string{"a"}},
		"texts":    {Version: new(0)},
		"texts[1]": {Version: new(0), Texts: []string{"a", " "}},
		"texts[0]": {Version: new(0), Texts: []string{strings.Repeat("a", 501)}},
	} {
		_, err := e.KeepTexts(e.ctx, admin, in)
		e.wantInvalid(err, field)
	}
	_, err := e.KeepTexts(e.ctx, admin, market.KeptTextsRequest{Version: new(0), Texts: slices.Repeat([]string{"a"}, 51)})
	e.wantInvalid(err, "texts")
}

func TestOfConcurrentChangesOfTextsOneWins(t *testing.T) {
	e := newEnv(t)
	admin := e.admin()
	for version := range 2 { // the first change adds the record
		var group sync.WaitGroup
		results := make([]error, 8)
		for i := range results {
			group.Go(func() {
				_, results[i] = e.KeepTexts(e.ctx, admin, market.KeptTextsRequest{Version: &version, Texts: []string{strings.Repeat("a", 1+i+8*version)}})
			})
		}
		group.Wait()
		won := 0
		for _, err := range results {
			if err == nil {
				won++
			} else if market.CodeOf(err) != market.CodeConflict {
				t.Error(err)
			}
		}
		if won != 1 {
			t.Errorf("%d changes of version %d were stored, want 1", won, version)
		}
	}
}
