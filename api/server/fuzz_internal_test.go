package server

import (
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// FuzzForwardedFor checks that an address comes only from a trusted proxy.
func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{"203.0.113.1", "198.51.100.7, 10.1.2.3", "::ffff:10.1.2.3", "[::1]:80", "fe80::1%eth0", "unknown", "", ",,,", "10.1.2.3\r\n1.2.3.4", "0x7f.1"} {
		f.Add(seed)
	}
	s := &server{}
	s.Log = slog.New(slog.DiscardHandler)
	s.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	proxy, stranger := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("203.0.113.9")
	f.Fuzz(func(t *testing.T, named string) {
		if got := s.addressBehind(stranger, []string{named}); got != stranger {
			t.Errorf("%q makes a stranger %v", named, got)
		}
		got := s.addressBehind(proxy, []string{named})
		said := slices.ContainsFunc(strings.Split(named, ","), func(hop string) bool {
			address, err := netip.ParseAddr(strings.TrimSpace(hop))
			return err == nil && address.Unmap() == got
		})
		if !got.IsValid() || got != proxy && !said {
			t.Errorf("%q is %v", named, got)
		}
	})
}
