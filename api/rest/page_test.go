package rest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

func get(tb testing.TB, target string) *http.Request {
	tb.Helper()
	return httptest.NewRequestWithContext(tb.Context(), http.MethodGet, target, nil)
}

func TestPageFollowsItsLink(t *testing.T) {
	r := get(t, "/products?email=a%2Bb%40phones.example&limit=7")
	seal := cursorKey(t, "a secret")
	page, err := rest.ByID.ReadPage(seal, r)
	if err != nil || page.Limit != 7 || page.After != "" {
		t.Fatalf("%+v, %v", page, err)
	}
	last := market.NewID(time.Now())
	next := rest.ByID.Next(seal, r, page, last)
	link, found := strings.CutSuffix(strings.TrimPrefix(next, "<"), `>; rel="next"`)
	if !found {
		t.Fatal(next)
	}
	r = get(t, link)
	page, err = rest.ByID.ReadPage(seal, r)
	if err != nil || page.Limit != 7 || page.After != last || r.URL.Query().Get("email") != "a+b@phones.example" {
		t.Errorf("%s: %+v, %v", link, page, err)
	}
}

func TestSendJSONConfirmsItsETag(t *testing.T) {
	answer := func(reader string, value any, known ...string) *httptest.ResponseRecorder {
		r, w := get(t, "/"), httptest.NewRecorder()
		r.Header["If-None-Match"] = known
		if err := rest.SendJSON(w, r, reader, value); err != nil {
			t.Fatal(err)
		}
		return w
	}
	tag := answer("visitor", []int{1}).Header().Get("ETag")
	packed := strings.TrimSuffix(tag, `"`) + rest.GzipMark + `"`
	for status, sent := range map[int][][]string{
		http.StatusNotModified: {{tag}, {"W/" + tag}, {`"x"`, tag}, {`"x", ` + tag + `,"y"`}, {packed}, {"*"}},
		http.StatusOK:          {nil, {""}, {`"x"`}, {strings.Trim(tag, `"`)}},
	} {
		for _, known := range sent {
			if got := answer("visitor", []int{1}, known...); got.Code != status {
				t.Errorf("%v: %d, want %d", known, got.Code, status)
			}
		}
	}
	if got := answer("visitor", []int{1}, packed).Header().Get("ETag"); got != packed {
		t.Errorf("confirmed %s as %s", packed, got)
	}
	if answer("signed in", []int{1}, tag).Code != http.StatusOK || answer("visitor", []int{2}, tag).Code != http.StatusOK {
		t.Error("another reader's, or an older, answer is confirmed")
	}
}
