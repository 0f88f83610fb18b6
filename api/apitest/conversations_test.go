package apitest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

var firstPage = market.Page{Limit: 200}

func TestConversation(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.verified("Sue"), e.buyer("Bob")
	phone := seller.addPhone(e.brand("Nokia"))
	id := buyer.ask(phone, "Any scratches?").insertedID()
	if again := buyer.ask(phone, "I mean on the screen").insertedID(); again != id {
		t.Errorf("the second question begins the thread %s, want %s", again, id)
	}

	got := seller.thread(id)
	if got["unread"] != 2.0 || got["role"] != "seller" || got["closed"] != false || got["blocked"] != false {
		t.Errorf("the seller's thread is %v", got)
	}
	last, with, product := got["last"].(map[string]any), got["with"].(map[string]any), got["product"].(map[string]any)
	if last["text"] != "I mean on the screen" || last["mine"] != false || with["name"] != "Bob" || product["name"] != "Nexus 5" {
		t.Errorf("the seller's thread is %v", got)
	}
	list := seller.get("/threads")
	if n := len(list.items()); n != 1 || list.Header.Get("X-Unread-Count") != "1" || list.Header.Get("X-Total-Count") != "1" {
		t.Errorf("the seller has %d threads, unread %s, total %s", n, list.Header.Get("X-Unread-Count"), list.Header.Get("X-Total-Count"))
	}
	e.runDueWork()
	if kinds := notificationsOf(seller); !slices.Equal(kinds, []string{"message", "verified"}) {
		t.Errorf("the seller has the notifications %v, want one of both messages", kinds)
	}

	seller.do(http.MethodPut, "/threads/"+id+"/read", fields{"upTo": e.messagesOf(id)[1]}).wantCount("modifiedCount", 1)
	if got := seller.thread(id); got["unread"] != 1.0 {
		t.Errorf("after one was read the thread is %v", got)
	}
	seller.do(http.MethodPut, "/threads/"+id+"/read", fields{"upTo": e.messagesOf(id)[0]}).wantCount("modifiedCount", 1)
	seller.do(http.MethodPut, "/threads/"+id+"/read", fields{"upTo": e.messagesOf(id)[0]}).wantCount("modifiedCount", 0)
	if unread := seller.get("/notifications").Header.Get("X-Unread-Count"); unread != "1" { // verified
		t.Errorf("after the messages were read, %s notifications are unread", unread)
	}
	seller.say(id, "None at all").insertedID()
	want := []string{"theirs text: None at all", "mine text: I mean on the screen", "mine text: Any scratches?"}
	if got := buyer.texts(id); !slices.Equal(got, want) {
		t.Errorf("the buyer reads %q, want %q", got, want)
	}
	if w := buyer.thread(id)["with"].(map[string]any); w["verified"] != true || w["name"] != "Sue" {
		t.Errorf("the buyer talks with %v", w)
	}
}

// notificationsOf returns the kinds of a person's notifications, the newest first.
func notificationsOf(p *person) (kinds []string) {
	for _, n := range p.get("/notifications").items() {
		kinds = append(kinds, n["kind"].(string))
	}
	return kinds
}

func TestMessageKeyIsUsedOnce(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(e.brand("Nokia"))
	start := func() string {
		return buyer.do(http.MethodPost, "/threads", fields{"productID": phone, "text": "Hello", "key": "k"}).insertedID()
	}
	id := start()
	send := func() string {
		return buyer.do(http.MethodPost, "/threads/"+id+"/messages", fields{"text": "More", "key": "l"}).insertedID()
	}
	first := send()
	for i := range 12 { // more than a thread keeps in mind
		seller.say(id, fmt.Sprint("Line ", i)).insertedID()
	}
	if again := start(); again != id || send() != first {
		t.Errorf("a key is used twice")
	}
	if n := len(e.messagesOf(id)); n != 14 {
		t.Errorf("the thread has %d messages, want 14", n)
	}
	var sent [8]string
	atOnce(len(sent), func(i int) {
		sent[i] = buyer.do(http.MethodPost, "/threads/"+id+"/messages", fields{"text": "At once", "key": "m"}).insertedID()
	})
	if n := len(e.messagesOf(id)); n != 15 || len(slices.Compact(sent[:])) != 1 {
		t.Errorf("the same message at once is %v, of %d messages", sent, n)
	}
}

