package consistencytest_test

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// action is one action that a user tries in a client.
type action struct {
	n      int
	client *client
	name   string
	random []float64
}

// actionWeights are the actions of each role with their relative frequency.
var actionWeights = map[string][]struct {
	name   string
	weight int
}{
	visitor: {{"visit", 8}, {"loadMore", 1}},
	buyer: {
		{"visit", 12},
		{"book", 10},
		{"cancel", 3},
		{"pay", 4},
		{"joinWaitlist", 8},
		{"leaveWaitlist", 2},
		{"watch", 6},
		{"saveSearch", 3},
		{"deleteSearch", 1},
		{"readNotifications", 2},
		{"report", 3},
		{"ask", 6},
		{"sendMessage", 8},
		{"readThread", 4},
		{"makeOffer", 8},
		{"acceptOffer", 3},
		{"declineOffer", 1},
		{"withdrawOffer", 1},
		{"block", 1},
		{"unblock", 2},
		{"loadMore", 3},
		{"refetch", 2},
		{"renewToken", 1},
		{"signOut", 1},
	},
	seller: {
		{"visit", 8},
		{"add", 8},
		{"edit", 14},
		{"advertise", 6},
		{"stopAdvertising", 2},
		{"readNotifications", 2},
		{"delete", 8}, // as often as "add", so that the market stays small
		{"book", 4},   // what others sell
		{"cancel", 2},
		{"pay", 2},
		{"joinWaitlist", 3},
		{"leaveWaitlist", 1},
		{"ask", 2},
		{"sendMessage", 6},
		{"readThread", 4},
		{"makeOffer", 2},
		{"acceptOffer", 8},
		{"counterOffer", 5},
		{"declineOffer", 2},
		{"block", 1},
		{"unblock", 3},
		{"loadMore", 2},
		{"refetch", 1},
		{"renewToken", 1},
		{"signOut", 1},
	},
	admin: {{"visit", 8}, {"verify", 6}, {"deleteReport", 6}, {"deleteUser", 1}, {"loadMore", 1}, {"renewToken", 1}, {"signOut", 1}},
}

// randomAction returns a random client and action, by the weights of the client's role.
func (e *env) randomAction(random *rand.Rand, n int) action {
	c := e.clients[random.IntN(len(e.clients))]
	sum := 0
	for _, weighted := range actionWeights[c.role] {
		sum += weighted.weight
	}
	remaining := random.IntN(sum)
	a := action{n: n, client: c}
	for _, weighted := range actionWeights[c.role] {
		if remaining -= weighted.weight; remaining < 0 {
			a.name = weighted.name
			break
		}
	}
	for range 4 {
		a.random = append(a.random, random.Float64())
	}
	return a
}

// performAll performs actions, up to e.workers at once, and returns when all are done.
// The actions of one client run one after another; a slow client delays only itself.
func (e *env) performAll(actions []action) {
	var order []*client
	byClient := map[*client][]action{}
	for _, a := range actions {
		if byClient[a.client] == nil {
			order = append(order, a.client)
		}
		byClient[a.client] = append(byClient[a.client], a)
	}
	slots := make(chan struct{}, e.workers)
	var all sync.WaitGroup
	for _, c := range order {
		all.Go(func() {
			for _, a := range byClient[c] {
				slots <- struct{}{}
				e.perform(a)
				<-slots
			}
		})
	}
	all.Wait()
}

// perform performs an action after the client's previous one has ended.
func (e *env) perform(a action) {
	c := a.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.suspended {
		return
	}
	args := map[string]string{"role": c.role}
	if c.person != nil && !c.signedIn {
		if !e.replacePerson(c) {
			return
		}
		a.name = "signIn"
		args["email"], args["password"] = c.person.email, password
	}
	startedAt := time.Now()
	var answer struct {
		Status *int
		Code   string
		Email  string
		Sent   *sentMessage
	}
	if err := c.host.call(command{Command: "action", Client: c.id, Name: a.name, Random: a.random, Args: args}, &answer); err != nil {
		e.t.Error(err)
		return
	}
	status := -1
	if answer.Status != nil {
		status = *answer.Status
	}
	e.log.write("%d: %dms client %d (%s) %s: %d %s %s", a.n, time.Since(startedAt).Milliseconds(), c.id, c.role, a.name, status, answer.Code, answer.Email)
	switch {
	case a.name == "signIn":
		c.signedIn = status == http.StatusOK
	case a.name == "signOut" && status >= 0:
		c.signedIn = false
	}
	e.countResult(a.name, status, answer.Email)
	if answer.Sent != nil {
		e.countSent(*answer.Sent)
	}
}

// countResult counts the result of an action, and records the user whom it deleted, or may
// have deleted.
func (e *env) countResult(name string, status int, email string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.results[name] == nil {
		e.results[name] = map[int]int{}
	}
	e.results[name][status]++
	if email != "" {
		e.deleted[email] = true
	}
}

// replacePerson gives a new user to a client whose user was deleted. It returns false if
// the sign-up failed.
func (e *env) replacePerson(c *client) bool {
	e.mu.Lock()
	deleted := e.deleted[c.person.email]
	e.mu.Unlock()
	if !deleted {
		return true
	}
	p := e.trySignUpPerson(c.role)
	if p != nil {
		c.person = p
	}
	return p != nil
}
