package rest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"secondring/api/rest"
	"secondring/market"
)

type sample struct {
	Name  string  `json:"name"`
	Price int     `json:"price,omitempty"`
	Phone *string `json:"phone,omitempty"`
	Age   *int    `json:"age,omitempty"`
	Parts []part  `json:"parts,omitempty"`
}

type part struct {
	URL    string `json:"url"`
	Weight int    `json:"weight"`
	Parts  []part `json:"parts,omitempty"`
}

func decode(t *testing.T, body string) (sample, market.Fields, error) {
	t.Helper()
	return decodeInto[sample](t, body)
}

func decodeInto[T any](t *testing.T, body string) (T, market.Fields, error) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return rest.Decode[T](httptest.NewRecorder(), r)
}

func TestDecode(t *testing.T) {
	text, number := "", -3
	for body, want := range map[string]sample{
		`{}`:                                    {},
		` {"name":"x","price":12,"unknown":[]}`: {Name: "x", Price: 12},
		`{"name":null,"price":null,"phone":null,"age":null}`: {},
		`{"phone":"","age":-3}`:                              {Phone: &text, Age: &number},
		`{"Name":"other case","name":"first","name":"last"}`: {Name: "last"},
		`{"name" : "ü <&> ' /" }`:                            {Name: "ü <&> ' /"},
		`{"name":"\\\"\u00fc\ud800\n"}`:                      {Name: "\\\"ü\ufffd"},
		`{"name":""}`:                                        {},
		`{"parts":[]}`:                                       {Parts: []part{}},
		`{"parts":null}`:                                     {},
		`{"parts":[ {"url":"a","unknown":1},{},{"weight":2,"parts":[{"url":"b"}]}]}`: {
			Parts: []part{{URL: "a"}, {}, {Weight: 2, Parts: []part{{URL: "b"}}}},
		},
	} {
		got, wrong, err := decode(t, body)
		if diff := cmp.Diff(want, got); diff != "" || len(wrong) != 0 || err != nil {
			t.Errorf("Decode(%s): invalid fields %v, error %v, diff %s", body, wrong, err, diff)
		}
	}
}

func TestDecodeNamesFieldOfWrongType(t *testing.T) {
	_, wrong, err := decode(t, `{"name":["secret"],"price":"12","phone":{},"age":1.0}`)
	if err != nil || len(wrong) != 4 {
		t.Fatalf("invalid fields %v, error %v, want 4 fields", wrong, err)
	}
	for name, message := range reasons(wrong) {
		if strings.Contains(message, "secret") {
			t.Errorf("the message for %s contains the sent value: %s", name, message)
		}
	}
	for _, price := range []string{"1.0", "1e2", "99999999999999999999", "true", `""`} {
		if _, wrong, _ := decode(t, `{"price":`+price+`}`); reasons(wrong)["price"] == "" {
			t.Errorf("%s is accepted as a whole number", price)
		}
	}
}

func TestDecodeNamesListIndexOfWrongType(t *testing.T) {
	for body, want := range map[string]map[string]string{
		`{"parts":{}}`:      {"parts": "Parts must be a list"},
		`{"parts":"a"}`:     {"parts": "Parts must be a list"},
		`{"parts":[null]}`:  {"parts[0]": "Parts[0] must be an object"},
		`{"parts":[{},[]]}`: {"parts[1]": "Parts[1] must be an object"},
		`{"parts":[{"url":1},{"weight":"1"},{"parts":[{},{"url":[]}]}]}`: {
			"parts[0].url": "Photo must be a text", "parts[1].weight": "Weight must be a whole number", "parts[2].parts[1].url": "Photo must be a text",
		},
	} {
		_, wrong, err := decode(t, body)
		if diff := cmp.Diff(want, reasons(wrong)); diff != "" || err != nil {
			t.Errorf("Decode(%s): error %v, diff %s", body, err, diff)
		}
	}
	got, wrong, err := decode(t, `{"parts":[1`+strings.Repeat(",1", 5000)+`]}`)
	if err != nil || len(got.Parts) != 250 || len(wrong) != 250 {
		t.Errorf("%d parts, %d invalid fields, error %v, want 250 of both", len(got.Parts), len(wrong), err)
	}
}

