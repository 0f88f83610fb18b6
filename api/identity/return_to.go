package identity

import (
	"net/url"
	"strings"
	"unicode"
)

// home is the target of a sign-in without a return path, or with one of another site.
const home = "/"

// maxReturn is the maximum length of a return path, in bytes. It keeps the cookie small.
const maxReturn = 512

// returnTo returns asked if it is a path on this site, and home otherwise.
func returnTo(asked string) string {
	if len(asked) <= maxReturn && siteRelative(asked) {
		return asked
	}
	return home
}

// siteRelative returns whether a browser stays on this site when it follows the reference.
// Browsers read a backslash as a slash, remove tabs and line ends, and read two slashes as
// the beginning of a host.
func siteRelative(ref string) bool {
	if len(ref) > maxPhoto || !strings.HasPrefix(ref, "/") {
		return false
	}
	if strings.Contains(ref, `\`) || strings.ContainsFunc(ref, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) }) {
		return false
	}
	u, err := url.Parse(ref)
	return err == nil && u.Scheme == "" && u.Host == "" && u.User == nil && !strings.Contains(u.EscapedPath(), "//")
}
