package apitest_test

import (
	"fmt"
	"net/http"
	"slices"
)

// conversationCases returns the rows of threads, messages and offers. The thread is that of the buyer
// about a phone of the seller.
func conversationCases() []accessCase {
	const (
		askers    = otherPeople // everybody but the seller of the phone and admins
		bothSides = "401 200 403 200 403 403 403 403 401 401"
	)
	threadFor := func(readers func(int) bool) func(c *roleEnv) string {
		return func(c *roleEnv) string {
			phone := c.phoneOf(asSeller)
			return c.people[asBuyer].ask(phone, "Hello "+c.newMarker("the message of the buyer", readers)).insertedID()
		}
	}
	thread := threadFor(oneOf(asBuyer, asSeller))
	offerFor := func(readers func(int) bool) func(c *roleEnv) string {
		return func(c *roleEnv) string {
			number := c.number("the phone number of the buyer's offer", readers)
			return c.people[asBuyer].offer(c.phoneOf(asSeller), 100, fields{"phone": number}).insertedID()
		}
	}
	offer := offerFor(exactlyOne(asBuyer))
	text := func(body fields) func(*roleEnv, int, string) any {
		return func(c *roleEnv, role int, _ string) any {
			marked := c.newMarker("a message about the seller's phone", oneOf(asBuyer, asSeller, role))
			return fields{"text": "Is it " + marked}.and(body)
		}
	}
	answer := func(body fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPut, "/offers/{id}", func(*roleEnv, int, string) any { return body })
	}
	return []accessCase{
		{
			route: "POST /threads", want: askers, create: func(c *roleEnv) string { return c.phoneOf(asSeller) },
			send: func(c *roleEnv, role int, phone string) response {
				return c.people[role].do(http.MethodPost, "/threads", fields{"productID": phone, "text": "Is it still for sale?"}.and(forbiddenFields))
			},
		},
		{
			route: "POST /threads", name: "without a text", want: "401 422 422 403 422 422 403 403 401 401", create: func(c *roleEnv) string { return c.phoneOf(asSeller) },
			send: func(c *roleEnv, role int, phone string) response {
				return c.people[role].do(http.MethodPost, "/threads", fields{"productID": phone})
			},
		},
		{route: "GET /threads", want: notAdmins},
		{route: "GET /threads", name: "about a phone", want: notAdmins, create: thread, send: func(c *roleEnv, role int, id string) response {
			return c.people[role].get("/threads?productID=" + c.phoneOfThread(id))
		}},
		{route: "GET /threads/{id}", want: bothSides, create: thread},
		{route: "GET /threads/{id}/messages", want: bothSides, create: thread},
		{route: "POST /threads/{id}/messages", want: bothSides, create: thread, send: sendBody(http.MethodPost, "/threads/{id}/messages", text(nil))},
		{
			route: "POST /threads/{id}/messages", name: "with an address", want: "401 422 403 422 403 403 403 403 401 401", create: thread,
			send: sendBody(http.MethodPost, "/threads/{id}/messages", text(fields{"text": "write to me@example.com"})),
		},
		{route: "PUT /threads/{id}/read", want: bothSides, create: thread, send: sendBody(http.MethodPut, "/threads/{id}/read",
			func(*roleEnv, int, string) any { return fields{"upTo": "ffffffffffffffffffffffff"} })},
		// A block concerns all threads of the two, so it is ended again.
		{route: "PUT /threads/{id}/block", want: bothSides, create: thread, check: func(c *roleEnv, role int, id string, _ response) {
			c.people[role].do(http.MethodDelete, "/threads/"+id+"/block", nil).wantCount("deletedCount", 1)
		}},
		{route: "DELETE /threads/{id}/block", want: bothSides, create: thread},
		{route: "POST /threads/{id}/report", want: bothSides, create: threadFor(only(asBuyer, asSeller)), send: func(c *roleEnv, role int, id string) response {
			return c.people[role].do(http.MethodPost, "/threads/"+id+"/report", fields{"reason": "Rude", "messages": c.messagesOf(id)})
		}},
		{route: "POST /offers", want: askers, create: func(c *roleEnv) string { return c.phoneOf(asSeller) }, send: func(c *roleEnv, role int, phone string) response {
			return c.people[role].offer(phone, 100, forbiddenFields)
		}},
		{
			route: "POST /offers", name: "below half of the price", want: "401 422 422 403 422 422 403 403 401 401", create: func(c *roleEnv) string { return c.phoneOf(asSeller) },
			send: func(c *roleEnv, role int, phone string) response { return c.people[role].offer(phone, 1, nil) },
		},
		{route: "GET /offers", name: "of oneself", want: notAdmins, send: sendGet(func(c *roleEnv, role int) string {
			if role == asVisitor {
				return "/offers?email=nobody@phones.example"
			}
			return "/offers?email=" + emailOf(c, role)
		})},
		{route: "GET /offers", name: "of the buyer", want: thisBuyer, send: sendGet(func(c *roleEnv, _ int) string { return "/offers?email=" + emailOf(c, asBuyer) })},
		{route: "PUT /offers/{id}", name: "decline", want: thisSeller, create: offer, send: answer(fields{"action": "decline"})},
		{route: "PUT /offers/{id}", name: "counter", want: thisSeller, create: offer, send: answer(fields{"action": "counter", "price": 110})},
		{route: "PUT /offers/{id}", name: "withdraw", want: thisBuyer, create: offer, send: answer(fields{"action": "withdraw"})},
		{route: "PUT /offers/{id}", name: "accept", want: thisSeller, create: offerFor(only(asBuyer)), send: answer(fields{"action": "accept"})},
		{route: "PUT /offers/{id}", name: "no action", want: "401 422 403 422 403 403 403 403 401 401", create: offer, send: answer(fields{"action": "keep"})},
	}
}

