package apitest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"secondring/api/site"
)

const settingsBegin = `<script id="config" type="application/json">`

// settingsIn returns the settings in the head of a page, up to the end of the element.
func settingsIn(t *testing.T, page response) string {
	t.Helper()
	head, _, complete := strings.Cut(string(page.body), "</head>")
	_, rest, opened := strings.Cut(head, settingsBegin)
	settings, _, closed := strings.Cut(rest, "</script>")
	if !complete || !opened || !closed || strings.Count(string(page.body), settingsBegin) != 1 {
		t.Fatalf("the page does not contain its settings once: %.500s", page.body)
	}
	return settings
}

func TestPageContainsSettings(t *testing.T) {
	const hostile = "</script><script>alert(1)</script><!--<script> </head> & \u2028 \"q\" 'q' \\ </SCRIPT >"
	e := newEnv(t, func(s *setup) {
		s.config.Settings.Contact = site.Contact{Email: hostile, Phone: hostile, Location: hostile}
		s.config.Settings.ImageHost = site.ImageHost{URL: "/images", Key: hostile}
		s.config.Settings.DemoLogins = []site.DemoLogin{{Role: "admin", Email: "a@phones.example", Password: hostile}}
	})
	seller := e.seller("Sue")
	phone := "/phone/" + seller.addPhone(e.brand("Nokia"))
	want := string(e.visitor().get("/config").wantStatus(http.StatusOK).body)
	for name, page := range map[string]response{
		"the visitor's": e.visitor().get("/signUp").wantStatus(http.StatusOK),
		"the user's":    seller.withCookie(http.MethodGet, "/dashboard", nil).wantStatus(http.StatusOK),
		"the phone's":   e.visitor().get(phone).wantStatus(http.StatusOK),
		"the brands'":   e.send(http.MethodGet, "/categories", nil, acceptHTML).wantStatus(http.StatusOK),
		"the unknown":   e.send(http.MethodGet, "/nowhere", nil, acceptHTML).wantStatus(http.StatusNotFound),
	} {
		got := settingsIn(t, page)
		if got != want {
			t.Errorf("%s page: got  %s\nwant %s", name, got, want)
		}
		if strings.ContainsAny(got, "<>&\u2028") {
			t.Errorf("%s page: a value can end the element: %s", name, got)
		}
		var settings site.Settings
		must(t, json.Unmarshal([]byte(got), &settings))
		if settings.Contact.Location != hostile || settings.DemoLogins[0].Password != hostile {
			t.Errorf("%s page: a value has changed: %+v", name, settings)
		}
		if scripts := directives(page.Header.Get("Content-Security-Policy"))["script-src"]; scripts != "'self'" {
			t.Errorf("%s page: script-src is %s, want 'self'", name, scripts)
		}
	}
}

func TestPageETagDependsOnSettings(t *testing.T) {
	before := newEnv(t)
	after := newEnv(t, func(s *setup) { s.config.Settings.Google = true })
	for _, encoding := range []string{"gzip", "identity"} {
		cached := before.visitor().get("/signUp", header("Accept-Encoding", encoding))
		request := []func(*http.Request){header("Accept-Encoding", encoding), header("If-None-Match", cached.Header.Get("ETag"))}
		before.visitor().get("/signUp", request...).wantStatus(http.StatusNotModified)
		if got := after.visitor().get("/signUp", request...).wantStatus(http.StatusOK); got.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("Cache-Control is %q, want no-cache", got.Header.Get("Cache-Control"))
		}
	}
}
