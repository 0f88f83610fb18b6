package emails

import (
	"context"
	"net"

	"github.com/wneessen/go-mail"
)

// DialTo makes the transport connect to this address instead of its host.
func (t *SMTP) DialTo(address string) {
	t.options = append(t.options, mail.WithDialContextFunc(func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}))
}

// TextWithoutOtherSites is textWithoutOtherSites.
var TextWithoutOtherSites = textWithoutOtherSites

// Message renders the content.
func (c Content) Message(b Brand) (Message, error) { return c.message(b) }
