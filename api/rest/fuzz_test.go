package rest_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"secondring/api/rest"
	"secondring/market"
)

// FuzzDecode checks that any body is refused or results in valid texts.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"name":"x","price":12,"phone":null,"age":-3,"parts":[{"url":"a","weight":1}]}`, `{"name":{"$ne":null},"price":{"$gt":""},"phone":[],"parts":{"$where":"1"}}`,
		`{"price":1e400,"age":9223372036854775808}`, `{"price":-0,"age":1.5}`, `{"name":"\ud800","phone":"\u0000"}`, "\ufeff{}", `{}{}`, "{\"name\":\"\xff\"}", `{"name":"a","name":"b"}`,
		`{"parts":[{"parts":[{"parts":[{"url":1}]}]},null,7]}`, `{"pri\u0063e":7}`, ``, `[`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		got, wrong, err := rest.Decode[sample](httptest.NewRecorder(), r)
		if err != nil {
			if code := market.CodeOf(err); code != market.CodeBadRequest && code != rest.CodeTooLarge {
				t.Errorf("Decode(%q): unexpected error %v", body, err)
			}
			return
		}
		if !utf8.ValidString(got.Name) || len(got.Parts) > 100 || wrong == nil {
			t.Errorf("Decode(%q) = %+v, %v", body, got, wrong)
		}
	})
}

// FuzzCursor checks that an accepted cursor has a valid position and is the one that the
// list would make, and that a signed invalid position is refused.
func FuzzCursor(f *testing.F) {
	key, list := cursorKey(f, "a secret"), get(f, "/list")
	id := "66f00000000000000000abcd"
	valid := cursorIn(rest.ByID, key, list, id)
	for _, seed := range []string{"", "x", id, valid, valid + "=", valid[4:], base64.RawURLEncoding.EncodeToString([]byte("1:" + id)), strings.Repeat("A", 3000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, cursor := range []string{text, cursorIn(rest.ByID, key, list, text)} {
			after, err := readCursor(t, rest.ByID, key, "/list", cursor)
			if err != nil {
				if market.CodeOf(err) != market.CodeBadRequest {
					t.Errorf("the cursor %q: %v, want code %q", cursor, err, market.CodeBadRequest)
				}
				continue
			}
			if !market.IsID(after) || cursorIn(rest.ByID, key, list, after) != cursor {
				t.Errorf("the cursor %q is accepted as %q", cursor, after)
			}
		}
	})
}

// FuzzAccept checks any Accept and Accept-Encoding. A response is compressed, or a page,
// only if the request accepts that.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{"text/html", "gzip, deflate, br", "gzip;q=0", "br;q=1, *;q=0", "*/*", "text/html;q=0.5, application/json;q=0.6", "gzip;q=NaN", "gzip;q=1e309", ";;;,,", "gzip, \x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		r := &http.Request{Header: http.Header{"Accept": {sent}, "Accept-Encoding": {sent}}}
		lower := strings.ToLower(sent)
		if rest.AcceptsGzip(r) && !strings.Contains(lower, "gzip") || rest.AcceptsBrotli(r) && !strings.Contains(lower, "br") || rest.PrefersHTML(r) && !strings.Contains(lower, "text/html") {
			t.Errorf("%q: accepts gzip %t, Brotli %t, prefers HTML %t", sent, rest.AcceptsGzip(r), rest.AcceptsBrotli(r), rest.PrefersHTML(r))
		}
	})
}
