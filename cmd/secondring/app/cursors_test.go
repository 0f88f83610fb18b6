package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A cursor is valid wherever TOKEN_SECRET is the same, also after a restart with the
// secret in DATA_DIR, and nowhere else.
func TestCursorsAreValidOnEveryNodeWithTheSecret(t *testing.T) {
	shared := map[string]string{"TOKEN_SECRET": strings.Repeat("s", 32)}
	own := map[string]string{"DATA_DIR": t.TempDir()}
	here, alone := start(t, settingsFor(t, shared)), start(t, settingsFor(t, own))
	next, ownNext := secondPage(t, here), secondPage(t, alone)
	if err := alone.stop(); err != nil {
		t.Fatal(err)
	}
	there, again := start(t, settingsFor(t, shared)), start(t, settingsFor(t, own))
	for _, is := range []struct {
		where  *running
		link   string
		status int
	}{{there, next, http.StatusOK}, {again, ownNext, http.StatusOK}, {again, next, http.StatusBadRequest}, {here, ownNext, http.StatusBadRequest}} {
		if got, _ := is.where.status(is.link); got != is.status {
			t.Errorf("%s: %d, want %d", is.link, got, is.status)
		}
	}
}

// secondPage is the address of the brands' second page.
func secondPage(t *testing.T, r *running) string {
	t.Helper()
	link, _, found := strings.Cut(r.visitor().call(http.MethodGet, "/allCategories?limit=2", nil, nil).Get("Link"), ">")
	if u, err := url.Parse(link[1:]); !found || err != nil || u.Query().Get("cursor") == "" {
		t.Fatal(link)
	}
	return link[1:]
}
