package apitest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"secondring/market"
)

func (p *person) watches(phone string) answer {
	return p.do(http.MethodPut, "/watches/"+phone, nil)
}

func (p *person) saves(name string, query any) answer {
	return p.do(http.MethodPost, "/searches", fields{"name": name, "query": query})
}

func TestWatches(t *testing.T) {
	w := newEnv(t)
	seller, buyer, other := w.seller("Sue"), w.buyer("Bob"), w.buyer("Ann")
	brand := w.brand("Nokia")
	var phones []string
	for range 3 {
		phones = append(phones, seller.sells(brand))
		w.clock.Pass(time.Millisecond)
		if got := buyer.watches(phones[len(phones)-1]).is(http.StatusOK).object(); got["acknowledged"] != true || got["insertedId"] != phones[len(phones)-1] {
			t.Errorf("watched: %v", got)
		}
	}
	slices.Reverse(phones)

	t.Run("the same again is the same", func(t *testing.T) {
		buyer.watches(phones[2]).is(http.StatusOK)
		if got := buyer.walk("/watches?limit=2", nil); !slices.Equal(got, phones) {
			t.Errorf("the list is %v, want %v", got, phones)
		}
	})
	t.Run("the list has phones as signed-in readers see them", func(t *testing.T) {
		list := buyer.get("/watches").is(http.StatusOK)
		if total := list.Header.Get("X-Total-Count"); total != "3" {
			t.Errorf("the total is %s", total)
		}
		if p := list.product(phones[0]); p["phone"] == nil || p["resalePrice"] != 120.0 || p["waiting"] != 0.0 {
			t.Errorf("the phone: %v", p)
		}
		if got := other.get("/watches").items(); len(got) != 0 {
			t.Errorf("another watches %v", got)
		}
	})
	t.Run("a sold phone stays, a removed one leaves", func(t *testing.T) {
		p, err := w.store.Product(t.Context(), phones[0])
		must(t, err)
		p.Hold, p.Sold, p.Version = &market.Hold{BookingID: "b", At: w.clock.Now(), Until: w.clock.Now()}, true, p.Version+1
		must(t, w.store.SaveProduct(t.Context(), p, nil))
		seller.do(http.MethodDelete, "/products/"+phones[1], nil).count("deletedCount", 1)
		list := buyer.get("/watches")
		if got := list.ids(); !slices.Equal(got, []string{phones[0], phones[2]}) || list.product(phones[0])["sold"] != true {
			t.Errorf("the list: %s", list.body)
		}
		if total := list.Header.Get("X-Total-Count"); total != "2" {
			t.Errorf("the total is %s", total)
		}
		buyer.do(http.MethodDelete, "/watches/"+phones[1], nil).count("deletedCount", 1)
	})
	t.Run("deletedCount is 0 for an unwatched phone, 404 for an unknown one", func(t *testing.T) {
		buyer.do(http.MethodDelete, "/watches/"+phones[0], nil).count("deletedCount", 1)
		buyer.do(http.MethodDelete, "/watches/"+phones[0], nil).count("deletedCount", 0)
		buyer.do(http.MethodDelete, "/watches/"+phones[1], nil).refused(http.StatusNotFound, market.CodeNotFound)
		buyer.watches("none").refused(http.StatusNotFound, market.CodeNotFound)
	})
}

func TestWatchesAreLimited(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	brand := w.brand("Nokia")
	var phones []string
	for range 200 {
		phones = append(phones, seller.sells(brand))
		buyer.watches(phones[len(phones)-1]).is(http.StatusOK)
	}
	one := seller.sells(brand)
	buyer.watches(one).refused(http.StatusConflict, market.CodeTooMany)
	buyer.watches(phones[7]).is(http.StatusOK)
	seller.do(http.MethodDelete, "/products/"+phones[3], nil).count("deletedCount", 1)
	buyer.watches(one).is(http.StatusOK) // a removed phone is not counted
}

