package apitest_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"secondring/market"
)

const browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"

var acceptHTML = header("Accept", browserAccept)

func isClient(a response) bool { return strings.Contains(string(a.body), "<title>SecondRing</title>") }

func TestScreens(t *testing.T) {
	e := newEnv(t)
	t.Run("200 with the client", func(t *testing.T) {
		for _, path := range []string{
			"/", "/signUp", "/login", "/blog", "/contact", "/category/65f0", "/dashboard", "/dashboard/myOrders",
			"/dashboard/allBuyers", "/dashboard/allSellers", "/dashboard/reportedItems", "/dashboard/addProduct",
			"/dashboard/myProducts", "/dashboard/myProducts/65f0", "/dashboard/payment/65f0", "/login?from=%2Fdashboard",
		} {
			for _, accept := range []string{browserAccept, "*/*", ""} {
				got := e.send(http.MethodGet, path, nil, header("Accept", accept)).wantStatus(http.StatusOK)
				if !isClient(got) || got.Header.Get("Cache-Control") != "no-cache" {
					t.Errorf("%s for Accept %q is not the client: %v", path, accept, got.Header)
				}
			}
			if got := e.send(http.MethodHead, path, nil).wantStatus(http.StatusOK); len(got.body) != 0 || got.Header.Get("Content-Type") != "text/html; charset=utf-8" {
				t.Errorf("HEAD %s: %v", path, got.Header)
			}
		}
	})
	t.Run("404 with the client for a browser, with JSON for others", func(t *testing.T) {
		for _, path := range []string{"/nowhere", "/dashboard/nowhere", "/category", "/category/1/2", "/phone/", "/Logins/", "/index.html", "/assets/none.js", "/assets/", "/photos/", "/photos/none.jpg", "/users/x/y"} {
			if got := e.send(http.MethodGet, path, nil, acceptHTML).wantStatus(http.StatusNotFound); !isClient(got) {
				t.Errorf("the 404 of %s is not the client: %s", path, got.body)
			}
			e.send(http.MethodGet, path, nil).wantError(http.StatusNotFound, market.CodeNotFound)
			e.send(http.MethodGet, path, nil, header("Accept", "*/*")).wantError(http.StatusNotFound, market.CodeNotFound)
		}
		e.send(http.MethodPost, "/nowhere", nil, acceptHTML).wantError(http.StatusNotFound, market.CodeNotFound)
	})
	t.Run("301 for a path that means a screen, with the query", func(t *testing.T) {
		phone := e.seller("Sue").addPhone(e.brand("Nokia"))
		for path, screen := range map[string]string{
			"/phone/" + phone + "/": "/phone/" + phone, "/phone/" + phone + "/?from=chat&x=%20": "/phone/" + phone + "?from=chat&x=%20", "/Phone/" + phone: "/phone/" + phone,
			"/signup": "/signUp", "/SIGNUP/?a=b": "/signUp?a=b", "/Login": "/login", "/search/?q=a": "/search?q=a", "/Blog/": "/blog",
			"/category/AbC%2Fd/": "/category/AbC%2Fd", "/Dashboard/myorders": "/dashboard/myOrders", "/dashboard/": "/dashboard", "/dashboard/payment/65f0/": "/dashboard/payment/65f0",
			"/categories/": "/categories", "/secondfactor": "/secondFactor",
		} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				for _, accept := range []string{browserAccept, "*/*"} {
					if got := e.send(method, path, nil, header("Accept", accept)).wantStatus(http.StatusMovedPermanently); got.Header.Get("Location") != screen {
						t.Errorf("%s %s leads to %q, want %q", method, path, got.Header.Get("Location"), screen)
					}
				}
			}
		}
		for _, path := range []string{"/%2Fevil.example/", "/phone/7/x/", "/products/" + phone + "/", "/jwt/"} {
			e.send(http.MethodGet, path, nil).wantStatus(http.StatusNotFound)
		}
		e.send(http.MethodPost, "/login/", nil).wantStatus(http.StatusNotFound)
	})
	t.Run("405 with the allowed methods for another method", func(t *testing.T) {
		for call, allow := range map[string]string{
			"POST /login": "GET, HEAD", "DELETE /bookings": "GET, HEAD, PUT", "PUT /products/65f0": "GET, HEAD, PATCH, DELETE",
			"POST /users/buyers": "GET, HEAD, DELETE", "PUT /config": "GET, HEAD", "GET /users": "POST",
		} {
			method, path, _ := strings.Cut(call, " ")
			got := e.send(method, path, nil)
			if got.wantError(http.StatusMethodNotAllowed, "method_not_allowed"); got.Header.Get("Allow") != allow {
				t.Errorf("%s: Allow is %q, want %q", call, got.Header.Get("Allow"), allow)
			}
		}
	})
}

