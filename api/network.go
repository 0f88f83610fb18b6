package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/netip"

	"secondring/api/rest"
)

// network stands for the caller's network address, without telling it: the same
// for the same address, on all nodes. "" for a caller on this machine, who is a
// proxy that TRUSTED_PROXIES does not name as likely as a person.
func (h handlers) network(r *http.Request) string {
	address := rest.Address(r.Context())
	if ip, err := netip.ParseAddr(address); err != nil || ip.IsLoopback() {
		return ""
	}
	mac := hmac.New(sha256.New, h.secret)
	mac.Write([]byte("network of a booking: " + rest.Network(address)))
	return hex.EncodeToString(mac.Sum(nil)[:networkBytes])
}

// networkBytes are enough to tell networks apart.
const networkBytes = 12
