package rest

import (
	"strings"
	"testing"
)

// FuzzIfNoneMatch checks that only a request with the ETag gets a 304.
func FuzzIfNoneMatch(f *testing.F) {
	for _, seed := range []string{`"tag"`, `W/"tag"`, `"x", "tag-gzip"`, `*`, `tag`, `""`, `"x,"tag"`, "\"tag\"\r\n", `,,,`, `W/W/"tag"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		known, ok := matching([]string{sent}, "tag")
		if ok != (known == `"tag"` || known == `"tag`+GzipMark+`"`) {
			t.Errorf("%q matches %q, %t", sent, known, ok)
		}
		if ok && !strings.Contains(sent, "tag") && !strings.Contains(sent, "*") {
			t.Errorf("If-None-Match %q matches without the ETag", sent)
		}
	})
}