// reasons returns the errors of fields as a caller reads them.
func reasons(wrong market.Fields) map[string]string {
	refusal, _ := errors.AsType[*market.Error](wrong.Err())
	if refusal == nil {
		return nil
	}
	return refusal.Fields
}

func TestDecodeRefusesNonObjects(t *testing.T) {
	for _, body := range []string{"", " ", "null", "[]", "7", `"x"`, "{", `{"a":1}}`, `{"a":1} {}`, "{\"a\":\"\xff\"}", "{'a':1}", strings.Repeat(`{"a":`, 20_000)} {
		if _, _, err := decode(t, body); market.CodeOf(err) != market.CodeBadRequest {
			t.Errorf("Decode(%.20q): %v, want code %q", body, err, market.CodeBadRequest)
		}
	}
}

// A body of values that no call reads uses many times its size in memory.
func TestDecodeLimitsValues(t *testing.T) {
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, `,"f%d":0`, i)
	}
	for _, body := range []string{
		`{"name":"x"` + many.String() + `}`, "{" + many.String()[1:] + `,"name":"x"}`,
		`{"parts":[1` + strings.Repeat(",1", 400_000) + `]}`, `{"parts":[{` + many.String()[1:] + `}]}`,
	} {
		body = body[:min(len(body), rest.MaxBody)]
		allocated := testing.AllocsPerRun(1, func() {
			if _, _, err := decode(t, body); market.CodeOf(err) != market.CodeBadRequest {
				t.Errorf("Decode of %d bytes: %v, want code %q", len(body), err, market.CodeBadRequest)
			}
		})
		if allocated > 3000 {
			t.Errorf("%.0f allocations, want at most 3000", allocated)
		}
	}
}

func TestDecodeRefusesCompressedBodies(t *testing.T) {
	for encoding, code := range map[string]market.Code{"": "", "identity": "", "gzip": rest.CodeUnsupported, "br": rest.CodeUnsupported, "gzip, gzip": rest.CodeUnsupported} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(`{"name":"x"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Content-Encoding", encoding)
		if _, _, err := rest.Decode[sample](httptest.NewRecorder(), r); market.CodeOf(err) != code {
			t.Errorf("Content-Encoding %q: %v, want code %q", encoding, err, code)
		}
	}
}

// Each text is cleaned by the kind of its field, before anything else reads it.
func TestTextsOfABodyAreCleanedByName(t *testing.T) {
	for name, c := range map[string]struct{ sent, want string }{
		"name":              {"\u200bNokia\u00a03310\n", "Nokia 3310"},
		"carrier":           {"Post\u2028Office", "Post Office"},
		"anything":          {"\u202ea\tb\u202c", "a b"},
		"description":       {"a\u2029b\u00a0\r\nc", "a\nb\nc"},
		"reason":            {"a\u000bb\u2060", "a\nb"},
		"phone":             {"\u202d০১৭১১\u2011১২৩\u202c", "01711-123"},
		"email":             {"Ann <ann＠example.com>;", "ann@example.com"},
		"confirm":           {" mailto:ann@example.com", "ann@example.com"},
		"code":              {"১২৩ \u200e456", "123456"},
		"tracking":          {"ＲＲ\u2013１２\u00a0３４", "RR-12 34"},
		"selling_post_date": {"٢٠٢٦\u2011١١-٢٠", "2026-11-20"},
		"password":          {" a\u200b\u00a0１ ", " a\u200b\u00a0１ "},
		"current":           {"\ufeffa\r\n", "\ufeffa\r\n"},
		"new":               {"a\u2011b ", "a\u2011b "},
		"token":             {" \u200bt", " \u200bt"},
		"key":               {"k\u00a0k", "k\u00a0k"},
		"id":                {" 7 ", " 7 "},
	} {
		body, err := json.Marshal(map[string]string{name: c.sent})
		if err != nil {
			t.Fatal(err)
		}
		got, wrong, err := decodeInto[map[string]string](t, string(body))
		if got[name] != c.want || len(wrong) != 0 || err != nil {
			t.Errorf("%s %+q is read as %+q, want %+q; invalid fields %v, error %v", name, c.sent, got[name], c.want, wrong, err)
		}
	}
}