func TestVisitorPageHasVisitorMark(t *testing.T) {
	e := newEnv(t)
	const visitorMark = `name="session" content="none"`
	visitor := e.visitor().get("/")
	user := e.buyer("Rafi").withCookie(http.MethodGet, "/", nil)
	if !strings.Contains(string(visitor.body), visitorMark) || strings.Contains(string(user.body), visitorMark) {
		t.Errorf("the visitor's page has no mark, or the user's has one: %.90s, %.90s", visitor.body, user.body)
	}
	if visitor.Header.Get("ETag") == user.Header.Get("ETag") || !strings.Contains(strings.Join(visitor.Header.Values("Vary"), ","), "Cookie") {
		t.Errorf("the pages of visitors and users have the same ETag, or no Vary: Cookie: %v", visitor.Header)
	}
}

func TestCategoriesServesAPIAndScreen(t *testing.T) {
	e := newEnv(t)
	for accept, screen := range map[string]bool{
		browserAccept: true, "text/html": true, "application/json, text/html": true, "text/html;q=0.5, application/json;q=0.5": true,
		"text/html;q=0.4, application/json;q=0.5": false, "*/*": false, "": false, "application/json": false,
		"text/*": false, "text/html;q=0": false, "text/html;q=0.9, */*": false, "TEXT/HTML": true,
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			got := e.send(method, "/categories", nil, header("Accept", accept)).wantStatus(http.StatusOK)
			if isScreen := strings.HasPrefix(got.Header.Get("Content-Type"), "text/html"); isScreen != screen {
				t.Errorf("%s for Accept %q has the type %s", method, accept, got.Header.Get("Content-Type"))
			}
			if !varies(got.Header, "Accept") {
				t.Errorf("for Accept %q Vary is %v", accept, got.Header.Values("Vary"))
			}
		}
	}
}

func TestFiles(t *testing.T) {
	e := newEnv(t)
	const path = "/assets/app-1a.js"
	want, err := clientFiles.ReadFile("assets/app-1a.js")
	must(t, err)

	t.Run("200 with an immutable file, compressed if the client accepts it", func(t *testing.T) {
		plain := e.visitor().get(path).wantStatus(http.StatusOK)
		if !bytes.Equal(plain.body, want) || plain.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			plain.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("the file has another content or the headers %v", plain.Header)
		}
		if got := e.visitor().get(path, header("Accept-Encoding", "gzip;q=0, br")); !bytes.Equal(got.body, want) {
			t.Error("the file is compressed for a client that refuses gzip")
		}
		compressed := e.visitor().get(path, header("Accept-Encoding", "br, gzip;q=0.8")).wantStatus(http.StatusOK)
		if !bytes.Equal(compressed.gunzip(), want) || !varies(compressed.Header, "Accept-Encoding") || compressed.Header.Get("ETag") == plain.Header.Get("ETag") {
			t.Errorf("the compressed file has another content or wrong headers: %v", compressed.Header)
		}
	})
	t.Run("304 for the page", func(t *testing.T) {
		for _, encoding := range []string{"gzip", "identity"} {
			tag := e.visitor().get("/", header("Accept-Encoding", encoding)).Header.Get("ETag")
			e.visitor().get("/", header("Accept-Encoding", encoding), header("If-None-Match", tag)).wantStatus(http.StatusNotModified)
		}
	})
	t.Run("200 for the icon and the photographs", func(t *testing.T) {
		if got := e.visitor().get("/favicon.svg").wantStatus(http.StatusOK); got.Header.Get("Content-Type") != "image/svg+xml" || got.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s has the headers %v", got.request, got.Header)
		}
		if got := e.visitor().get("/photos/CREDITS.txt").wantStatus(http.StatusOK); got.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("Cache-Control is %q for a file whose name has no hash, want no-cache", got.Header.Get("Cache-Control"))
		}
		if got := e.visitor().get("/photos/one-0123456789-320.webp").wantStatus(http.StatusOK); got.Header.Get("Content-Type") != "image/webp" || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s has the headers %v", got.request, got.Header)
		}
		if got := e.visitor().get("/photos/one-0123456789.svg", header("Accept-Encoding", "gzip")).wantStatus(http.StatusOK); got.Header.Get("Content-Type") != "image/svg+xml" || got.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("an SVG is not compressed: %v", got.Header)
		}
		if got := e.visitor().get("/photos/one-0123456789.jpg").wantStatus(http.StatusOK); got.Header.Get("Content-Type") != "image/jpeg" || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s has the headers %v", got.request, got.Header)
		}
	})
}
