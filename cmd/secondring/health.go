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

// healthTime is how long the server may take to say that it runs.
const healthTime = 3 * time.Second

// health asks the server that runs with the same settings whether it does. It is
// for images without a shell, whose health check is the binary itself.
func health(ctx context.Context, s settings.Settings, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
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
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", answer.Status)
	}
	_, err = fmt.Fprintln(out, "The server runs.")
	return err
}

// ownURL is where this machine reaches a server that listens on that address.
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
