package main

import (
	"context"
	"errors"
	"net"
	"os"
)

// notifySystemd says that the server is ready, if systemd has started it (Type=notify in
// deploy/package/secondring.service). Without systemd it does nothing.
func notifySystemd(ctx context.Context) error {
	socket := os.Getenv("NOTIFY_SOCKET")
	if socket == "" {
		return nil
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unixgram", socket)
	if err != nil {
		return err
	}
	_, err = conn.Write([]byte("READY=1"))
	return errors.Join(err, conn.Close())
}