func TestMessagesAtOnceHaveOneOrder(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	id := buyer.ask(seller.addPhone(e.brand("Nokia")), "Hello").insertedID()
	atOnce(20, func(i int) { []*person{seller, buyer}[i%2].say(id, fmt.Sprint("Line ", i)).insertedID() })
	ids := e.messagesOf(id)
	if len(ids) != 21 || len(slices.Compact(slices.Clone(ids))) != 21 {
		t.Errorf("the thread has %d messages, want 21", len(ids))
	}
	stored, err := e.store.Thread(t.Context(), id)
	if must(t, err); stored.Last.ID != ids[0] || stored.Unread.Buyer.Count != 10 || stored.Unread.Seller.Count != 11 {
		t.Errorf("the thread is %+v", stored)
	}
}

// atOnce makes n calls at the same time.
func atOnce(n int, call func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { call(i) })
	}
	all.Wait()
}

func TestContactDataInMessages(t *testing.T) {
	e := newEnv(t)
	e.market.UseRateCounter(rest.NewMemoryCounter(e.clock))
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	seller.byCookie, buyer.byCookie = true, true // a token is valid for an hour
	phone := seller.addPhone(e.brand("Nokia"))
	id := buyer.ask(phone, "Hello").insertedID()
	if got := buyer.say(id, "Write to bob (at) example (dot) com").wantError(http.StatusUnprocessableEntity, market.CodeContact); got.Fields["text"] == "" {
		t.Errorf("the error has the fields %v, want text", got.Fields)
	}
	buyer.say(id, "See www.other.example").wantError(http.StatusUnprocessableEntity, market.CodeLink)
	number := fields{"text": "Call me: 01711 223344"}
	buyer.do(http.MethodPost, "/threads/"+id+"/messages", number).wantError(http.StatusUnprocessableEntity, market.CodeContactWarn)
	buyer.do(http.MethodPost, "/threads/"+id+"/messages", number.with("confirm", true)).insertedID()
	seller.say(id, "My number is +880 1700 000000").insertedID() // that of the listing
	if n := len(e.messagesOf(id)); n != 3 {
		t.Errorf("the thread has %d messages, want 3", n)
	}
	for range 3 {
		buyer.say(id, "bob@example.com").wantError(http.StatusUnprocessableEntity, market.CodeContact)
	}
	if got := buyer.say(id, "Hello?"); got.Header.Get("Retry-After") == "" {
		t.Errorf("after five refusals: %d %s", got.StatusCode, got.body)
	} else {
		got.wantError(http.StatusTooManyRequests, rest.CodeTooFast)
	}
	e.clock.Pass(24 * time.Hour)
	buyer.say(id, "Hello?").insertedID()
}

func TestLimitsOfMessages(t *testing.T) {
	e := newEnv(t)
	e.market.UseRateCounter(rest.NewMemoryCounter(e.clock))
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	seller.byCookie, buyer.byCookie = true, true // a token is valid for an hour
	brand := e.brand("Nokia")
	long := strings.Repeat("Is this phone still for sale? ", 3)
	for range 3 {
		buyer.ask(seller.addPhone(brand), long).insertedID()
	}
	if got := buyer.ask(seller.addPhone(brand), long); got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After header")
	} else {
		got.wantError(http.StatusTooManyRequests, market.CodeRepeated)
	}
	e.clock.Pass(time.Hour)
	for range 5 {
		buyer.ask(seller.addPhone(brand), "Hello").insertedID()
	}
	phone := seller.addPhone(brand)
	buyer.ask(phone, "Hello").wantError(http.StatusTooManyRequests, rest.CodeTooFast)
	buyer.offer(phone, 100, nil).wantError(http.StatusTooManyRequests, rest.CodeTooFast)
	e.clock.Pass(time.Hour)
	id := buyer.ask(phone, "Hello").insertedID()
	for range 19 {
		buyer.say(id, "Hello").insertedID()
	}
	buyer.say(id, "Hello").wantError(http.StatusTooManyRequests, rest.CodeTooFast)
	e.clock.Pass(time.Minute)
	buyer.say(id, "Hello").insertedID()
}

func TestBlock(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	brand := e.brand("Nokia")
	phone, other := seller.addPhone(brand), seller.addPhone(brand)
	id := buyer.ask(phone, "Hello").insertedID()
	offer := buyer.offer(phone, 100, nil).insertedID()
	seller.do(http.MethodPut, "/threads/"+id+"/block", nil).wantCount("modifiedCount", 1)
	seller.do(http.MethodPut, "/threads/"+id+"/block", nil).wantCount("modifiedCount", 0)
	if o, err := e.store.Offer(t.Context(), offer); err != nil || o.Status != market.OfferGone {
		t.Errorf("after the block the offer is %v, %v", o.Status, err)
	}
	if buyer.thread(id)["blocked"] != false || seller.thread(id)["blocked"] != true {
		t.Error("the block is told to the wrong side")
	}
	for _, blocked := range []response{
		buyer.say(id, "Hello?"), buyer.ask(other, "Hello?"), buyer.offer(other, 100, nil), seller.say(id, "Hello"),
	} {
		blocked.wantError(http.StatusForbidden, market.CodeBlocked)
	}
	if got := seller.get("/threads?blocked=true").items(); len(got) != 1 || len(buyer.get("/threads?blocked=true").items()) != 0 {
		t.Errorf("the seller has blocked %v", got)
	}
	buyer.payFor(buyer.book(phone))
	buyer.say(id, "When can we meet?").insertedID()
	seller.do(http.MethodDelete, "/threads/"+id+"/block", nil).wantCount("deletedCount", 1)
	seller.do(http.MethodDelete, "/threads/"+id+"/block", nil).wantCount("deletedCount", 0)
	buyer.ask(other, "Hello?").insertedID()
}

