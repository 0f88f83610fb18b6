package apitest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"secondring/api/site"
	"secondring/market"
)

func TestConfig(t *testing.T) {
	w := newEnv(t, func(s *setup) {
		s.config.Settings = site.Settings{
			Product: "SecondRing", Google: true, Advertise: "all", Payouts: "manual", Turn: 900,
			Stripe:       site.Stripe{PublishableKey: "pk_test_1", Sandbox: true},
			ImageHost:    site.ImageHost{URL: "/images", Key: "k"},
			Contact:      site.Contact{Email: "hello@phones.example", Phone: "+880 1", Location: "Dhaka, Bangladesh"},
			VerifiedText: "Write to us",
		}
	})
	got := w.visitor().get("/config").is(http.StatusOK)
	const want = `{"product":"SecondRing","stripe":{"publishableKey":"pk_test_1","sandbox":true},"google":true,` +
		`"imageHost":{"url":"/images","key":"k"},"contact":{"email":"hello@phones.example","phone":"+880 1",` +
		`"location":"Dhaka, Bangladesh"},"advertise":"all","payouts":"manual","turn":900,"verifiedText":"Write to us"}`
	if string(got.body) != want {
		t.Errorf("got  %s\nwant %s", got.body, want)
	}
	demo := newEnv(t, func(s *setup) {
		s.config.Settings.DemoLogins = []site.DemoLogin{{Role: "admin", Email: "a@phones.example", Password: "secret"}}
	})
	if got := demo.visitor().get("/config"); !strings.Contains(string(got.body), `"demoLogins":[{"role":"admin","email":"a@phones.example","password":"secret"}]`) {
		t.Errorf("got %s", got.body)
	}
}

func TestHealth(t *testing.T) {
	well := newEnv(t)
	ill := newEnv(t, func(s *setup) { s.config.Ready = away })
	well.visitor().get("/healthz").is(http.StatusOK)
	well.visitor().get("/readyz").is(http.StatusOK)
	ill.visitor().get("/healthz").is(http.StatusOK)
	got := ill.visitor().get("/readyz")
	if got.refused(http.StatusServiceUnavailable, market.CodeUnavailable); got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if strings.Contains(string(got.body), errAway.Error()) || !strings.Contains(ill.log.String(), errAway.Error()) {
		t.Errorf("the cause belongs in the log only: %s", got.body)
	}
}

