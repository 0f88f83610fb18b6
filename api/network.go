package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/netip"

	"secondring/api/rest"
)

// network returns a keyed hash of the caller's network address. It is the same on all nodes
// and does not reveal the address. It is "" for a loopback address, which may be a proxy
// that is missing in TRUSTED_PROXIES.
func (h handlers) network(r *http.Request) string {
	address := rest.Address(r.Context())
	if ip, err := netip.ParseAddr(address); err != nil || ip.IsLoopback() {
		return ""
	}
	mac := hmac.New(sha256.New, h.secret)
	mac.Write([]byte("network of a booking: " + rest.Network(address)))
	return hex.EncodeToString(mac.Sum(nil)[:networkBytes])
}

// networkBytes is the length of the hash. It is long enough to avoid collisions.
const networkBytes = 12
