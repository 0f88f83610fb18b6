package apitest_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// Every call that reads a body stops at its limit and responds, whatever length the request
// announces or has.
func TestEveryCallStopsReadingAtItsBodyLimit(t *testing.T) {
	e := newEnv(t)
	seller := e.seller("Sue")
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	for _, call := range e.routes() {
		if call.Body == nil && call.Form == nil && call.Path != "/stripe/webhook" {
			continue
		}
		for length, head := range map[string]string{"with Content-Length": "Content-Length: 4294967296\r\n", "chunked": "Transfer-Encoding: chunked\r\n"} {
			t.Run(call.Method+" "+call.Path+" "+length, func(t *testing.T) {
				metrics.Read(sample)
				before := sample[0].Value.Uint64()
				media := "application/json"
				if call.Form != nil {
					media = "multipart/form-data; boundary=b"
				}
				status, sent := e.sendEndlessBody(t, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nCookie: %s=%s\r\nContent-Type: %s\r\n%s\r\n",
					call.Method, path(call.Path, "x"), seller.token, sessionCookie, seller.cookie, media, head), head)
				metrics.Read(sample)
				if got := sample[0].Value.Uint64() - before; got > 32<<20 {
					t.Errorf("the request allocated %d MB, want at most 32", got>>20)
				}
				refused := status == http.StatusRequestEntityTooLarge
				if call.Form != nil { // a form may be wrong, and an upload for an unknown order is refused without reading it
					refused = refused || status == http.StatusBadRequest || status == http.StatusNotFound
				}
				if !refused || sent > 64<<20 {
					t.Errorf("status %d after %d MB, want 413 after at most 64 MB", status, sent>>20)
				}
			})
		}
	}
}

// sendEndlessBody sends a body without an end until there is a response. It returns the status
// and the number of bytes sent.
func (e *env) sendEndlessBody(t *testing.T, request, head string) (status int, sent int64) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(e.server.URL, "http://"))
	must(t, err)
	must(t, c.SetDeadline(time.Now().Add(3*time.Minute)))
	_, err = io.WriteString(c, request)
	must(t, err)
	counted := make(chan int64)
	go func() {
		var sent int64
		piece := bytes.Repeat([]byte(" "), 64<<10)
		if strings.HasPrefix(head, "Transfer") {
			piece = fmt.Appendf(nil, "%x\r\n%s\r\n", len(piece), piece)
		}
		for err := error(nil); err == nil && sent < 4<<30; sent += int64(len(piece)) {
			_, err = c.Write(piece)
		}
		counted <- sent
	}()
	_, err = fmt.Fscanf(c, "HTTP/1.1 %d ", &status)
	must(t, err)
	must(t, c.Close())
	return status, <-counted
}

// The server refuses a compressed body and does not decompress it.
func TestCompressedBodiesAreRefused(t *testing.T) {
	e := newEnv(t)
	var compressed bytes.Buffer
	z := gzip.NewWriter(&compressed)
	_, err := z.Write(bytes.Repeat([]byte(" "), 1<<20))
	must(t, err)
	must(t, z.Close())
	e.buyer("Bob").do(http.MethodPut, "/bookings", compressed.String(), header("Content-Encoding", "gzip")).
		wantError(http.StatusUnsupportedMediaType, "unsupported_media")
}

// The server refuses a cursor with a changed bit, a cursor of another list, and a cursor
// without a signature.
func TestForgedCursorsAreRefused(t *testing.T) {
	e := newEnv(t)
	brand, seller, other := e.brand("Nokia"), e.seller("Sue"), e.seller("Ned")
	for range 4 {
		seller.addPhone(brand)
		other.addPhone(brand)
	}
	own := "/products?limit=1&email=" + url.QueryEscape(seller.user.Email)
	cursor := seller.get(own).nextCursor()
	for at := range len(cursor) {
		for bit := range 8 {
			changed := []byte(cursor)
			changed[at] ^= 1 << bit
			seller.get(own+"&cursor="+url.QueryEscape(string(changed))).wantError(http.StatusBadRequest, market.CodeBadRequest)
		}
	}
	search := seller.get("/products/search?limit=1&sort=price-up").nextCursor()
	ofBrand := seller.get("/categories/" + brand.ID + "?limit=1").nextCursor()
	unsigned := base64.RawURLEncoding.EncodeToString([]byte("1:" + market.NewID(e.clock.Now())))
	for _, forged := range []string{search, ofBrand, unsigned, cursor + cursor, cursor + "=", " " + cursor, "", strings.Repeat(cursor, 200), `{"$gt":""}`, "MTo"} {
		seller.get(own+"&cursor="+url.QueryEscape(forged)).wantError(http.StatusBadRequest, market.CodeBadRequest)
	}
	for _, page := range []string{"/products/search?limit=1&sort=price-down", "/products/search?limit=1&sort=price-up&q=nexus", "/categories/" + brand.ID + "?limit=1&sort=saving"} {
		seller.get(page+"&cursor="+url.QueryEscape(search)).wantError(http.StatusBadRequest, market.CodeBadRequest)
	}
	theirs := other.get("/products?limit=1&email=" + url.QueryEscape(other.user.Email)).nextCursor()
	for _, item := range seller.get(own + "&cursor=" + url.QueryEscape(theirs)).items() {
		if item["email"] != seller.user.Email {
			t.Errorf("the cursor of another seller shows a phone of %v", item["email"])
		}
	}
}
