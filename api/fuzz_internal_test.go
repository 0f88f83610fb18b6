package api

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// FuzzAccept reads any Accept and Accept-Encoding: what is packed, or shown as a
// page, was asked for by name.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{"text/html", "gzip, deflate, br", "gzip;q=0", "br;q=1, *;q=0", "*/*", "text/html;q=0.5, application/json;q=0.6", "gzip;q=NaN", "gzip;q=1e309", ";;;,,", "gzip, \x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		r := &http.Request{Header: http.Header{"Accept": {sent}, "Accept-Encoding": {sent}}}
		low := strings.ToLower(sent)
		if takesGzip(r) && !strings.Contains(low, "gzip") || takesBrotli(r) && !strings.Contains(low, "br") || wantsScreen(r) && !strings.Contains(low, "text/html") {
			t.Errorf("%q: gzip %t, Brotli %t, a page %t", sent, takesGzip(r), takesBrotli(r), wantsScreen(r))
		}
	})
}

// FuzzForwardedFor: nobody stands where no trusted proxy has put them.
func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{"203.0.113.1", "198.51.100.7, 10.1.2.3", "::ffff:10.1.2.3", "[::1]:80", "fe80::1%eth0", "unknown", "", ",,,", "10.1.2.3\r\n1.2.3.4", "0x7f.1"} {
		f.Add(seed)
	}
	a := &api{}
	a.Log = slog.New(slog.DiscardHandler)
	a.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	proxy, stranger := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("203.0.113.9")
	f.Fuzz(func(t *testing.T, named string) {
		if got := a.addressBehind(stranger, []string{named}); got != stranger {
			t.Errorf("%q makes a stranger %v", named, got)
		}
		got := a.addressBehind(proxy, []string{named})
		said := slices.ContainsFunc(strings.Split(named, ","), func(hop string) bool {
			address, err := netip.ParseAddr(strings.TrimSpace(hop))
			return err == nil && address.Unmap() == got
		})
		if !got.IsValid() || got != proxy && !said {
			t.Errorf("%q is %v", named, got)
		}
	})
}
