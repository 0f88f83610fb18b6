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
	key := cursorKey(t, "a secret")
	page, err := rest.ByID.ReadPage(key, r)
	if err != nil || page.Limit != 7 || page.After != "" {
		t.Fatalf("the first page is %+v, %v", page, err)
	}
	last := market.NewID(time.Now())
	next := rest.ByID.Next(key, r, page, last)
	link, found := strings.CutSuffix(strings.TrimPrefix(next, "<"), `>; rel="next"`)
	if !found {
		t.Fatalf("the Link header is %s", next)
	}
	r = get(t, link)
	page, err = rest.ByID.ReadPage(key, r)
	if err != nil || page.Limit != 7 || page.After != last || r.URL.Query().Get("email") != "a+b@phones.example" {
		t.Errorf("the page of %s is %+v, %v", link, page, err)
	}
}

func TestSendJSONConfirmsItsETag(t *testing.T) {
	send := func(reader string, value any, known ...string) *httptest.ResponseRecorder {
		r, w := get(t, "/"), httptest.NewRecorder()
		r.Header["If-None-Match"] = known
		if err := rest.SendJSON(w, r, reader, value); err != nil {
			t.Fatal(err)
		}
		return w
	}
	tag := send("visitor", []int{1}).Header().Get("ETag")
	gzipTag := strings.TrimSuffix(tag, `"`) + rest.GzipMark + `"`
	for status, headers := range map[int][][]string{
		http.StatusNotModified: {{tag}, {"W/" + tag}, {`"x"`, tag}, {`"x", ` + tag + `,"y"`}, {gzipTag}, {"*"}},
		http.StatusOK:          {nil, {""}, {`"x"`}, {strings.Trim(tag, `"`)}},
	} {
		for _, known := range headers {
			if got := send("visitor", []int{1}, known...); got.Code != status {
				t.Errorf("If-None-Match %v: %d, want %d", known, got.Code, status)
			}
		}
	}
	if got := send("visitor", []int{1}, gzipTag).Header().Get("ETag"); got != gzipTag {
		t.Errorf("the 304 for %s has the ETag %s", gzipTag, got)
	}
	if send("signed in", []int{1}, tag).Code != http.StatusOK || send("visitor", []int{2}, tag).Code != http.StatusOK {
		t.Error("the ETag of another reader or of an older response gets a 304")
	}
}
