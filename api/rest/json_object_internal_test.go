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
		wanted := json.Unmarshal(raw, &want) == nil && want != nil
		got, ok := object(raw)
		if ok != wanted {
			t.Fatalf("%q is an object: %v, want %v", raw, ok, wanted)
		}
		if len(want) > maxFields { // only one field above the limit is read
			if len(got) <= maxFields {
				t.Errorf("%d of %d fields", len(got), len(want))
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
	f.Fuzz(func(t *testing.T, raw []byte, most int) {
		if !json.Valid(raw) || most < 0 { // refused before, or not a valid limit
			return
		}
		var want []json.RawMessage
		wanted := json.Unmarshal(raw, &want) == nil && want != nil
		got, ok := list(raw, most)
		if ok != wanted {
			t.Fatalf("%q is a list: %v, want %v", raw, ok, wanted)
		}
		if diff := cmp.Diff(want[:min(most, len(want))], got); ok && diff != "" {
			t.Errorf("%q: want, got:\n%s", raw, diff)
		}
	})
}
