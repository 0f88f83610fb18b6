package api

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
	"secondring/market/fresh"
)

// TestWhoWaitedTakesWhatWasMadeMeanwhile has callers come while an answer is
// being made. It is theirs too, if nothing has changed after they came.
func TestWhoWaitedTakesWhatWasMadeMeanwhile(t *testing.T) {
	for name, want := range map[string]struct {
		change bool
		made   int
	}{"nothing changes": {false, 1}, "something changes": {true, 2}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				watch, made, goOn := fresh.New(), 0, make(chan struct{})
				kept := keeping{answers: newAnswers(watch, nil), subjects: [2]string{"a", "b"}}
				ask := func() {
					_, err := kept.get(t.Context(), answerKey{uri: "/x"}, func(context.Context) (*answer, error) {
						made++
						<-goOn
						return newAnswer("", []byte("{}")), nil
					})
					if err != nil {
						t.Error(err)
					}
				}
				var all sync.WaitGroup
				for range 5 {
					all.Go(ask)
					synctest.Wait()
				}
				if want.change {
					watch.Heard(market.Event{Topic: "b"})
				}
				close(goOn)
				all.Wait()
				if made != want.made {
					t.Errorf("it was made %d times, want %d", made, want.made)
				}
			})
		})
	}
}

// TestPiecesJoinToWhatAWholeListIs encodes lists of phones that change, by each
// of their views, more of them than are remembered.
func TestPiecesJoinToWhatAWholeListIs(t *testing.T) {
	var p pieces
	var all []market.Product
	for round := range 600 {
		phone := market.Product{ID: fmt.Sprint(round), Name: `"<1>" & ü`, Phone: "017", Version: int64(round)}
		if round%3 == 0 {
			phone.Hold = &market.Hold{Name: "Rahim"}
		}
		if all = append(all, phone); len(all) > 20 {
			all = all[1:]
		}
		changed := &all[round*7%len(all)]
		changed.Version, changed.ResalePrice = changed.Version+5000, round
		for _, view := range []productView{forVisitors, forSignedIn, forSeller} {
			views := make([]market.ProductView, 0, len(all))
			for _, phone := range all {
				views = append(views, view.of(phone))
			}
			want, err := json.Marshal(views)
			got, err2 := p.list(view, all)
			if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil || err2 != nil {
				t.Fatalf("%s: %v %v %s", view.name, err, err2, diff)
			}
		}
		if sum := len(p.young) + len(p.old); sum > 2*pieceBytes/pieceWeight {
			t.Fatalf("%d pieces are remembered", sum)
		}
	}
	if p.old == nil {
		t.Fatal("the bound was never met")
	}
	if got, err := p.list(forVisitors, nil); string(got) != "[]" || err != nil {
		t.Errorf("of nobody: %s, %v", got, err)
	}
}