func TestSavedSearches(t *testing.T) {
	w := newEnv(t)
	buyer, other := w.buyer("Bob"), w.buyer("Ann")
	brand := w.brand("Nokia")
	first := buyer.saves(" Cheap ones ", "q=pixel 7&maxPrice=300&sort=price-up").is(http.StatusOK)
	if first.object()["acknowledged"] != true || first.id() == "" {
		t.Errorf("saved: %s", first.body)
	}

	t.Run("the same query again is the same search, also as an object and in another order", func(t *testing.T) {
		for _, query := range []any{"?maxPrice=300&q=Pixel+7&limit=9", map[string]any{"q": "pixel 7", "maxPrice": 300}} {
			if got := buyer.saves("Another name", query).is(http.StatusOK).id(); got != first.id() {
				t.Errorf("%v is %s, want %s", query, got, first.id())
			}
		}
	})
	t.Run("the list has the query as parameters of a search", func(t *testing.T) {
		w.clock.Pass(time.Millisecond)
		second := buyer.saves("Mine", fields{
			"brand": []string{brand.ID}, "condition": "Good,Fair", "verified": true, "available": "false", "location": "Dhaka", "minStorage": 64, "minPrice": nil,
		}).is(http.StatusOK).id()
		list := buyer.get("/searches").is(http.StatusOK)
		want := []string{
			"brand=" + brand.ID + "&condition=Good&condition=Fair&minStorage=64&location=Dhaka&verified=true&available=false",
			"q=pixel+7&maxPrice=300&sort=price-up",
		}
		for i, s := range list.items() {
			if s["query"] != want[i] || s["version"] != 1.0 || s["createdAt"] == nil || len(s) != 5 {
				t.Errorf("the search: %v, want %s", s, want[i])
			}
			buyer.get("/products/search?" + s["query"].(string)).is(http.StatusOK)
		}
		if got := list.items()[1]["name"]; got != "Cheap ones" || list.Header.Get("X-Total-Count") != "2" {
			t.Errorf("the first is called %v of %s", got, list.Header.Get("X-Total-Count"))
		}
		if got := buyer.walk("/searches?limit=1", nil); !slices.Equal(got, []string{second, first.id()}) {
			t.Errorf("page by page: %v", got)
		}
	})
	t.Run("422 with the invalid fields", func(t *testing.T) {
		buyer.saves("", "q=x").invalid("name")
		buyer.saves("x", "").invalid("query")
		buyer.saves("x", "sort=saving").invalid("query")
		buyer.saves("x", 7).invalid("query")
		buyer.saves("x", []string{"q=x"}).invalid("query")
		buyer.saves("x", "q=%zz").invalid("query")
		buyer.saves("x", "maxPrice=much&condition=Mint").invalid("query.maxPrice", "query.condition")
		buyer.saves("x", fields{"minPrice": 1.5, "q": fields{}}).invalid("query.minPrice")
	})
	t.Run("only the owner deletes it", func(t *testing.T) {
		other.do(http.MethodDelete, "/searches/"+first.id(), nil).refused(http.StatusNotFound, market.CodeNotFound)
		buyer.do(http.MethodDelete, "/searches/"+first.id(), nil).count("deletedCount", 1)
		buyer.do(http.MethodDelete, "/searches/"+first.id(), nil).refused(http.StatusNotFound, market.CodeNotFound)
	})
	t.Run("20 at most, however many are saved at once", func(t *testing.T) {
		statuses := make(chan int)
		for i := range 30 {
			go func() {
				statuses <- other.saves("x", "q="+url.QueryEscape(fmt.Sprint("word ", i))).StatusCode
			}()
		}
		saved := 0
		for range 30 {
			if <-statuses == http.StatusOK {
				saved++
			}
		}
		other.saves("x", "q=more").refused(http.StatusConflict, market.CodeTooMany)
		if got := other.get("/searches").items(); saved != 20 || len(got) != 20 {
			t.Errorf("%d were saved, %d are listed", saved, len(got))
		}
	})
}

