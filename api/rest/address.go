package rest

import "context"

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
