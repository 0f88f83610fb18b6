package apitest_test

import (
	"net/http"
	"strings"
	"testing"

	"secondring/api/site"
	"secondring/market"
)

func TestConfig(t *testing.T) {
	e := newEnv(t, func(s *setup) {
		s.config.Settings = site.Settings{
			Product: "SecondRing", Google: true, Advertise: "all", SellerContact: "shown", Payouts: "manual",
			Hold: 3600, SendWithin: 432_000, Transit: 604_800, SettleAfter: 259_200, Turn: 900, OfferHold: 43_200,
			Stripe:       site.Stripe{PublishableKey: "pk_test_1", Sandbox: true},
			ImageHost:    site.ImageHost{URL: "/images", Key: "k"},
			Contact:      site.Contact{Email: "hello@phones.example", Phone: "+880 1", Location: "Dhaka, Bangladesh"},
			VerifiedText: "Write to us",
		}
	})
	got := e.visitor().get("/config").wantStatus(http.StatusOK)
	const want = `{"product":"SecondRing","stripe":{"publishableKey":"pk_test_1","sandbox":true},"google":true,` +
		`"imageHost":{"url":"/images","key":"k"},"contact":{"email":"hello@phones.example","phone":"+880 1",` +
		`"location":"Dhaka, Bangladesh"},"advertise":"all","sellerContact":"shown","payouts":"manual","hold":3600,"sendWithin":432000,"transit":604800,"settleAfter":259200,"turn":900,"offerHold":43200,"verifiedText":"Write to us"}`
	if string(got.body) != want {
		t.Errorf("got  %s\nwant %s", got.body, want)
	}
	demo := newEnv(t, func(s *setup) {
		s.config.Settings.DemoLogins = []site.DemoLogin{{Role: "admin", Email: "a@phones.example", Password: "secret"}}
	})
	if got := demo.visitor().get("/config"); !strings.Contains(string(got.body), `"demoLogins":[{"role":"admin","email":"a@phones.example","password":"secret"}]`) {
		t.Errorf("the configuration is %s", got.body)
	}
}

func TestHealth(t *testing.T) {
	ready := newEnv(t)
	unready := newEnv(t, func(s *setup) { s.config.Ready = alwaysUnavailable })
	ready.visitor().get("/healthz").wantStatus(http.StatusOK)
	ready.visitor().get("/readyz").wantStatus(http.StatusOK)
	unready.visitor().get("/healthz").wantStatus(http.StatusOK)
	got := unready.visitor().get("/readyz")
	got.wantUnavailable()
	if strings.Contains(string(got.body), errUnavailable.Error()) {
		t.Errorf("the response contains the cause: %s", got.body)
	}
	if !strings.Contains(unready.log.String(), errUnavailable.Error()) {
		t.Error("the log does not contain the cause")
	}
}

func TestMetrics(t *testing.T) {
	t.Run("200 with routes and statuses for callers on this machine", func(t *testing.T) {
		e := newEnv(t)
		e.visitor().get("/booking/not-for-metrics")
		e.visitor().get("/nowhere/not-for-metrics")
		e.send("BREW", "/login", nil)
		got := string(e.visitor().get("/metrics").wantStatus(http.StatusOK).body)
		for _, line := range []string{
			`secondring_http_requests_total{method="GET",route="/booking/{id}",status="401"} 1`,
			`secondring_http_requests_total{method="GET",route="unmatched",status="404"} 1`,
			`secondring_http_requests_total{method="other",route="unmatched",status="405"} 1`,
			`secondring_http_request_duration_seconds_count{method="GET",route="/booking/{id}"} 1`,
		} {
			if !strings.Contains(got, line) {
				t.Errorf("the metrics do not contain %s", line)
			}
		}
		if strings.Contains(got, "not-for-metrics") {
			t.Error("the metrics contain a path")
		}
	})
	t.Run("403 through a proxy", func(t *testing.T) {
		e := newEnv(t)
		e.visitor().get("/metrics", header("X-Forwarded-For", "127.0.0.1")).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("403 for callers on other machines", func(t *testing.T) {
		e := newEnv(t, trustLoopback)
		e.visitor().get("/metrics", header("X-Forwarded-For", "203.0.113.9")).wantError(http.StatusForbidden, market.CodeForbidden)
		e.visitor().get("/metrics").wantStatus(http.StatusOK)
	})
	t.Run("404 if the metrics have a separate listener", func(t *testing.T) {
		e := newEnv(t, func(s *setup) { s.config.MetricsOnLoopback = false })
		e.visitor().get("/metrics").wantError(http.StatusNotFound, market.CodeNotFound)
	})
}