// A change of watched phones reaches all browser windows of the person, and nobody else.
func TestWatchingIsLive(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	phone := seller.sells(w.brand("Nokia"))
	w.settle()
	before := buyer.get("/watching").is(http.StatusOK)
	if got := before.object(); len(got) != 2 || got["version"] != 0.0 || len(got["phones"].([]any)) != 0 {
		t.Errorf("before: %v", got)
	}
	buyer.watches(phone).is(http.StatusOK)
	search := buyer.saves("x", "q=nokia").id()
	w.settle()
	window := buyer.live(t)
	window.from(before)
	window.until(func(f frame) bool { return len(f.Events) > 0 })
	seen := window.seen
	window.expectEvents("watch.changed", "search.changed")
	if now := buyer.get("/watching").object(); fmt.Sprint(seen[0].Data["phones"]) != fmt.Sprint(now["phones"]) || seen[0].Data["version"] != 1.0 || now["version"] != 2.0 {
		t.Errorf("the event has %v, the call %v", seen[0].Data, now)
	}
	if now := buyer.get("/searches").items()[0]; fmt.Sprint(seen[1].Data) != fmt.Sprint(now) {
		t.Errorf("the event has %v, the list %v", seen[1].Data, now)
	}
	buyer.do(http.MethodDelete, "/watches/"+phone, nil).count("deletedCount", 1)
	buyer.do(http.MethodDelete, "/searches/"+search, nil).count("deletedCount", 1)
	w.settle()
	for len(window.seen) < 2 {
		window.until(func(f frame) bool { return len(f.Events) > 0 })
	}
	gone := window.seen
	window.expectEvents("watch.changed", "search.changed")
	if left := gone[0].Data; len(left["phones"].([]any)) != 0 || left["version"] != 3.0 || left["_id"] != seen[0].Data["_id"] {
		t.Errorf("unwatched: %v", left)
	}
	if data := gone[1].Data; len(data) != 2 || data["_id"] != search || data["version"] != 2.0 {
		t.Errorf("deleted: %v", data)
	}
}

// People who watch a phone, and people with a saved search for it, get notifications on
// their open screens.
func TestWatchersAndSearchersAreNotified(t *testing.T) {
	w := newEnv(t)
	seller, buyer := w.seller("Sue"), w.buyer("Bob")
	brand := w.brand("Nokia")
	buyer.saves("Cheap ones", fields{"brand": brand.ID, "maxPrice": 200}).is(http.StatusOK)
	w.settle()
	window := buyer.live(t)
	window.from(buyer.get("/notifications").is(http.StatusOK))
	phone := seller.sells(brand)
	w.settle()
	window.expectEvents("notification.added")
	buyer.watches(phone).is(http.StatusOK)
	seller.do(http.MethodPatch, "/products/"+phone, fields{"resalePrice": 99}).count("modifiedCount", 1)
	w.clock.Pass(time.Millisecond)
	w.settle()
	window.expectEvents("watch.changed", "notification.added")
	list := buyer.get("/notifications").is(http.StatusOK)
	got := list.items()
	if len(got) != 2 || got[0]["kind"] != "price" || got[1]["kind"] != "match" || list.Header.Get("X-Unread-Count") != "2" {
		t.Errorf("told: %s", list.body)
	}
	if subject, hasSubject := got[0]["subject"]; got[1]["subject"] != "Cheap ones" || hasSubject {
		t.Errorf("the subjects are %v of the match and %v of the price", got[1]["subject"], subject)
	}
	for _, n := range got {
		if n["link"] != "/phone/"+phone {
			t.Errorf("the link of %v", n)
		}
	}
	if notifications := seller.get("/notifications").items(); len(notifications) != 0 {
		t.Errorf("the seller was notified: %v", notifications)
	}
}
