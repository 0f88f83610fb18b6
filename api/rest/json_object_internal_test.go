package rest

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzObject compares object with encoding/json.
func FuzzObject(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` {"a":1}`, "\n{ \"a\" : [ 1 , {\"b\":\"}]\"} ] ,\t\"c\":null}\r\n", `{"a":1,"a":{"a":2}}`,
		`{"\u0061\"":"\\","é":"\""}`, `{"":{},"x":[]}`, `{"a":-1.5e3,"b":true}`, `{"a":"\\\"","b":"\\"}`,
		``, ` `, `[]`, `null`, `"{}"`, `{`, `{"a"}`, `{"a":1,}`, `{"a":1} {}`, `{"a":1}x`, `{a:1}`, "{\"a\":\"\n\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !utf8.Valid(raw) { // refused before
			return
		}
		var want map[string]json.RawMessage
		wantOK := json.Unmarshal(raw, &want) == nil && want != nil
		got, ok := object(raw)
		if ok != wantOK {
			t.Fatalf("object(%q) = %v, want %v", raw, ok, wantOK)
		}
		if len(want) > maxFields { // only one field above the limit is read
			if len(got) <= maxFields {
				t.Errorf("%d fields of %d are read, want one more than the limit", len(got), len(want))
			}
			return
		}
		if diff := cmp.Diff(want, got); ok && diff != "" {
			t.Errorf("%q: want, got:\n%s", raw, diff)
		}
	})
}

// FuzzList compares list with encoding/json.
func FuzzList(f *testing.F) {
	for _, seed := range []string{
		`[]`, ` [ ] `, `[1]`, "[ 1 ,\t[2,[3]] , {\"a\":[\"]\"]}\r\n]", `["\\\"]","",null,true,-1e9]`, `{}`, `null`, `""`, `[1,]`, `[`, ``,
	} {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, raw []byte, limit int) {
		if !json.Valid(raw) || limit < 0 { // refused before, or not a valid limit
			return
		}
		var want []json.RawMessage
		wantOK := json.Unmarshal(raw, &want) == nil && want != nil
		got, ok := list(raw, limit)
		if ok != wantOK {
			t.Fatalf("list(%q) = %v, want %v", raw, ok, wantOK)
		}
		if diff := cmp.Diff(want[:min(limit, len(want))], got); ok && diff != "" {
			t.Errorf("%q: want, got:\n%s", raw, diff)
		}
	})
}
