package apitest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/api"
)

// line is a connection that the same call is made on again and again.
type line struct {
	t      *testing.T
	conn   net.Conn
	r      *bufio.Reader
	active *atomic.Int64 // calls that net/http has read, of all lines
}

// listens opens lines to a server of a world's.
func (w *world) listens(t *testing.T, change ...func(*api.Config)) func() *line {
	t.Helper()
	config := w.config
	config.Registry = nil
	for _, change := range change {
		change(&config)
	}
	handler, err := api.New(config)
	must(t, err)
	active := new(atomic.Int64)
	server := httptest.NewUnstartedServer(handler)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateActive {
			active.Add(1)
		}
	}
	server.Listener = api.Listen(server.Listener, server.Config, 0)
	server.Start()
	t.Cleanup(server.Close)
	return func() *line {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		must(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		must(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
		return &line{t: t, conn: conn, r: bufio.NewReader(conn), active: active}
	}
}

// get makes a call, and tells whether net/http has read it.
func (l *line) get(path, token string, headers ...string) (got *http.Response, body string, read bool) {
	l.t.Helper()
	if token != "" {
		headers = append(headers, "Authorization: Bearer "+token)
	}
	before := l.active.Load()
	_, err := fmt.Fprintf(l.conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", path, strings.Join(append(headers, ""), "\r\n"))
	must(l.t, err)
	got, err = http.ReadResponse(l.r, nil)
	must(l.t, err)
	text, err := io.ReadAll(got.Body)
	must(l.t, err)
	must(l.t, got.Body.Close())
	return got, string(text), l.active.Load() > before
}

// again makes a call until net/http does not read it: now and then it does, for
// whose token it is, or what the command line may have changed.
func (l *line) again(path, token string, headers ...string) (got *http.Response, body string) {
	l.t.Helper()
	for range 100 {
		got, body, read := l.get(path, token, headers...)
		if !read {
			return got, body
		}
	}
	l.t.Fatalf("%s is read every time", path)
	return nil, ""
}

// said is what an answer says in its headers, but for what no two share.
func said(h http.Header) string {
	all := map[string]string{}
	for name, values := range h {
		if name != "X-Request-Id" && name != "Date" {
			all[name] = strings.Join(values, ", ")
		}
	}
	return fmt.Sprint(all)
}

// The same call is answered where it was read, with the same headers, until
// something else is true; then by the whole way.
func TestTheSameCallAgain(t *testing.T) {
	w := newWorld(t)
	brand, seller := w.brand("Nokia"), w.verified("Sue")
	phone := seller.sells(brand)
	l := w.listens(t)()
	paths := []string{"/categories/" + brand.ID, "/products?email=" + seller.user.Email, "/users/seller/" + seller.user.Email}
	for _, path := range paths {
		first, text, read := l.get(path, seller.token)
		if first.StatusCode != http.StatusOK || !read {
			t.Fatalf("%s: %d", path, first.StatusCode)
		}
		again, same := l.again(path, seller.token)
		if same != text {
			t.Errorf("%s: %.100s", path, same)
		}
		if again.Header.Get("X-Request-Id") == first.Header.Get("X-Request-Id") || again.Header.Get("Date") == "" {
			t.Errorf("%s: %v", path, again.Header)
		}
		if said(again.Header) != said(first.Header) {
			t.Errorf("%s: %v, and before %v", path, again.Header, first.Header)
		}
	}
	seller.do(http.MethodPatch, "/products/"+phone, fields{"resalePrice": 77}).is(http.StatusOK)
	for _, path := range paths[:2] {
		if _, text, read := l.get(path, seller.token); !read || !strings.Contains(text, `"resalePrice":77`) {
			t.Errorf("%s: read again %v, %.300s", path, read, text)
		}
		if _, text := l.again(path, seller.token); !strings.Contains(text, `"resalePrice":77`) {
			t.Errorf("%s again: %.300s", path, text)
		}
	}
	seller.withCookie(http.MethodPost, "/identity/sign-out", nil).is(http.StatusNoContent)
	if got, _, _ := l.get(paths[0], seller.token); got.StatusCode != http.StatusUnauthorized {
		t.Errorf("who has signed out is answered %d", got.StatusCode)
	}
}

// Each form of an answer comes again as it was, and what is not said in the
// same way is read.
func TestFormsOfTheSameCall(t *testing.T) {
	w := newWorld(t)
	brand, buyer := w.brand("Nokia"), w.buyer("Bob")
	seller := w.seller("Sue")
	for range 10 {
		seller.sells(brand)
	}
	open, path := w.listens(t), "/categories/"+brand.ID
	l := open()
	first, _, _ := l.get(path, buyer.token)
	for name, c := range map[string]struct {
		header string
		status int
	}{
		"plain": {"Accept: */*", http.StatusOK}, "packed": {"Accept-Encoding: gzip, br", http.StatusOK},
		"unchanged": {"If-None-Match: " + first.Header.Get("Etag"), http.StatusNotModified},
	} {
		before, text, _ := l.get(path, buyer.token, c.header)
		other := open()
		after, same := other.again(path, buyer.token, c.header)
		if after.StatusCode != c.status || same != text || after.Header.Get("Content-Encoding") != before.Header.Get("Content-Encoding") {
			t.Errorf("%s: %s, %v", name, after.Status, after.Header)
		}
	}
	for _, never := range []string{"Connection: close", "Origin: http://elsewhere"} {
		other := open()
		other.again(path, buyer.token)
		if _, _, read := other.get(path, buyer.token, never); !read {
			t.Errorf("%s was not read", never)
		}
	}
}

// Calls that are answered where they were read count with all others: too many
// are refused, and all are in the log and the metrics.
func TestTheSameCallCounts(t *testing.T) {
	w := newWorld(t)
	brand, buyer := w.brand("Nokia"), w.buyer("Bob")
	l := w.listens(t, func(c *api.Config) { c.RateLimit = 20 })()
	path, repeated, answered := "/categories/"+brand.ID, 0, 0
	for n := 0; ; n++ {
		got, _, read := l.get(path, buyer.token)
		if !read {
			repeated++
			if id := got.Header.Get("X-Request-Id"); !strings.Contains(w.log.String(), id) {
				t.Errorf("the call %s is not in the log", id)
			}
		}
		if got.StatusCode == http.StatusTooManyRequests {
			if got.Header.Get("Retry-After") == "" || n < 20 || repeated == 0 {
				t.Errorf("refused after %d, %d of them repeated: %v", n, repeated, got.Header)
			}
			break
		}
		if answered++; n > 20_000 {
			t.Fatal("nobody counts them")
		}
	}
	if _, text, _ := l.get("/metrics", ""); !strings.Contains(text, fmt.Sprintf(`route="/categories/{id}",status="200"} %d`, answered)) {
		t.Errorf("%d answers are not counted: %s", answered, text)
	}
}
