package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/netip"
	"strings"

	"secondring/api/rest"
)

// addressOf finds out who calls: the peer, or whom a trusted proxy names.
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

// network stands for the caller's network address, without telling it: the same
// for the same address, on all nodes. "" for a caller on this machine, who is a
// proxy that TRUSTED_PROXIES does not name as likely as a person.
func (m resources) network(r *http.Request) string {
	address := rest.Address(r.Context())
	if ip, err := netip.ParseAddr(address); err != nil || ip.IsLoopback() {
		return ""
	}
	h := hmac.New(sha256.New, m.secret)
	h.Write([]byte("network of a booking: " + rest.Network(address)))
	return hex.EncodeToString(h.Sum(nil)[:networkBytes])
}

// networkBytes are enough to tell networks apart.
const networkBytes = 12

// peerOf is the address in an address with a port.
func peerOf(remote string) netip.Addr {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}
