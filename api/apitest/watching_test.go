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

func (p *person) watch(phone string) response {
	return p.do(http.MethodPut, "/watches/"+phone, nil)
}

func (p *person) saveSearch(name string, query any) response {
	return p.do(http.MethodPost, "/searches", fields{"name": name, "query": query})
}

func TestWatches(t *testing.T) {
	e := newEnv(t)
	seller, buyer, other := e.seller("Sue"), e.buyer("Bob"), e.buyer("Ann")
	brand := e.brand("Nokia")
	var phones []string
	for range 3 {
		phones = append(phones, seller.addPhone(brand))
		e.clock.Pass(time.Millisecond)
		if got := buyer.watch(phones[len(phones)-1]).wantStatus(http.StatusOK).object(); got["acknowledged"] != true || got["insertedId"] != phones[len(phones)-1] {
			t.Errorf("the response is %v", got)
		}
	}
	slices.Reverse(phones)

	t.Run("200 for a watched phone, without a second entry", func(t *testing.T) {
		buyer.watch(phones[2]).wantStatus(http.StatusOK)
		if got := buyer.listIDs("/watches?limit=2", nil); !slices.Equal(got, phones) {
			t.Errorf("the list is %v, want %v", got, phones)
		}
	})
	t.Run("200 with the phones as signed-in users see them", func(t *testing.T) {
		list := buyer.get("/watches").wantStatus(http.StatusOK)
		if total := list.Header.Get("X-Total-Count"); total != "3" {
			t.Errorf("X-Total-Count is %s", total)
		}
		if p := list.product(phones[0]); p["phone"] == nil || p["resalePrice"] != 120.0 || p["waiting"] != 0.0 {
			t.Errorf("the phone is %v", p)
		}
		if got := other.get("/watches").items(); len(got) != 0 {
			t.Errorf("another buyer watches %v", got)
		}
	})
	t.Run("200 with sold phones, without deleted ones", func(t *testing.T) {
		p, err := e.store.Product(t.Context(), phones[0])
		must(t, err)
		p.Hold, p.Sold, p.Version = &market.Hold{BookingID: "b", At: e.clock.Now(), Until: e.clock.Now()}, true, p.Version+1
		must(t, e.store.SaveProduct(t.Context(), p, nil))
		seller.do(http.MethodDelete, "/products/"+phones[1], nil).wantCount("deletedCount", 1)
		list := buyer.get("/watches")
		if got := list.ids(); !slices.Equal(got, []string{phones[0], phones[2]}) || list.product(phones[0])["sold"] != true {
			t.Errorf("the list is %s, want a sold and an available phone", list.body)
		}
		if total := list.Header.Get("X-Total-Count"); total != "2" {
			t.Errorf("X-Total-Count is %s", total)
		}
		buyer.do(http.MethodDelete, "/watches/"+phones[1], nil).wantCount("deletedCount", 1)
	})
	t.Run("200 with 0 for an unwatched phone, 404 for an unknown one", func(t *testing.T) {
		buyer.do(http.MethodDelete, "/watches/"+phones[0], nil).wantCount("deletedCount", 1)
		buyer.do(http.MethodDelete, "/watches/"+phones[0], nil).wantCount("deletedCount", 0)
		buyer.do(http.MethodDelete, "/watches/"+phones[1], nil).wantError(http.StatusNotFound, market.CodeNotFound)
		buyer.watch("none").wantError(http.StatusNotFound, market.CodeNotFound)
	})
}

func TestOnlyTheSellerSeesWatchersAndWhenThePhoneWasListed(t *testing.T) {
	e := newEnv(t)
	seller, buyer, admin := e.seller("Sue"), e.buyer("Bob"), e.admin("Root")
	brand := e.brand("Nokia")
	phone := seller.addPhone(brand)
	stored, err := e.store.Product(t.Context(), phone)
	must(t, err)
	listed := stored.CreatedAt.Format(time.RFC3339Nano)
	list := "/products?email=" + url.QueryEscape(seller.user.Email)
	seller.get(list).wantStatus(http.StatusOK) // it is cached
	buyer.watch(phone).wantStatus(http.StatusOK)
	e.clock.Pass(time.Second)
	e.runDueWork()
	for _, p := range []map[string]any{seller.get(list).product(phone), seller.get("/products/" + phone).object()} {
		if p["watchers"] != 1.0 || p["listedAt"] != listed {
			t.Errorf("the seller sees %v watchers, listed at %v, want 1 and %v", p["watchers"], p["listedAt"], listed)
		}
	}
	others := map[string]map[string]any{
		"the admin's list": admin.get(list).product(phone), "the admin's phone": admin.get("/products/" + phone).object(),
		"the buyer's phone": buyer.get("/products/" + phone).object(), "the visitor's phone": e.visitor().get("/products/" + phone).object(),
		"the watched phones": buyer.get("/watches").product(phone), "the brand's list for its seller": seller.get("/categories/" + brand.ID).product(phone),
	}
	for where, p := range others {
		if p["name"] == nil || p["watchers"] != nil || p["listedAt"] != nil {
			t.Errorf("%s has %v", where, p)
		}
	}
}

