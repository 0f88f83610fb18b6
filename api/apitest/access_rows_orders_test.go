package apitest_test

import (
	"net/http"

	"secondring/market"
)

func bookingRows() []question {
	book := func(body func(c *roleEnv, kind int, phone string) fields) func(*roleEnv, int, string) answer {
		return sends(http.MethodPut, "/bookings", func(c *roleEnv, kind int, id string) any { return body(c, kind, id) })
	}
	own := func(c *roleEnv, kind int, phone string) fields { return c.bookingFieldsOf(kind, phone) }
	order := func(c *roleEnv) string { return c.bookingOf(asBuyer, c.phoneOf(asSeller)) }
	return []question{
		{call: "PUT /bookings", want: buyers, on: availablePhone, ask: book(own)},
		{
			call: "PUT /bookings", what: "with what is not theirs to set", want: buyers, on: availablePhone,
			ask: book(func(c *roleEnv, kind int, phone string) fields { return own(c, kind, phone).and(forbiddenFields) }),
			then: func(c *roleEnv, kind int, _ string, a answer) {
				b, err := c.store.Booking(c.t.Context(), a.id())
				must(c.t, err)
				if b.Status != market.BookingHeld || b.BuyerUID != c.people[kind].user.UID || b.Version != 1 || b.HoldUntil.Year() == 2099 {
					c.t.Errorf("the body has made it %+v", b)
				}
			},
		},
		{
			call: "PUT /bookings", what: "for another user", want: noneOfThem, on: availablePhone,
			ask: book(func(c *roleEnv, kind int, phone string) fields {
				return own(c, kind, phone).with("email", c.people[asRemoved].user.Email)
			}),
		},
		{
			call: "PUT /bookings", what: "under a false name", want: "401 422 422 403 403 403 403 401 401", on: availablePhone,
			ask: book(func(c *roleEnv, kind int, phone string) fields {
				return own(c, kind, phone).with("userName", "Somebody")
			}),
		},
		{
			call: "PUT /bookings", what: "at a price of one's own", want: "401 422 422 403 403 403 403 401 401", on: availablePhone,
			ask: book(func(c *roleEnv, kind int, phone string) fields { return own(c, kind, phone).with("price", 1) }),
		},
		{
			call: "PUT /bookings", what: "what another holds", want: "401 409 409 403 403 403 403 401 401",
			on: func(c *roleEnv) string {
				phone := c.phoneOf(asSeller)
				once := c.signUp(asUnrelated, market.AccountUser, month, only(), only())
				once.books(phone)
				return phone
			}, ask: book(own),
		},
		{call: "DELETE /bookings/{id}", want: thisBuyer, on: order},
		{call: "GET /booking/{id}", want: buyerAdmin, on: order},
	}
}

