package api

import (
	"net/http"
	"net/netip"
	"strings"

	"secondring/api/rest"
)

// withAddress finds out who calls: the peer, or whom a trusted proxy names.
func (a *api) withAddress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(rest.WithAddress(r.Context(), a.addressOf(r).String())))
	})
}

func (a *api) addressOf(r *http.Request) netip.Addr {
	return a.addressBehind(peerOf(r.RemoteAddr), r.Header["X-Forwarded-For"])
}

func (a *api) addressBehind(peer netip.Addr, named []string) netip.Addr {
	switch {
	case len(named) == 0:
	case a.trusts(peer):
		return a.behind(peer, named)
	default:
		a.untrusted.Do(func() {
			a.Log.Warn("X-Forwarded-For ignored: it came from an address that is not in TRUSTED_PROXIES", "network", networkOf(peer.String()))
		})
	}
	return peer
}

// behind walks the proxies from the nearest outwards to the first that is not
// trusted: what it claims to stand before is anybody's word.
func (a *api) behind(peer netip.Addr, named []string) netip.Addr {
	hops := strings.Split(strings.Join(named, ","), ",")
	address := peer
	for i := len(hops) - 1; i >= 0 && a.trusts(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop.Unmap()
	}
	return address
}

func (a *api) trusts(address netip.Addr) bool {
	for _, network := range a.TrustedProxies {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// peerOf is the address in an address with a port.
func peerOf(remote string) netip.Addr {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}