func TestWatchesAreLimited(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	var phones []string
	for range 200 {
		phones = append(phones, seller.addPhone(brand))
		buyer.watch(phones[len(phones)-1]).wantStatus(http.StatusOK)
	}
	phone := seller.addPhone(brand)
	buyer.watch(phone).wantError(http.StatusConflict, market.CodeTooMany)
	buyer.watch(phones[7]).wantStatus(http.StatusOK)
	seller.do(http.MethodDelete, "/products/"+phones[3], nil).wantCount("deletedCount", 1)
	buyer.watch(phone).wantStatus(http.StatusOK) // the limit does not count deleted phones
}

func TestSavedSearches(t *testing.T) {
	e := newEnv(t)
	buyer, other := e.buyer("Bob"), e.buyer("Ann")
	brand := e.brand("Nokia")
	first := buyer.saveSearch(" Cheap ones ", "q=pixel 7&maxPrice=300&sort=price-up").wantStatus(http.StatusOK)
	if first.object()["acknowledged"] != true || first.insertedID() == "" {
		t.Errorf("the response is %s", first.body)
	}

	t.Run("200 with the same search for the same query, also as an object and in another order", func(t *testing.T) {
		for _, query := range []any{"?maxPrice=300&q=Pixel+7&limit=9", map[string]any{"q": "pixel 7", "maxPrice": 300}} {
			if got := buyer.saveSearch("Another name", query).wantStatus(http.StatusOK).insertedID(); got != first.insertedID() {
				t.Errorf("the query %v returns the search %s, want %s", query, got, first.insertedID())
			}
		}
	})
	t.Run("200 with the queries as parameters of GET /products/search", func(t *testing.T) {
		e.clock.Pass(time.Millisecond)
		second := buyer.saveSearch("Mine", fields{
			"brand": []string{brand.ID}, "condition": "Good,Fair", "verified": true, "available": "false", "location": "Dhaka", "minStorage": 64, "minPrice": nil,
		}).wantStatus(http.StatusOK).insertedID()
		list := buyer.get("/searches").wantStatus(http.StatusOK)
		want := []string{
			"brand=" + brand.ID + "&condition=Good&condition=Fair&minStorage=64&location=Dhaka&verified=true&available=false",
			"q=pixel+7&maxPrice=300&sort=price-up",
		}
		for i, s := range list.items() {
			if s["query"] != want[i] || s["version"] != 1.0 || s["createdAt"] == nil || len(s) != 5 {
				t.Errorf("the search is %v, want the query %s", s, want[i])
			}
			buyer.get("/products/search?" + s["query"].(string)).wantStatus(http.StatusOK)
		}
		if got := list.items()[1]["name"]; got != "Cheap ones" || list.Header.Get("X-Total-Count") != "2" {
			t.Errorf("the first search has the name %v, and X-Total-Count is %s", got, list.Header.Get("X-Total-Count"))
		}
		if got := buyer.listIDs("/searches?limit=1", nil); !slices.Equal(got, []string{second, first.insertedID()}) {
			t.Errorf("the pages have the searches %v", got)
		}
	})
	t.Run("422 with the invalid fields", func(t *testing.T) {
		buyer.saveSearch("", "q=x").wantInvalid("name")
		buyer.saveSearch("x", "").wantInvalid("query")
		buyer.saveSearch("x", "sort=saving").wantInvalid("query")
		buyer.saveSearch("x", 7).wantInvalid("query")
		buyer.saveSearch("x", []string{"q=x"}).wantInvalid("query")
		buyer.saveSearch("x", "q=%zz").wantInvalid("query")
		buyer.saveSearch("x", "maxPrice=much&condition=Mint").wantInvalid("query.maxPrice", "query.condition")
		buyer.saveSearch("x", fields{"minPrice": 1.5, "q": fields{}}).wantInvalid("query.minPrice")
	})
	t.Run("404 for others, 200 for the owner, then 404", func(t *testing.T) {
		other.do(http.MethodDelete, "/searches/"+first.insertedID(), nil).wantError(http.StatusNotFound, market.CodeNotFound)
		buyer.do(http.MethodDelete, "/searches/"+first.insertedID(), nil).wantCount("deletedCount", 1)
		buyer.do(http.MethodDelete, "/searches/"+first.insertedID(), nil).wantError(http.StatusNotFound, market.CodeNotFound)
	})
	t.Run("409 above 20 searches, also for concurrent requests", func(t *testing.T) {
		statuses := make(chan int)
		for i := range 30 {
			go func() {
				statuses <- other.saveSearch("x", "q="+url.QueryEscape(fmt.Sprint("word ", i))).StatusCode
			}()
		}
		saved := 0
		for range 30 {
			if <-statuses == http.StatusOK {
				saved++
			}
		}
		other.saveSearch("x", "q=more").wantError(http.StatusConflict, market.CodeTooMany)
		if got := other.get("/searches").items(); saved != 20 || len(got) != 20 {
			t.Errorf("%d searches are saved and %d are listed, want 20", saved, len(got))
		}
	})
}

