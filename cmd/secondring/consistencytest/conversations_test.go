package consistencytest_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// sentMessage is a message that the server has accepted.
type sentMessage struct{ ThreadID, Text string }

func (e *env) countSent(m sentMessage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent[m.ThreadID] = append(e.sent[m.ThreadID], m.Text)
}

// threadOf is a thread as one of its sides sees it.
type threadOf struct {
	reader   string // the name of the side
	Role     string
	messages []messageView // newest first
}

type messageView struct {
	ID   string `json:"_id"`
	Text string
	At   time.Time
}

// checkConversations checks what must be true of all conversations while no call is running. After a kill
// an offer that was accepted gets its booking seconds later.
func (e *env) checkConversations() {
	e.t.Helper()
	timeout, ticker := time.After(patience), time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		problems := e.conversationProblems()
		if len(problems) == 0 {
			return
		}
		select {
		case <-timeout:
			e.t.Fatalf("%d conversations are wrong:\n%s\nall actions: %s", len(problems), strings.Join(problems, "\n"), e.log.flush())
		case <-ticker.C:
		}
	}
}

func (e *env) conversationProblems() (problems []string) {
	e.t.Helper()
	threads := map[string][]threadOf{} // by _id
	own := map[string]bool{}           // emails and _ids of threads
	people := map[string]bool{}        // emails
	for _, r := range e.readRecipients() {
		if r.person.role == admin {
			continue
		}
		people[r.person.email] = true
		for id, t := range e.readThreads(r) {
			threads[id] = append(threads[id], t)
			own[r.person.email+" "+id] = true
		}
		problems = append(problems, e.wrongPrices(r)...)
	}
	for id, sides := range threads {
		problems = append(problems, e.threadProblems(id, sides)...)
	}
	for _, heard := range e.heardThreads() {
		if email, id := heard[0], heard[1]; people[email] && !own[email+" "+id] {
			problems = append(problems, email+" got an event of a thread of others: "+id)
		}
	}
	return problems
}

// readThreads reads a person's threads with their messages.
func (e *env) readThreads(r *recipient) map[string]threadOf {
	e.t.Helper()
	var list []struct {
		ID   string `json:"_id"`
		Role string
	}
	all := map[string]threadOf{}
	if !r.get("/threads?limit=200", &list) {
		e.t.Errorf("reading the threads of %s failed", r.person.name)
	}
	for _, listed := range list {
		t := threadOf{reader: r.person.name, Role: listed.Role}
		if !r.get("/threads/"+listed.ID+"/messages?limit=200", &t.messages) {
			e.t.Errorf("reading the messages of %s failed", r.person.name)
		}
		all[listed.ID] = t
	}
	return all
}

// threadProblems describes messages that are missing, doubled or out of order, or differ for the two
// sides. The messages of one client are sent one after another, and their texts have rising numbers.
func (e *env) threadProblems(id string, sides []threadOf) (problems []string) {
	if len(sides) > 2 || len(sides) == 2 && sides[0].Role == sides[1].Role {
		problems = append(problems, fmt.Sprintf("the thread %s has the sides %v", id, sides))
	}
	if len(sides) == 2 && !slices.Equal(sides[0].messages, sides[1].messages) {
		problems = append(problems, fmt.Sprintf("the thread %s is %v for %s and %v for %s",
			id, sides[0].messages, sides[0].reader, sides[1].messages, sides[1].reader))
	}
	counts, last := map[string]int{}, map[int]int{} // last: the number of the last text, by client
	for _, m := range slices.Backward(sides[0].messages) {
		var n, client int
		if _, err := fmt.Sscanf(m.Text, "Line %d of client %d", &n, &client); err != nil {
			continue // an offer or a note
		}
		if counts[m.Text]++; n <= last[client] {
			problems = append(problems, fmt.Sprintf("%q comes after line %d in the thread %s", m.Text, last[client], id))
		}
		last[client] = n
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, text := range e.sent[id] {
		if counts[text] != 1 {
			problems = append(problems, fmt.Sprintf("%q was sent and is %d times in the thread %s", text, counts[text], id))
		}
	}
	return problems
}

// wrongPrices describes a buyer's bookings whose price is not that of the accepted offer.
func (e *env) wrongPrices(r *recipient) (problems []string) {
	e.t.Helper()
	var offers []struct {
		BookingID, Status, Role string
		Price, ListPrice        int
	}
	if !r.get("/offers?limit=200&email="+url.QueryEscape(r.person.email), &offers) {
		e.t.Errorf("reading the offers of %s failed", r.person.name)
	}
	byOffer := map[string]bool{}
	for _, o := range offers {
		if o.Role != buyer || o.BookingID == "" {
			continue
		}
		i := slices.IndexFunc(r.orders, func(booking order) bool { return booking.ID == o.BookingID })
		if i < 0 || r.orders[i].Price != o.Price || r.orders[i].ListPrice != o.ListPrice {
			problems = append(problems, fmt.Sprintf("%s: the booking of the offer %+v is not among %+v", r.person.name, o, r.orders))
		}
		byOffer[o.BookingID] = true
	}
	for _, booking := range r.orders {
		if booking.ListPrice != 0 && !byOffer[booking.ID] {
			problems = append(problems, fmt.Sprintf("%s: the booking %+v has no accepted offer", r.person.name, booking))
		}
	}
	return problems
}

// heardThreads returns an email address and the _id of a thread for each thread of which a user's client
// has got an event.
func (e *env) heardThreads() (all [][2]string) {
	e.t.Helper()
	for _, h := range e.hosts {
		var answer struct{ Heard [][2]string }
		if err := h.call(command{Command: "heardThreads"}, &answer); err != nil {
			e.t.Error(err)
		}
		all = append(all, answer.Heard...)
	}
	return all
}
