package identity_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"secondring/api/identity"
)

// BenchmarkStrangersAndMembers measures whether response times reveal which addresses have
// an account: those of a failed sign-in and of a request for a new password, alternating, a
// thousand of each. It reports medians, in microseconds, and their ratio.
//
//	go test ./api/identity -run '^$' -bench StrangersAndMembers -benchtime 1x
func BenchmarkStrangersAndMembers(b *testing.B) {
	const each = 1000
	for name, call := range map[string]struct {
		path string
		body func(email string) fields
		want int
	}{
		"sign-in": {"/identity/sign-in", func(email string) fields { return fields{"email": email, "password": "a wrong password"} }, http.StatusUnauthorized},
		"forgot":  {"/identity/forgot", func(email string) fields { return fields{"email": email} }, http.StatusNoContent},
	} {
		b.Run(name, func(b *testing.B) {
			e := benchEnv(b)
			var members, strangers []time.Duration
			for i := range each {
				for _, member := range []bool{i%2 == 0, i%2 != 0} {
					email := fmt.Sprintf("stranger%d@example.com", i)
					if member {
						email = fmt.Sprintf("member%d@example.com", i%50)
					}
					start := time.Now()
					e.browser().do(http.MethodPost, call.path, call.body(email)).wantStatus(call.want)
					if took := time.Since(start); member {
						members = append(members, took)
					} else {
						strangers = append(strangers, took)
					}
				}
			}
			m, s := median(members), median(strangers)
			b.ReportMetric(m, "member-µs")
			b.ReportMetric(s, "stranger-µs")
			b.ReportMetric(s/m, "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// median returns the median in microseconds.
func median(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2].Nanoseconds()) / 1000
}

// benchEnv is an emailEnv with fifty members and no limits.
func benchEnv(b *testing.B) *emailEnv {
	b.Helper()
	e := newEmailEnv(b, func(c *identity.Config) { c.Unlimited = true })
	for i := range 50 {
		e.browser().signUp(fmt.Sprintf("member%d@example.com", i), adaPass).wantStatus(http.StatusCreated)
	}
	return e
}
