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
	f.Fuzz(func(t *testing.T, header string) {
		if got := s.addressBehind(stranger, []string{header}); got != stranger {
			t.Errorf("the header %q of a client that is no proxy is read as %v", header, got)
		}
		got := s.addressBehind(proxy, []string{header})
		isNamed := slices.ContainsFunc(strings.Split(header, ","), func(hop string) bool {
			address, err := netip.ParseAddr(strings.TrimSpace(hop))
			return err == nil && address.Unmap() == got
		})
		if !got.IsValid() || got != proxy && !isNamed {
			t.Errorf("the header %q is read as %v", header, got)
		}
	})
}
