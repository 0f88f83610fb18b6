package storetest

import (
	"fmt"
	"time"

	"secondring/market"
)

var sessionCases = cases{
	"an id is taken once": func(s env) {
		s.ok(s.AddSession(s.Context(), session("s1", "ann")))
		s.wantError(s.AddSession(s.Context(), session("s1", "bob")), market.ErrExists)
		wantNotFound[market.Session](s)(s.Session(s.Context(), "s2"))
	},
	"extending sets when it was seen and when it ends, if it has not ended": func(s env) {
		v := session("s1", "ann")
		s.ok(s.AddSession(s.Context(), v))
		v.SeenAt, v.ExpiresAt = noon.Add(time.Hour), noon.Add(9*time.Hour)
		s.ok(s.ExtendSession(s.Context(), "s1", v.SeenAt, v.ExpiresAt))
		s.equal(get[market.Session](s)(s.Session(s.Context(), "s1")), v)
		s.ok(s.EndSession(s.Context(), "s1", nil))
		s.wantError(s.ExtendSession(s.Context(), "s1", noon, noon), market.ErrNotFound)
		wantNotFound[market.Session](s)(s.Session(s.Context(), "s1"))
	},
	"ending a missing session succeeds and stores the events": func(s env) {
		s.ok(s.AddSession(s.Context(), session("s1", "ann")))
		s.ok(s.AddSession(s.Context(), session("s2", "ann")))
		s.ok(s.EndSession(s.Context(), "s1", effects(event("ann", 1))))
		s.wantEvents(event("ann", 1))
		s.ok(s.EndSession(s.Context(), "s1", nil))
		get[market.Session](s)(s.Session(s.Context(), "s2"))
	},
	"ending all keeps those of other users": func(s env) {
		for _, id := range []string{"s1", "s2"} {
			s.ok(s.AddSession(s.Context(), session(id, "ann")))
		}
		s.ok(s.AddSession(s.Context(), session("b1", "bob")))
		s.ok(s.EndSessions(s.Context(), "ann", effects(event("ann", 1))))
		s.wantEvents(event("ann", 1))
		wantNotFound[market.Session](s)(s.Session(s.Context(), "s1"))
		wantNotFound[market.Session](s)(s.Session(s.Context(), "s2"))
		get[market.Session](s)(s.Session(s.Context(), "b1"))
	},
	"ending all stores the events also without sessions, because tokens outlive them": func(s env) {
		s.ok(s.EndSessions(s.Context(), "ann", effects(event("ann", 1))))
		s.wantEvents(event("ann", 1))
	},
	"purging deletes expired sessions, up to the limit": func(s env) {
		for i := range 5 {
			v := session(fmt.Sprint("s", i), "ann")
			v.ExpiresAt = noon.Add(time.Duration(i) * time.Minute)
			s.ok(s.AddSession(s.Context(), v))
		}
		before := noon.Add(3 * time.Minute) // s3 expires at exactly this time and is kept
		s.equal(get[int](s)(s.PurgeSessions(s.Context(), before, 2)), 2)
		s.equal(get[int](s)(s.PurgeSessions(s.Context(), before, 2)), 1)
		s.equal(get[int](s)(s.PurgeSessions(s.Context(), before, 2)), 0)
		wantNotFound[market.Session](s)(s.Session(s.Context(), "s2"))
		get[market.Session](s)(s.Session(s.Context(), "s3"))
		get[market.Session](s)(s.Session(s.Context(), "s4"))
	},
}