func TestThreadEnds(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	seller.byCookie, buyer.byCookie = true, true // a token is valid for an hour
	phone := seller.addPhone(e.brand("Nokia"))
	id := buyer.ask(phone, "Hello").insertedID()
	seller.do(http.MethodDelete, "/products/"+phone, nil).wantCount("deletedCount", 1)
	e.runDueWork()
	if p := buyer.thread(id)["product"].(map[string]any); p["removed"] != true || p["name"] != "Nexus 5" {
		t.Errorf("the removed phone is %v", p)
	}
	e.clock.Pass(13 * 24 * time.Hour)
	e.runDueWork()
	buyer.say(id, "Is it gone?").insertedID()
	e.clock.Pass(24*time.Hour + time.Second)
	e.runDueWork()
	buyer.say(id, "Hello?").wantError(http.StatusConflict, market.CodeClosed)
	if buyer.thread(id)["closed"] != true {
		t.Error("the thread is not closed")
	}
	e.clock.Pass(365 * 24 * time.Hour)
	e.runDueWork()
	if _, err := e.store.Thread(t.Context(), id); err == nil || len(e.messagesOf(id)) > 0 {
		t.Errorf("a year later the thread and %d messages exist", len(e.messagesOf(id)))
	}
}

func TestPersonWhoLeavesAConversation(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller("Sue"), e.buyer("Bob")
	phone := seller.addPhone(e.brand("Nokia"))
	id := buyer.ask(phone, "Hello").insertedID()
	offer := buyer.offer(phone, 100, nil).insertedID()
	e.admin("Ada").do(http.MethodDelete, "/users/"+buyer.user.ID, nil).wantCount("deletedCount", 1)
	e.runDueWork()
	o, err := e.store.Offer(t.Context(), offer)
	if must(t, err); o.Status != market.OfferGone || o.Phone != "" || o.Location != "" {
		t.Errorf("the offer of somebody who has left is %+v", o)
	}
	if w := seller.thread(id)["with"].(map[string]any); w["name"] != "A former member" || w["_id"] != "" {
		t.Errorf("the seller talks with %v", w)
	}
	if got := seller.texts(id); !slices.Contains(got, "theirs text: Hello") {
		t.Errorf("the seller reads %q", got)
	}
	seller.say(id, "Are you there?").wantError(http.StatusConflict, market.CodeClosed)
}

func TestReportOfAThread(t *testing.T) {
	e := newEnv(t)
	seller, buyer, admin := e.seller("Sue"), e.buyer("Bob"), e.admin("Ada")
	id := buyer.ask(seller.addPhone(e.brand("Nokia")), "Line 0").insertedID()
	for i := range 9 {
		[]*person{seller, buyer}[i%2].say(id, fmt.Sprint("Line ", i+1)).insertedID()
	}
	ids := e.messagesOf(id) // the newest first
	report := func(messages ...string) response {
		return buyer.do(http.MethodPost, "/threads/"+id+"/report", fields{"reason": "Rude", "messages": messages})
	}
	report().wantInvalid("messages")
	report("000000000000000000000000").wantInvalid("messages")
	report(ids[4]).insertedID()
	report(ids[4]).wantError(http.StatusConflict, market.CodeReported)
	var got []struct {
		ThreadID, SellerID, Reason string
		Quotes                     []struct {
			Text, By   string
			IsReported bool `json:"reported"`
			ByReporter bool
		}
	}
	admin.get("/reportedItems").decode(&got)
	if len(got) != 1 || got[0].ThreadID != id || got[0].SellerID != seller.user.ID || len(got[0].Quotes) != 5 {
		t.Fatalf("the reports are %+v", got)
	}
	for i, q := range got[0].Quotes {
		line := i + 3
		if q.Text != fmt.Sprint("Line ", line) || q.IsReported != (line == 5) || q.ByReporter != (line%2 == 0) {
			t.Errorf("quote %d is %+v", i, q)
		}
	}
}
