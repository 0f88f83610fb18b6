package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"secondring/cmd/secondring/settings"
)

// healthTimeout is the maximum duration of a health check.
const healthTimeout = 3 * time.Second

// health checks whether the server with the same settings runs. It is for container images
// without a shell, whose health check is the binary itself.
func health(ctx context.Context, s settings.Settings, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	url, err := ownURL(s.Addr)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/healthz", nil)
	if err != nil {
		return err
	}
	// A transport of its own ignores the proxy settings of the environment.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", response.Status)
	}
	_, err = fmt.Fprintln(out, "The server runs.")
	return err
}

// ownURL returns the URL at which this machine reaches a server that listens on an address.
func ownURL(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	ip, err := netip.ParseAddr(host)
	if host == "" || (err == nil && ip.IsUnspecified()) {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port), nil
}
