package rest

import (
	"context"
	"net/netip"
)

type addressKey struct{}

// WithAddress puts the caller's network address into the context.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// Address returns the caller's network address, without its port: the peer's,
// or what a trusted proxy says it is.
func Address(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

type requestIDKey struct{}

// WithRequestID puts the request's id, as the log and the answer name it, into
// the context.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the request's id.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Network is what counts as one address: of IPv6 the first 64 bits, because a
// subscriber has all of the rest.
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
