package server

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"secondring/api/rest"
)

// onlyThisMachine sends 421 for a request whose Host names another machine, if PUBLIC_URL
// is this machine. It blocks pages on the internet whose name resolves to this machine (DNS
// rebinding), and other machines of the network.
func (s *server) onlyThisMachine(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.servesHost(r.Host) {
			next.ServeHTTP(w, r)
			return
		}
		s.fail(w, r, rest.NewError(rest.CodeMisdirected,
			"This server answers as "+s.PublicURL+" only. To reach it by another name, set PUBLIC_URL"))
	})
}

// servesHost returns whether a request with this Host header is served. Browsers always
// send the header; health checks of proxies may not.
func (s *server) servesHost(host string) bool {
	return !s.loopback || host == "" || isThisMachine(hostname(host))
}

// hostname returns the name in a Host header, without the port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// isThisMachine returns whether a name always means the local machine.
func isThisMachine(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback()
	}
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
