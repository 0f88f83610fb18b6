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
func cursorIn(c rest.Cursors, key rest.CursorKey, r *http.Request, after string) string {
	link, _, _ := strings.Cut(strings.TrimPrefix(c.Next(key, r, market.Page{}, after), "<"), ">")
	_, query, _ := strings.Cut(link, "?")
	values, _ := url.ParseQuery(query)
	return values.Get("cursor")
}

// readCursor reads a cursor as the list of this path does.
func readCursor(tb testing.TB, c rest.Cursors, key rest.CursorKey, path, cursor string) (string, error) {
	tb.Helper()
	page, err := c.ReadPage(key, get(tb, path+"?cursor="+url.QueryEscape(cursor)))
	return page.After, err
}

// Only cursors that a list has returned are accepted. None causes an internal error.
func TestForgedCursorsAreRefused(t *testing.T) {
	key := cursorKey(t, "a secret")
	rapid.Check(t, func(rt *rapid.T) {
		cursor := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), base64.RawURLEncoding.EncodeToString),
			rapid.Map(rapid.StringMatching(`(.{16})?[12]:[0-9a-f]{24}`), func(text string) string {
				return base64.RawURLEncoding.EncodeToString([]byte(text))
			}),
		).Draw(rt, "cursor")
		if _, err := readCursor(t, rest.ByID, key, "/", cursor); market.CodeOf(err) != market.CodeBadRequest {
			rt.Errorf("the cursor %q: %v, want code %q", cursor, err, market.CodeBadRequest)
		}
	})
}

// A cursor is valid only unchanged, for its path and its kind of list. It is valid on every
// node with its secret.
func TestCursorIsBoundToPathAndSecret(t *testing.T) {
	key, last := cursorKey(t, "a secret"), market.NewID(time.Now())
	other := rest.Cursors{Mark: "2:", Valid: market.IsID}
	cursor := cursorIn(rest.ByID, key, get(t, "/phones?limit=3"), last)
	if after, err := readCursor(t, rest.ByID, cursorKey(t, "a secret"), "/phones", cursor); after != last || err != nil {
		t.Errorf("another node with the secret reads %q, %v", after, err)
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) != 16+len("1:"+last) {
		t.Fatalf("the cursor is %q, %v, want a signature of 16 bytes and the position", raw, err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	changed := []byte(strings.Replace(string(raw), last, market.NewID(time.Now()), 1))
	for name, got := range map[string]func() (string, error){
		"another secret":       func() (string, error) { return readCursor(t, rest.ByID, cursorKey(t, "another"), "/phones", cursor) },
		"another path":         func() (string, error) { return readCursor(t, rest.ByID, key, "/phone", cursor) },
		"another kind":         func() (string, error) { return readCursor(t, other, key, "/phones", cursor) },
		"another position":     func() (string, error) { return readCursor(t, rest.ByID, key, "/phones", encode(changed)) },
		"cut":                  func() (string, error) { return readCursor(t, rest.ByID, key, "/phones", cursor[:len(cursor)-4]) },
		"cut in the signature": func() (string, error) { return readCursor(t, rest.ByID, key, "/phones", encode(raw[:15])) },
		"signature only":       func() (string, error) { return readCursor(t, rest.ByID, key, "/phones", encode(raw[:16])) },
		"without signature":    func() (string, error) { return readCursor(t, rest.ByID, key, "/phones", encode(raw[16:])) },
		"longer":               func() (string, error) { return readCursor(t, rest.ByID, key, "/phones", encode(append(raw, '0'))) },
		"padded":               func() (string, error) { return readCursor(t, rest.ByID, key, "/phones", cursor+"=") },
		"signed invalid ID": func() (string, error) {
			return readCursor(t, rest.ByID, key, "/phones", cursorIn(rest.ByID, key, get(t, "/phones"), "x"))
		},
		"shifted path": func() (string, error) {
			return readCursor(t, rest.Cursors{Mark: "s1:", Valid: market.IsID}, key, "/phone", encode(append(raw[:16:16], "s1:"+last...)))
		},
		"empty secret": func() (string, error) {
			return readCursor(t, rest.ByID, cursorKey(t, ""), "/phones", cursorIn(rest.ByID, cursorKey(t, ""), get(t, "/phones"), last))
		},
	} {
		if after, err := got(); market.CodeOf(err) != market.CodeBadRequest || after != "" {
			t.Errorf("%s: position %q, %v, want code %q", name, after, err, market.CodeBadRequest)
		}
	}
}
