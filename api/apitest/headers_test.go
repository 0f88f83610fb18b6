package apitest_test

import (
	"net/http"
	"slices"
	"strings"
)

// varies tells whether the answer's Vary names a header.
func varies(h http.Header, name string) bool {
	all := strings.Split(strings.ToLower(strings.Join(h.Values("Vary"), ",")), ",")
	return slices.ContainsFunc(all, func(v string) bool { return strings.TrimSpace(v) == strings.ToLower(name) })
}
