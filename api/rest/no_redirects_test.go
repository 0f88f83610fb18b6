package rest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"secondring/api/rest"
)

// A redirect of any kind is an error: to another server, to the same one, and to http. The
// request reaches no other server.
func TestNoRedirectsFollowsNone(t *testing.T) {
	var elsewhere, here atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	asked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		here.Add(1)
		http.Redirect(w, r, r.URL.Query().Get("to"), len(r.Header.Get("Kind"))) // the length of the header is the status
	}))
	t.Cleanup(asked.Close)
	asks := int64(0)
	for _, client := range []*http.Client{rest.NoRedirects(nil), rest.NoRedirects(&http.Client{Timeout: time.Minute})} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			for _, to := range []string{other.URL, "/here", "http://" + strings.TrimPrefix(other.URL, "http://") + "/v1"} {
				for _, method := range []string{http.MethodGet, http.MethodPost} {
					r, err := http.NewRequestWithContext(t.Context(), method, asked.URL+"/?to="+to, strings.NewReader("code=secret"))
					if err != nil {
						t.Fatal(err)
					}
					r.Header.Set("Kind", strings.Repeat("x", status))
					asks++
					answer, err := client.Do(r)
					if err == nil {
						_, _ = io.Copy(io.Discard, answer.Body)
						_ = answer.Body.Close()
						t.Errorf("%s, %d to %s: %s", method, status, to, answer.Status)
					}
				}
			}
		}
	}
	if elsewhere.Load() != 0 || here.Load() != asks {
		t.Errorf("%d came elsewhere, and %d of %d here", elsewhere.Load(), here.Load(), asks)
	}
}