// oneOf allows these roles to read, and not the admin.
func oneOf(readers ...int) func(int) bool {
	return func(role int) bool { return slices.Contains(readers, role) }
}

// phoneOfThread returns the phone of a thread.
func (c *roleEnv) phoneOfThread(id string) string {
	t, err := c.store.Thread(c.t.Context(), id)
	must(c.t, err)
	return t.ProductID
}

// messagesOf returns the IDs of the messages of a thread.
func (e *env) messagesOf(thread string) []string {
	list, err := e.store.Messages(e.t.Context(), thread, firstPage)
	must(e.t, err)
	var ids []string
	for _, v := range list.Items {
		ids = append(ids, v.ID)
	}
	return ids
}

// ask sends a message about a phone to its seller.
func (p *person) ask(phone, text string) response {
	p.t.Helper()
	return p.do(http.MethodPost, "/threads", fields{"productID": phone, "text": text})
}

// say sends a message in a thread.
func (p *person) say(thread, text string) response {
	p.t.Helper()
	return p.do(http.MethodPost, "/threads/"+thread+"/messages", fields{"text": text})
}

// offer makes an offer for a phone.
func (p *person) offer(phone string, price int, more fields) response {
	p.t.Helper()
	return p.do(http.MethodPost, "/offers", fields{"productID": phone, "price": price, "phone": "+880 1900 123456", "location": "Khulna"}.and(more))
}

// answer answers an offer.
func (p *person) answer(offer, action string, more fields) response {
	p.t.Helper()
	return p.do(http.MethodPut, "/offers/"+offer, fields{"action": action}.and(more))
}

// thread returns one of the person's threads.
func (p *person) thread(id string) map[string]any {
	p.t.Helper()
	return p.get("/threads/" + id).wantStatus(http.StatusOK).object()
}

// texts returns the texts of a thread, the newest first, each with whose it is.
func (p *person) texts(thread string) (all []string) {
	p.t.Helper()
	for _, v := range p.get("/threads/" + thread + "/messages").items() {
		by := "theirs"
		if v["mine"] == true {
			by = "mine"
		}
		all = append(all, fmt.Sprint(by, " ", v["kind"], ": ", v["text"]))
	}
	return all
}
