package rest

import (
	"context"
	"net/netip"
)

// Caller is the sender of a request before its credentials are checked.
type Caller struct {
	Address   string // network address without port: the peer's, or the one that a trusted proxy forwards
	RequestID string // as the log and the response have it; "" for a socket
	Page      string // path of the page of PUBLIC_URL that made the call, as its Referer says; "" for any other page
}

type callerKey struct{}

// WithCaller returns a context with the caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// Address returns the caller's network address.
func Address(ctx context.Context) string { return callerOf(ctx).Address }

// RequestID returns the request's ID.
func RequestID(ctx context.Context) string { return callerOf(ctx).RequestID }

// Page returns the path of the page of PUBLIC_URL that made the call; "" if it is unknown, or of another
// origin.
func Page(ctx context.Context) string { return callerOf(ctx).Page }

func callerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Network returns the part of an address that identifies a subscriber: the first 64 bits of
// IPv6, because a subscriber has all of the rest.
func Network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if ip = ip.Unmap(); ip.Is4() {
		return ip.String()
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}
