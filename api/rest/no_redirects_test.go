package rest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/api/rest"
)

// A redirect of any kind is an error: to another server, to the same one, and to http. The
// request reaches no other server.
func TestNoRedirectsFollowsNone(t *testing.T) {
	var followed, received atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		received.Add(1)
		status, _ := strconv.Atoi(r.URL.Query().Get("status"))
		http.Redirect(w, r, r.URL.Query().Get("to"), status)
	}))
	t.Cleanup(server.Close)
	sent := int64(0)
	for _, client := range []*http.Client{rest.NoRedirects(nil), rest.NoRedirects(&http.Client{Timeout: time.Minute})} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			for _, to := range []string{other.URL, "/other", "http://" + strings.TrimPrefix(other.URL, "http://") + "/v1"} {
				for _, method := range []string{http.MethodGet, http.MethodPost} {
					target := fmt.Sprintf("%s/?status=%d&to=%s", server.URL, status, to)
					r, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader("code=secret"))
					if err != nil {
						t.Fatal(err)
					}
					sent++
					response, err := client.Do(r)
					if err == nil {
						_, _ = io.Copy(io.Discard, response.Body)
						_ = response.Body.Close()
						t.Errorf("%s redirected by %d to %s: %s, want an error", method, status, to, response.Status)
					}
				}
			}
		}
	}
	if followed.Load() != 0 || received.Load() != sent {
		t.Errorf("%d redirects were followed, and %d of %d requests received", followed.Load(), received.Load(), sent)
	}
}
