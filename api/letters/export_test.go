package letters

import (
	"context"
	"net"

	"github.com/wneessen/go-mail"
)

// DialTo has the transport connect to an address, whatever its host is.
func (t *SMTP) DialTo(address string) {
	t.options = append(t.options, mail.WithDialContextFunc(func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}))
}
