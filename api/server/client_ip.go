package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// addressOf returns the caller's address: the peer's, or the one that a trusted proxy
// forwards.
func (s *server) addressOf(r *http.Request) netip.Addr {
	return s.addressBehind(peerOf(r.RemoteAddr), r.Header["X-Forwarded-For"])
}

func (s *server) addressBehind(peer netip.Addr, named []string) netip.Addr {
	switch {
	case len(named) == 0:
	case s.trusts(peer):
		return s.behind(peer, named)
	default:
		s.untrusted.Do(func() {
			s.Log.Warn("X-Forwarded-For ignored: it came from an address that is not in TRUSTED_PROXIES", "network", networkOf(peer.String()))
		})
	}
	return peer
}

// behind follows the proxies from the nearest to the first one that is not trusted. The
// addresses behind that one may be forged.
func (s *server) behind(peer netip.Addr, named []string) netip.Addr {
	hops := strings.Split(strings.Join(named, ","), ",")
	address := peer
	for i := len(hops) - 1; i >= 0 && s.trusts(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop.Unmap()
	}
	return address
}

func (s *server) trusts(address netip.Addr) bool {
	for _, network := range s.TrustedProxies {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// peerOf returns the address in an address with a port.
func peerOf(remote string) netip.Addr {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}
