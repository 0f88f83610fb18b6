package consistencytest_test

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// action is one action that a user tries in a window.
type action struct {
	n      int
	client *client
	name   string
	dice   []float64
}

// actionWeights are the actions of each role with their relative frequency.
var actionWeights = map[string][]struct {
	name   string
	weight int
}{
	visitor: {{"visit", 8}, {"more", 1}},
	buyer: {
		{"visit", 12},
		{"book", 10},
		{"cancel", 3},
		{"pay", 4},
		{"wait", 8},
		{"leaveWaitlist", 2},
		{"watch", 6},
		{"saveSearch", 3},
		{"deleteSearch", 1},
		{"read", 2},
		{"report", 3},
		{"more", 3},
		{"refetch", 2},
		{"renew", 1},
		{"signOut", 1},
	},
	seller: {
		{"visit", 8},
		{"add", 8},
		{"edit", 14},
		{"advertise", 6},
		{"stopAdvertising", 2},
		{"read", 2},
		{"delete", 8}, // as often as "add": the market does not grow for ever
		{"more", 2},
		{"refetch", 1},
		{"renew", 1},
		{"signOut", 1},
	},
	admin: {{"visit", 8}, {"verify", 6}, {"deleteReport", 6}, {"deleteUser", 1}, {"more", 1}, {"renew", 1}, {"signOut", 1}},
}

// randomAction draws the next action.
func (e *env) randomAction(chance *rand.Rand, n int) action {
	c := e.clients[chance.IntN(len(e.clients))]
	sum := 0
	for _, h := range actionWeights[c.role] {
		sum += h.weight
	}
	at := chance.IntN(sum)
	a := action{n: n, client: c}
	for _, h := range actionWeights[c.role] {
		if at -= h.weight; at < 0 {
			a.name = h.name
			break
		}
	}
	for range 4 {
		a.dice = append(a.dice, chance.Float64())
	}
	return a
}

// perform performs actions, up to e.workers at once, and returns when all are done.
// The actions of one window run one after another; a slow window delays only itself.
func (e *env) perform(actions []action) {
	var order []*client
	each := map[*client][]action{}
	for _, a := range actions {
		if each[a.client] == nil {
			order = append(order, a.client)
		}
		each[a.client] = append(each[a.client], a)
	}
	turns := make(chan struct{}, e.workers)
	var all sync.WaitGroup
	for _, c := range order {
		all.Go(func() {
			for _, a := range each[c] {
				turns <- struct{}{}
				e.do(a)
				<-turns
			}
		})
	}
	all.Wait()
}

// do performs an action once its window is free.
func (e *env) do(a action) {
	c := a.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asleep {
		return
	}
	more := map[string]string{"role": c.role}
	if c.person != nil && !c.signedIn {
		if !e.replacePerson(c) {
			return
		}
		a.name = "signIn"
		more["email"], more["password"] = c.person.email, password
	}
	began := time.Now()
	var answer struct {
		Status *int
		Code   string
		Email  string
	}
	if err := c.host.ask(command{Do: "action", Client: c.id, Name: a.name, Dice: a.dice, More: more}, &answer); err != nil {
		e.t.Error(err)
		return
	}
	status := -1
	if answer.Status != nil {
		status = *answer.Status
	}
	e.log.write("%d: %dms client %d (%s) %s: %d %s %s", a.n, time.Since(began).Milliseconds(), c.id, c.role, a.name, status, answer.Code, answer.Email)
	switch {
	case a.name == "signIn":
		c.signedIn = status == http.StatusOK
	case a.name == "signOut" && status >= 0:
		c.signedIn = false
	}
	e.note(a.name, status, answer.Email)
}

// note counts an action. Those of a user who was deleted, or may have been, may be refused.
func (e *env) note(name string, status int, email string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done[name] == nil {
		e.done[name] = map[int]int{}
	}
	e.done[name][status]++
	if email != "" {
		e.gone[email] = true
	}
}

// replacePerson gives a window whose user was deleted a new one, if signing up works at the
// moment.
func (e *env) replacePerson(c *client) bool {
	e.mu.Lock()
	gone := e.gone[c.person.email]
	e.mu.Unlock()
	if !gone {
		return true
	}
	p := e.trySignUpPerson(c.role)
	if p != nil {
		c.person = p
	}
	return p != nil
}
