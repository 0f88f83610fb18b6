package consistencytest_test

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// deed is one thing that somebody tries.
type deed struct {
	n      int
	client *client
	name   string
	dice   []float64
}

// habits are what people do, by role, and how often: of all that they do, so many.
var habits = map[string][]struct {
	name   string
	weight int
}{
	visitor: {{"visit", 8}, {"more", 1}},
	buyer: {
		{"visit", 12},
		{"book", 10},
		{"cancel", 3},
		{"pay", 4},
		{"report", 3},
		{"more", 3},
		{"tidy", 2},
		{"renew", 1},
		{"signOut", 1},
	},
	seller: {
		{"visit", 8},
		{"add", 8},
		{"edit", 14},
		{"advertise", 6},
		{"delete", 8}, // as often as "add": the market does not grow for ever
		{"more", 2},
		{"tidy", 1},
		{"renew", 1},
		{"signOut", 1},
	},
	admin: {{"visit", 8}, {"verify", 6}, {"deleteReport", 6}, {"deleteUser", 1}, {"more", 1}, {"renew", 1}, {"signOut", 1}},
}

// deal draws the next deed from the seed.
func (e *env) deal(chance *rand.Rand, n int) deed {
	c := e.clients[chance.IntN(len(e.clients))]
	sum := 0
	for _, h := range habits[c.role] {
		sum += h.weight
	}
	at := chance.IntN(sum)
	d := deed{n: n, client: c}
	for _, h := range habits[c.role] {
		if at -= h.weight; at < 0 {
			d.name = h.name
			break
		}
	}
	for range 4 {
		d.dice = append(d.dice, chance.Float64())
	}
	return d
}

// work has deeds done, several at once, and returns when all are. In a window
// things are done one after another; nobody else waits for a window that is slow.
func (e *env) work(deeds []deed) {
	var order []*client
	each := map[*client][]deed{}
	for _, d := range deeds {
		if each[d.client] == nil {
			order = append(order, d.client)
		}
		each[d.client] = append(each[d.client], d)
	}
	turns := make(chan struct{}, e.workers)
	var all sync.WaitGroup
	for _, c := range order {
		all.Go(func() {
			for _, d := range each[c] {
				turns <- struct{}{}
				e.do(d)
				<-turns
			}
		})
	}
	all.Wait()
}

// do has one done, as soon as its window is free.
func (e *env) do(d deed) {
	c := d.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asleep {
		return
	}
	more := map[string]string{"role": c.role}
	if c.person != nil && !c.signedIn {
		if !e.comeBack(c) {
			return
		}
		d.name = "signIn"
		more["email"], more["password"] = c.person.email, password
	}
	began := time.Now()
	var answer struct {
		Status *int
		Code   string
		Whom   string
	}
	if err := c.host.ask(command{Do: "deed", Client: c.id, Name: d.name, Dice: d.dice, More: more}, &answer); err != nil {
		e.t.Error(err)
		return
	}
	status := -1
	if answer.Status != nil {
		status = *answer.Status
	}
	e.log.write("%d: %dms client %d (%s) %s: %d %s %s", d.n, time.Since(began).Milliseconds(), c.id, c.role, d.name, status, answer.Code, answer.Whom)
	switch {
	case d.name == "signIn":
		c.signedIn = status == http.StatusOK
	case d.name == "signOut" && status >= 0:
		c.signedIn = false
	}
	e.note(d.name, status, answer.Whom)
}

// note counts an action. Those of a user who was deleted, or may have been, may be refused.
func (e *env) note(name string, status int, whom string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done[name] == nil {
		e.done[name] = map[int]int{}
	}
	e.done[name][status]++
	if whom != "" {
		e.gone[whom] = true
	}
}

// comeBack gives a window whose person was deleted somebody new, if they can come
// just now.
func (e *env) comeBack(c *client) bool {
	e.mu.Lock()
	gone := e.gone[c.person.email]
	e.mu.Unlock()
	if !gone {
		return true
	}
	p := e.mayMoveIn(c.role)
	if p != nil {
		c.person = p
	}
	return p != nil
}