// All clients of a person get events about changes of the watched phones and searches.
func TestWatchingIsLive(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(e.brand("Nokia"))
	e.runDueWork()
	before := buyer.get("/watching").wantStatus(http.StatusOK)
	if got := before.object(); len(got) != 2 || got["version"] != 0.0 || len(got["phones"].([]any)) != 0 {
		t.Errorf("before the changes the watched phones are %v", got)
	}
	buyer.watch(phone).wantStatus(http.StatusOK)
	search := buyer.saveSearch("x", "q=nokia").insertedID()
	e.runDueWork()
	socket := buyer.connect(t)
	socket.subscribe(before)
	added := socket.readEvents(2)
	socket.wantEvents("watch.changed", "search.changed")
	if now := buyer.get("/watching").object(); fmt.Sprint(added[0].Data["phones"]) != fmt.Sprint(now["phones"]) || added[0].Data["version"] != 1.0 || now["version"] != 2.0 {
		t.Errorf("the event has %v, GET /watching has %v", added[0].Data, now)
	}
	if now := buyer.get("/searches").items()[0]; fmt.Sprint(added[1].Data) != fmt.Sprint(now) {
		t.Errorf("the event has %v, GET /searches has %v", added[1].Data, now)
	}
	buyer.do(http.MethodDelete, "/watches/"+phone, nil).wantCount("deletedCount", 1)
	buyer.do(http.MethodDelete, "/searches/"+search, nil).wantCount("deletedCount", 1)
	e.runDueWork()
	removed := socket.readEvents(2)
	socket.wantEvents("watch.changed", "search.changed")
	if left := removed[0].Data; len(left["phones"].([]any)) != 0 || left["version"] != 3.0 || left["_id"] != added[0].Data["_id"] {
		t.Errorf("the event about the watched phones has %v", left)
	}
	if data := removed[1].Data; len(data) != 2 || data["_id"] != search || data["version"] != 2.0 {
		t.Errorf("the event about the deleted search has %v", data)
	}
}

// People who watch a phone, and people with a saved search for it, get notifications as
// events.
func TestWatchersAndSearchersAreNotified(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	buyer.saveSearch("Cheap ones", fields{"brand": brand.ID, "maxPrice": 200}).wantStatus(http.StatusOK)
	e.runDueWork()
	socket := buyer.connect(t)
	socket.subscribe(buyer.get("/notifications").wantStatus(http.StatusOK))
	phone := seller.addPhone(brand)
	e.runDueWork()
	socket.wantEvents("notification.added")
	buyer.watch(phone).wantStatus(http.StatusOK)
	seller.do(http.MethodPatch, "/products/"+phone, fields{"resalePrice": 99}).wantCount("modifiedCount", 1)
	e.clock.Pass(time.Millisecond)
	e.runDueWork()
	socket.wantEvents("watch.changed", "notification.added")
	list := buyer.get("/notifications").wantStatus(http.StatusOK)
	got := list.items()
	if len(got) != 2 || got[0]["kind"] != "price" || got[1]["kind"] != "match" || list.Header.Get("X-Unread-Count") != "2" {
		t.Errorf("the notifications are %s, want a price and a match", list.body)
	}
	if subject, hasSubject := got[0]["subject"]; got[1]["subject"] != "Cheap ones" || hasSubject {
		t.Errorf("the subjects are %v of the match and %v of the price", got[1]["subject"], subject)
	}
	for _, n := range got {
		if n["link"] != "/phone/"+phone {
			t.Errorf("the notification %v has another link than the phone", n)
		}
	}
	if notifications := seller.get("/notifications").items(); len(notifications) != 0 {
		t.Errorf("the seller has the notifications %v, want none", notifications)
	}
}