func TestMetrics(t *testing.T) {
	t.Run("200 by route and status, for callers on this machine", func(t *testing.T) {
		w := newEnv(t)
		w.visitor().get("/booking/not-for-metrics")
		w.visitor().get("/nowhere/not-for-metrics")
		w.send("BREW", "/login", nil)
		got := string(w.visitor().get("/metrics").is(http.StatusOK).body)
		for _, line := range []string{
			`secondring_http_requests_total{method="GET",route="/booking/{id}",status="401"} 1`,
			`secondring_http_requests_total{method="GET",route="unmatched",status="404"} 1`,
			`secondring_http_requests_total{method="other",route="unmatched",status="405"} 1`,
			`secondring_http_request_duration_seconds_count{method="GET",route="/booking/{id}"} 1`,
		} {
			if !strings.Contains(got, line) {
				t.Errorf("no %s", line)
			}
		}
		if strings.Contains(got, "not-for-metrics") {
			t.Error("a path got into the metrics")
		}
	})
	t.Run("403 through a proxy", func(t *testing.T) {
		w := newEnv(t)
		w.visitor().get("/metrics", header("X-Forwarded-For", "127.0.0.1")).refused(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("403 for callers elsewhere", func(t *testing.T) {
		w := newEnv(t, trustLoopback)
		w.visitor().get("/metrics", header("X-Forwarded-For", "203.0.113.9")).refused(http.StatusForbidden, market.CodeForbidden)
		w.visitor().get("/metrics").is(http.StatusOK)
	})
	t.Run("404 if they have a separate listener", func(t *testing.T) {
		w := newEnv(t, func(s *setup) { s.config.MetricsOnLoopback = false })
		w.visitor().get("/metrics").refused(http.StatusNotFound, market.CodeNotFound)
	})
}

// openAPIDocument is the part of the document that the tests use.
type openAPIDocument struct {
	OpenAPI string
	Paths   map[string]map[string]struct {
		OperationID string
		Tags        []string
		Parameters  []struct {
			Name, In string
			Required bool
		}
		RequestBody *struct{ Content map[string]any }
		Responses   map[string]struct {
			Ref     string `json:"$ref"`
			Content map[string]any
		}
		Security []map[string][]string
	}
	Components struct {
		Responses       map[string]struct{ Content map[string]any }
		Schemas         map[string]struct{ Required []string }
		SecuritySchemes map[string]any
	}
	Tags []struct{ Name string }
}

func TestOpenAPI(t *testing.T) {
	w := newEnv(t)
	raw := w.visitor().get("/openapi.json").is(http.StatusOK).body
	var doc openAPIDocument
	must(t, json.Unmarshal(raw, &doc))
	if doc.OpenAPI != "3.1.0" || doc.Components.SecuritySchemes["bearer"] == nil || doc.Components.SecuritySchemes["cookie"] == nil {
		t.Errorf("openapi %q, schemes %v", doc.OpenAPI, doc.Components.SecuritySchemes)
	}
	t.Run("every call of the table", func(t *testing.T) {
		for _, call := range w.routes() {
			op, there := doc.Paths[call.Path][strings.ToLower(call.Method)]
			if !there || op.OperationID != call.ID || len(op.Tags) != 1 || op.Tags[0] != call.Tag {
				t.Errorf("%s %s: %+v", call.Method, call.Path, op)
			}
			if !slices.ContainsFunc(doc.Tags, func(tag struct{ Name string }) bool { return tag.Name == call.Tag }) {
				t.Errorf("%s %s has the tag %q, which is not described", call.Method, call.Path, call.Tag)
			}
			if _, there := op.Responses[fmt.Sprint(call.Success())]; !there || (call.Body != nil) != (op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil) {
				t.Errorf("%s %s: body or answer is missing", call.Method, call.Path)
			}
			for _, name := range strings.Split(call.Path, "{")[1:] {
				name, _, _ = strings.Cut(name, "}")
				if len(op.Parameters) == 0 || op.Parameters[0].Name != name || !op.Parameters[0].Required {
					t.Errorf("%s %s does not describe %s", call.Method, call.Path, name)
				}
			}
		}
	})
	t.Run("who may call, and every refusal", func(t *testing.T) {
		op := doc.Paths["/bookings"]["put"]
		if len(op.Security) != 2 || op.Security[0]["bearer"] == nil || op.Security[1]["cookie"] == nil {
			t.Errorf("security %v", op.Security)
		}
		for _, status := range []string{"200", "400", "401", "403", "404", "409", "413", "422", "429", "500", "503"} {
			answer := op.Responses[status]
			if name, shared := strings.CutPrefix(answer.Ref, "#/components/responses/"); shared {
				answer.Content = doc.Components.Responses[name].Content
			}
			if answer.Content["application/json"] == nil {
				t.Errorf("no %s", status)
			}
		}
		if both := doc.Paths["/products/advertised"]["get"].Security; len(both) != 3 || len(both[2]) != 0 {
			t.Errorf("the optional credentials: %v", both)
		}
	})
	t.Run("required fields", func(t *testing.T) {
		got := doc.Components.Schemas["BookingRequest"].Required
		if slices.Sort(got); !slices.Equal(got, []string{"phone", "productID"}) {
			t.Errorf("a booking requires %v", got)
		}
	})
}

func TestDocs(t *testing.T) {
	w := newEnv(t)
	page := w.visitor().get("/docs").is(http.StatusOK)
	if page.Header.Get("Content-Type") != "text/html; charset=utf-8" || strings.Contains(string(page.body), "<script") {
		t.Errorf("%v", page.Header)
	}
	for _, call := range w.routes() {
		if !strings.Contains(string(page.body), `id="`+call.ID+`"`) {
			t.Errorf("%s %s is not on the page", call.Method, call.Path)
		}
	}
	w.visitor().get("/docs/style.css").is(http.StatusOK)
}
