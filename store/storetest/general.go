package storetest

import (
	"time"

	"secondring/market"
)

// generalCases test settings and times.
var generalCases = cases{
	"a setting is set once": func(s env) {
		s.equal(get[string](s)(s.Meta(s.Context(), "kind")), "")
		s.ok(s.SetMeta(s.Context(), "kind", "demo"))
		s.wantError(s.SetMeta(s.Context(), "kind", "real"), market.ErrExists)
		s.equal(get[string](s)(s.Meta(s.Context(), "kind")), "demo")
		s.equal(get[string](s)(s.Meta(s.Context(), "other")), "")
	},
	"times are kept to the millisecond, in UTC": func(s env) {
		at := time.Date(2026, 3, 28, 23, 30, 0, 123_000_000, time.UTC)
		u := user("ann", "ann@example.com")
		u.CreatedAt, u.SweepUntil = at, at.Add(time.Millisecond)
		s.ok(s.AddUser(s.Context(), u, nil))
		got := get[market.User](s)(s.User(s.Context(), "ann"))
		s.equal(got.CreatedAt.Format(time.RFC3339Nano), "2026-03-28T23:30:00.123Z")
		s.equal(got.SweepUntil.Format(time.RFC3339Nano), "2026-03-28T23:30:00.124Z")
	},
}
