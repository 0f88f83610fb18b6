package rest_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"secondring/api/rest"
	"secondring/market"
)

// FuzzDecode reads any body: it is refused, or what is read of it are texts.
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
				t.Errorf("%q: %v", body, err)
			}
			return
		}
		if !utf8.ValidString(got.Name) || len(got.Parts) > 100 || wrong == nil {
			t.Errorf("%q is %+v, %v", body, got, wrong)
		}
	})
}

// FuzzCursor: what is taken for a cursor says a place, and is what the list itself
// would say.
func FuzzCursor(f *testing.F) {
	id := "66f00000000000000000abcd"
	for _, seed := range []string{"", "x", base64.RawURLEncoding.EncodeToString([]byte("1:" + id)), base64.URLEncoding.EncodeToString([]byte("1:" + id)), base64.RawURLEncoding.EncodeToString([]byte("2:" + id)), strings.Repeat("A", 3000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		r := get(t, "/list?cursor="+url.QueryEscape(cursor))
		page, err := rest.ByID.ReadPage(r)
		if err != nil {
			if market.CodeOf(err) != market.CodeBadRequest {
				t.Errorf("%q: %v", cursor, err)
			}
			return
		}
		if next := rest.ByID.Next(r, page, page.After); !market.IsID(page.After) || !strings.Contains(next, "cursor="+url.QueryEscape(cursor)+"&") {
			t.Errorf("%q is after %q, which is %s", cursor, page.After, next)
		}
	})
}

// FuzzKnows: an answer is confirmed to whom names its tag, and nobody else.
func FuzzKnows(f *testing.F) {
	for _, seed := range []string{`"tag"`, `W/"tag"`, `"x", "tag-gzip"`, `*`, `tag`, `""`, `"x,"tag"`, "\"tag\"\r\n", `,,,`, `W/W/"tag"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		known, ok := rest.Knows([]string{sent}, "tag")
		if ok != (known == `"tag"` || known == `"tag`+rest.GzipMark+`"`) {
			t.Errorf("%q is known as %q, %t", sent, known, ok)
		}
		if ok && !strings.Contains(sent, "tag") && !strings.Contains(sent, "*") {
			t.Errorf("%q names no tag of ours", sent)
		}
	})
}
