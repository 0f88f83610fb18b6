package page_test

import (
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"secondring/sandbox/page"
)

func TestPageHasItsHeadersAndEscapesData(t *testing.T) {
	w := httptest.NewRecorder()
	page.Show(w, http.StatusGone, template.Must(template.New("").Parse("<p>{{.}}</p>")), "<b>")
	if w.Code != http.StatusGone || w.Body.String() != "<p>&lt;b&gt;</p>" {
		t.Errorf("the page is %d %s", w.Code, w.Body)
	}
	for name, want := range map[string]string{
		"Content-Type":            "text/html; charset=utf-8",
		"Cache-Control":           "no-store",
		"X-Content-Type-Options":  "nosniff",
		"Referrer-Policy":         "no-referrer",
		"Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestTemplateErrorIsA500(t *testing.T) {
	w := httptest.NewRecorder()
	page.Show(w, http.StatusOK, template.Must(template.New("").Parse("start {{.Missing}}")), struct{}{})
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "start") {
		t.Errorf("the response is %d %s, want 500 without the page's start", w.Code, w.Body)
	}
}

func TestStylesheetIsRevalidated(t *testing.T) {
	w := httptest.NewRecorder()
	page.Style(w, httptest.NewRequest(http.MethodGet, "/style.css", nil))
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-cache" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/css") {
		t.Errorf("the stylesheet is %d %v", w.Code, w.Header())
	}
}
