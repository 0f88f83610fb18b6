package apitest_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var metas = regexp.MustCompile(`<(?:meta|link) (?:name|property|rel)="([^"]+)" (?:content|href)="([^"]*)" />`)

// head returns the title and the meta tags of a page by name.
func head(a response) map[string]string {
	all := map[string]string{}
	for _, m := range metas.FindAllStringSubmatch(string(a.body), -1) {
		all[m[1]] = html.UnescapeString(m[2])
	}
	_, title, _ := strings.Cut(string(a.body), "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	all["title"] = html.UnescapeString(title)
	return all
}

func TestPhonePageHead(t *testing.T) {
	e := newEnv(t)
	brand := e.brand("Nokia")
	seller := e.seller("Sue")
	const hostile = `"><script>alert(1)</script>'&$1 </title>`
	id := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("name", "3310 "+hostile).
		with("description", "Two\n\tlines "+hostile+strings.Repeat(" word", 100)).with("img", "/photos/one.jpg?a=1&b=2")).insertedID()
	path := "/phone/" + id

	t.Run("200 with metadata for link previews", func(t *testing.T) {
		got := e.send(http.MethodGet, path, nil, acceptHTML).wantStatus(http.StatusOK)
		metadata := head(got)
		for name, want := range map[string]string{
			"title": "3310 " + hostile + " for $120 · SecondRing", "og:title": "3310 " + hostile + " for $120",
			"og:url": e.server.URL + path, "canonical": e.server.URL + path, "twitter:card": "summary_large_image",
			"og:image": e.server.URL + "/photos/one.jpg?a=1&b=2", "og:type": "product", "og:site_name": "SecondRing",
		} {
			if metadata[name] != want {
				t.Errorf("%s is %q, want %q", name, metadata[name], want)
			}
		}
		about := metadata["description"]
		if !strings.HasPrefix(about, "Nokia, good condition, used for 2 years, $120 instead of $350. Two lines "+hostile) ||
			!strings.HasSuffix(about, "word…") || len([]rune(about)) > 201 || about != metadata["og:description"] {
			t.Errorf("the description is %q", about)
		}
		if strings.Contains(string(got.body), "<script>") || strings.Count(string(got.body), "<title>") != 1 {
			t.Errorf("the page contains values that are not escaped: %s", got.body)
		}
		for _, secret := range contactData {
			if strings.Contains(string(got.body), secret) {
				t.Errorf("the page contains %q", secret)
			}
		}
		member := seller.withCookie(http.MethodGet, path, nil)
		if !strings.Contains(string(got.body), `content="none"`) || strings.Contains(string(member.body), `content="none"`) {
			t.Error("the page of a visitor has no visitor mark, or the page of a user has one")
		}
		if !varies(got.Header, "Cookie") || got.Header.Get("Cache-Control") != "no-cache" || got.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("the page has the headers %v", got.Header)
		}
	})
	t.Run("304 while nothing changes", func(t *testing.T) {
		first := e.visitor().get(path)
		again := header("If-None-Match", first.Header.Get("ETag"))
		e.visitor().get(path, again).wantStatus(http.StatusNotModified)
		seller.do(http.MethodPatch, "/products/"+id, fields{"resalePrice": 99}).wantCount("modifiedCount", 1)
		if metadata := head(e.visitor().get(path, again).wantStatus(http.StatusOK)); !strings.Contains(metadata["title"], "$99") {
			t.Errorf("after the change the title is %s", metadata["title"])
		}
	})
	t.Run("200 for a booked phone with a picture of another site", func(t *testing.T) {
		other := seller.do(http.MethodPost, "/products", seller.phoneFields(brand).with("img", "https://i.example/a.jpg")).insertedID()
		e.buyer("Bob").book(other)
		metadata := head(e.visitor().get("/phone/" + other).wantStatus(http.StatusOK))
		if metadata["og:image"] != "https://i.example/a.jpg" || !strings.HasPrefix(metadata["description"], "Booked. ") || metadata["og:image:alt"] != "Nexus 5" {
			t.Errorf("the metadata of the page is %v", metadata)
		}
	})
	t.Run("404 with the client for an unknown path", func(t *testing.T) {
		for _, id := range []string{"none", strings.Repeat("0", 24), "%00", "a%2fb"} {
			if got := e.send(http.MethodGet, "/phone/"+id, nil, acceptHTML).wantStatus(http.StatusNotFound); !isClient(got) {
				t.Errorf("the page of %s is not the client: %s", id, got.body)
			}
		}
	})
}

// If the store is unavailable, the page is served without the phone's metadata. The client
// shows the error and a retry button.
func TestPhonePageWhileTheStoreIsUnavailable(t *testing.T) {
	e := newEnv(t)
	must(t, e.store.Close())
	if got := e.send(http.MethodGet, "/phone/any", nil, acceptHTML).wantStatus(http.StatusOK); !isClient(got) {
		t.Errorf("the page is not the client: %s", got.body)
	}
}

func TestPhonePageAboveTheRateLimitHasNoHead(t *testing.T) {
	const limit = 20
	e := newEnv(t, limitedTo(limit), trustLoopback)
	path := "/phone/" + e.seller("Sue").addPhone(e.brand("Nokia"))
	page := func(from string) (title string) {
		got := e.visitor().get(path, header("Accept", "text/html"), forwardedFor(from)).wantStatus(http.StatusOK)
		return head(got)["title"]
	}
	title, plain := page("203.0.113.1"), false
	for range 10 * limit {
		plain = plain || page("203.0.113.1") != title
	}
	if !plain || !strings.HasPrefix(title, "Nexus 5") {
		t.Errorf("the title is always %q, want the plain one above the rate limit", title)
	}
	if got := page("203.0.113.2"); got != title {
		t.Errorf("another address gets the title %q, want %q", got, title)
	}
}
