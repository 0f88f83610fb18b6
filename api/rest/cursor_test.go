package rest_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"secondring/api/rest"
	"secondring/market"
)

func cursorKey(tb testing.TB, secret string) rest.CursorKey {
	tb.Helper()
	key, err := rest.NewCursorKey([]byte(secret))
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

// cursorIn returns the cursor in a Link header of this list.
func cursorIn(c rest.Cursors, s rest.CursorKey, r *http.Request, after string) string {
	link, _, _ := strings.Cut(strings.TrimPrefix(c.Next(s, r, market.Page{}, after), "<"), ">")
	_, query, _ := strings.Cut(link, "?")
	values, _ := url.ParseQuery(query)
	return values.Get("cursor")
}

// readCursor reads a cursor in the list of this path.
func readCursor(tb testing.TB, c rest.Cursors, s rest.CursorKey, path, cursor string) (string, error) {
	tb.Helper()
	page, err := c.ReadPage(s, get(tb, path+"?cursor="+url.QueryEscape(cursor)))
	return page.After, err
}

// Only cursors that a list has returned are accepted. None causes an internal error.
func TestForgedCursorsAreRefused(t *testing.T) {
	seal := cursorKey(t, "a secret")
	rapid.Check(t, func(rt *rapid.T) {
		cursor := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), base64.RawURLEncoding.EncodeToString),
			rapid.Map(rapid.StringMatching(`(.{16})?[12]:[0-9a-f]{24}`), func(text string) string {
				return base64.RawURLEncoding.EncodeToString([]byte(text))
			}),
		).Draw(rt, "cursor")
		if _, err := readCursor(t, rest.ByID, seal, "/", cursor); market.CodeOf(err) != market.CodeBadRequest {
			rt.Errorf("%q: %v", cursor, err)
		}
	})
}

// A cursor is valid only unchanged, for its path and its kind of list. It is valid on every
// node with its secret.
func TestCursorIsBoundToPathAndSecret(t *testing.T) {
	here, last := cursorKey(t, "a secret"), market.NewID(time.Now())
	other := rest.Cursors{Mark: "2:", Valid: market.IsID}
	cursor := cursorIn(rest.ByID, here, get(t, "/phones?limit=3"), last)
	if after, err := readCursor(t, rest.ByID, cursorKey(t, "a secret"), "/phones", cursor); after != last || err != nil {
		t.Errorf("another node reads %q, %v", after, err)
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) != 16+len("1:"+last) {
		t.Fatalf("%q, %v", raw, err)
	}
	again := base64.RawURLEncoding.EncodeToString
	changed := []byte(strings.Replace(string(raw), last, market.NewID(time.Now()), 1))
	for name, got := range map[string]func() (string, error){
		"another secret":    func() (string, error) { return readCursor(t, rest.ByID, cursorKey(t, "another"), "/phones", cursor) },
		"another path":      func() (string, error) { return readCursor(t, rest.ByID, here, "/phone", cursor) },
		"another kind":      func() (string, error) { return readCursor(t, other, here, "/phones", cursor) },
		"another place":     func() (string, error) { return readCursor(t, rest.ByID, here, "/phones", again(changed)) },
		"cut":               func() (string, error) { return readCursor(t, rest.ByID, here, "/phones", cursor[:len(cursor)-4]) },
		"cut into the seal": func() (string, error) { return readCursor(t, rest.ByID, here, "/phones", again(raw[:15])) },
		"the seal alone":    func() (string, error) { return readCursor(t, rest.ByID, here, "/phones", again(raw[:16])) },
		"without its seal":  func() (string, error) { return readCursor(t, rest.ByID, here, "/phones", again(raw[16:])) },
		"longer":            func() (string, error) { return readCursor(t, rest.ByID, here, "/phones", again(append(raw, '0'))) },
		"padded":            func() (string, error) { return readCursor(t, rest.ByID, here, "/phones", cursor+"=") },
		"sealed, and no id": func() (string, error) {
			return readCursor(t, rest.ByID, here, "/phones", cursorIn(rest.ByID, here, get(t, "/phones"), "x"))
		},
		"its path moved on": func() (string, error) {
			return readCursor(t, rest.Cursors{Mark: "s1:", Valid: market.IsID}, here, "/phone", again(append(raw[:16:16], "s1:"+last...)))
		},
		"no secret anywhere": func() (string, error) {
			return readCursor(t, rest.ByID, cursorKey(t, ""), "/phones", cursorIn(rest.ByID, cursorKey(t, ""), get(t, "/phones"), last))
		},
	} {
		if after, err := got(); market.CodeOf(err) != market.CodeBadRequest || after != "" {
			t.Errorf("%s: %q, %v", name, after, err)
		}
	}
}
