package apitest_test

import (
	"net/http"

	"secondring/market"
)

const wordsOfDecision = "The photos show another phone than the one that is sold."

// caseOf reports a new phone of the seller, and returns its open case.
func (c *roleEnv) caseOf() market.Case {
	c.t.Helper()
	phone := c.phoneOf(asSeller)
	c.people[asOtherBuyer].do(http.MethodPost, "/reports", fields{
		"kind": "product", "id": phone, "rule": "not_as_shown", "reason": "Wrong " + c.newMarker("what was reported", only(asOtherBuyer)),
	}).insertedID()
	open, err := c.store.OpenCase(c.t.Context(), market.CaseProduct, phone)
	must(c.t, err)
	return open
}

// decidedCase returns a case of the seller that the admin has decided.
func (c *roleEnv) decidedCase() market.Case {
	c.t.Helper()
	open := c.caseOf()
	c.people[asAdmin].do(http.MethodPut, "/cases/"+open.ID, decisionFields(open, "warn")).wantCount("modifiedCount", 1)
	return c.storedCase(open.ID)
}

func (c *roleEnv) storedCase(id string) market.Case {
	c.t.Helper()
	stored, err := c.store.Case(c.t.Context(), id)
	must(c.t, err)
	return stored
}

func decisionFields(c market.Case, decision string) fields {
	return fields{"version": c.Version, "decision": decision, "rule": "not_as_shown", "words": wordsOfDecision}
}

func caseCases() []accessCase {
	report := func(body func(c *roleEnv, id string) fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPost, "/reports", func(c *roleEnv, role int, id string) any {
			return fields{"rule": "stolen", "reason": "Stolen " + c.newMarker("what was reported", only(role))}.and(body(c, id))
		})
	}
	product := report(func(_ *roleEnv, id string) fields { return fields{"kind": "product", "id": id} })
	person := report(func(c *roleEnv, _ string) fields { return fields{"kind": "person", "id": c.people[asVerified].user.ID} })
	decide := func(decision string) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPut, "/cases/{id}", func(c *roleEnv, _ int, id string) any { return decisionFields(c.storedCase(id), decision) })
	}
	open := func(c *roleEnv) string { return c.caseOf().ID }
	decided := func(c *roleEnv) string { return c.decidedCase().ID }
	appealed := func(c *roleEnv) string {
		id := decided(c)
		c.people[asSeller].do(http.MethodPost, "/decisions/"+id+"/appeal", fields{"text": "Why?"}).wantCount("modifiedCount", 1)
		return id
	}
	appeal := sendBody(http.MethodPost, "/decisions/{id}/appeal", func(*roleEnv, int, string) any { return fields{"text": "Why?"} })
	answer := sendBody(http.MethodPut, "/cases/{id}/appeal", func(c *roleEnv, _ int, id string) any {
		return fields{"version": c.storedCase(id).Version, "outcome": "upheld", "words": wordsOfDecision}
	})
	byToken := sendBody(http.MethodPost, "/decisions/appeal", func(c *roleEnv, _ int, id string) any {
		return fields{"token": c.market.AppealToken(market.Case{ID: id}), "text": "Why?"}
	})
	return []accessCase{
		{route: "POST /reports", want: "401 200 200 403 200 200 200 200 401 401", create: availablePhone, send: product},
		{route: "POST /reports", name: "of a person", want: "401 200 200 200 200 403 200 200 401 401", create: availablePhone, send: person},
		{route: "GET /cases", want: admins},
		{route: "GET /cases/{id}", want: admins, create: open},
		{route: "PUT /cases/{id}", want: admins, create: open, send: decide("warn")},
		{route: "PUT /cases/{id}", name: "that is decided", want: "401 403 403 403 403 403 409 409 401 401", create: decided, send: decide("warn")},
		{route: "PUT /cases/{id}/appeal", name: "where another admin has decided", want: "401 403 403 403 403 403 403 200 401 401", create: appealed, send: answer},
		{route: "PUT /cases/{id}/appeal", name: "without an appeal", want: "401 403 403 403 403 403 403 409 401 401", create: decided, send: answer},
		{route: "GET /decisions", want: signedInUsers},
		{route: "POST /decisions/{id}/appeal", want: thisSeller, create: decided, send: appeal},
		{route: "POST /decisions/appeal", want: everybody, create: decided, send: byToken},
	}
}
