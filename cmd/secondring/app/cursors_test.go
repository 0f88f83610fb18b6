package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/cmd/secondring/nodetest"
)

// A cursor is valid on every node with the same TOKEN_SECRET, and after a restart with the
// secret in DATA_DIR. A server with another secret refuses it.
func TestCursorsAreValidOnEveryNodeWithTheSecret(t *testing.T) {
	shared := map[string]string{"TOKEN_SECRET": strings.Repeat("s", 32)}
	stored := map[string]string{"DATA_DIR": t.TempDir()}
	first, single := start(t, nodetest.Settings(t, shared)), start(t, nodetest.Settings(t, stored))
	sharedLink, storedLink := secondPage(t, first), secondPage(t, single)
	if err := single.stop(); err != nil {
		t.Fatal(err)
	}
	second, restarted := start(t, nodetest.Settings(t, shared)), start(t, nodetest.Settings(t, stored))
	for _, c := range []struct {
		srv    *testServer
		link   string
		status int
	}{
		{second, sharedLink, http.StatusOK},
		{restarted, storedLink, http.StatusOK},
		{restarted, sharedLink, http.StatusBadRequest},
		{first, storedLink, http.StatusBadRequest},
	} {
		if got, _ := c.srv.get(c.link); got != c.status {
			t.Errorf("GET %s returns %d, want %d", c.link, got, c.status)
		}
	}
}

// secondPage returns the URL of the second page of the brands.
func secondPage(t *testing.T, s *testServer) string {
	t.Helper()
	header := s.newBrowser().call(http.MethodGet, "/allCategories?limit=2", nil, nil).Get("Link")
	link, _, found := strings.Cut(strings.TrimPrefix(header, "<"), ">")
	if u, err := url.Parse(link); !found || err != nil || u.Query().Get("cursor") == "" {
		t.Fatalf("the Link header is %q, want a URL with a cursor", header)
	}
	return link
}