func orderRows() []question {
	paid := func(c *roleEnv) string {
		id := c.bookingOf(asBuyer, c.phoneOf(asSeller), asSeller)
		c.confirm(c.people[asBuyer].begins(id), "pm_card_visa").is(http.StatusOK)
		b, err := c.store.Booking(c.t.Context(), id)
		must(c.t, err)
		c.people[asBuyer].pays(fields{"price": 120, "transactionId": b.Intent, "email": b.Email, "bookingId": id}).is(http.StatusOK)
		return id
	}
	step := func(body fields) func(*roleEnv, int, string) answer {
		return sends(http.MethodPut, "/bookings/{id}/fulfilment", func(*roleEnv, int, string) any { return body })
	}
	refund := sends(http.MethodPost, "/orders/{id}/refund", func(*roleEnv, int, string) any { return fields{"reason": "The phone was stolen."} })
	return []question{
		{call: "GET /booking/{id}", what: "once it is paid", want: "401 200 403 200 403 403 200 401 401", on: paid},
		{call: "PUT /bookings/{id}/fulfilment", what: "send", want: thisSeller, on: paid, ask: step(fields{"action": "send", "carrier": "Post", "tracking": "1"})},
		{call: "PUT /bookings/{id}/fulfilment", what: "handed, without a code that was opened", want: "401 403 403 409 403 403 403 401 401", on: paid, ask: step(fields{"action": "handed", "code": "123456"})},
		{call: "PUT /bookings/{id}/fulfilment", what: "received", want: thisBuyer, on: paid, ask: step(fields{"action": "received"})},
		{call: "PUT /bookings/{id}/fulfilment", what: "problem", want: thisBuyer, on: paid, ask: step(fields{"action": "problem", "reason": "It is broken."})},
		{call: "PUT /bookings/{id}/fulfilment", what: "settle", want: admins, on: paid, ask: step(fields{"action": "settle", "outcome": "release", "reason": "All is well."})},
		{call: "PUT /bookings/{id}/fulfilment", what: "what only the market does", want: "401 422 403 422 403 403 422 401 401", on: paid, ask: step(fields{"action": "time"})},
		{call: "POST /bookings/{id}/handover", want: thisBuyer, on: paid},
		{call: "POST /orders/{id}/refund", want: admins, on: paid, ask: refund},
		{call: "GET /orders", want: admins, on: paid},
		{
			call: "PUT /orders/{id}/payout", want: "401 403 403 403 403 403 409 401 401", what: "of one that is not settled", on: paid,
			ask: sends(http.MethodPut, "/orders/{id}/payout", func(*roleEnv, int, string) any { return fields{"reference": "transfer 1"} }),
		},
		{call: "POST /payouts/onboarding", what: "of a market that pays by hand", want: "401 403 403 409 409 409 403 401 401", on: paid},
		{call: "GET /earnings", want: "401 403 403 200 200 200 403 401 401", on: paid},
	}
}

func paymentRows() []question {
	order := func(c *roleEnv) string { return c.bookingOf(asBuyer, c.phoneOf(asSeller), asSeller) }
	opens := func(price int) func(*roleEnv, int, string) answer {
		return sends(http.MethodPost, "/create-payment-intent", func(_ *roleEnv, _ int, id string) any {
			return fields{"price": price, "bookingId": id}.and(forbiddenFields)
		})
	}
	pays := func(change func(c *roleEnv, body fields) fields) func(*roleEnv, int, string) answer {
		return func(c *roleEnv, kind int, id string) answer {
			b, err := c.store.Booking(c.t.Context(), id)
			must(c.t, err)
			body := fields{"price": 120, "transactionId": b.Intent, "email": c.people[kind].user.Email, "bookingId": id}
			return c.people[kind].pays(change(c, body.and(forbiddenFields).with("transactionId", b.Intent)))
		}
	}
	asIs := func(_ *roleEnv, body fields) fields { return body }
	begun := func(c *roleEnv) string {
		id := order(c)
		c.people[asBuyer].begins(id)
		return id
	}
	charged := func(c *roleEnv) string {
		id := order(c)
		c.confirm(c.people[asBuyer].begins(id), "pm_card_visa").is(http.StatusOK)
		return id
	}
	return []question{
		{call: "POST /create-payment-intent", want: thisBuyer, on: order, ask: opens(120)},
		{call: "POST /create-payment-intent", what: "at a price of one's own", want: "401 422 403 403 403 403 403 401 401", on: order, ask: opens(1)},
		{call: "POST /payments", what: "what was charged", want: thisBuyer, on: charged, ask: pays(asIs)},
		{call: "POST /payments", what: "what was not charged", want: "401 402 403 403 403 403 403 401 401", on: begun, ask: pays(asIs)},
		{
			call: "POST /payments", what: "with another's payment", want: "401 422 403 403 403 403 403 401 401", on: begun,
			ask: pays(func(c *roleEnv, body fields) fields {
				b, err := c.store.Booking(c.t.Context(), charged(c))
				must(c.t, err)
				return body.with("transactionId", b.Intent)
			}),
		},
		{
			call: "POST /payments", what: "as another user", want: noneOfThem, on: charged,
			ask: pays(func(c *roleEnv, body fields) fields { return body.with("email", c.people[asRemoved].user.Email) }),
		},
	}
}
