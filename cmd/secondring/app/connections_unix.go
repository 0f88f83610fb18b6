//go:build unix

package app

import "syscall"

// kept is the number of file descriptors left for other things than connections: the
// store, images, Redis and Stripe.
const kept = 256

// maxConnections is the number of connections, sockets included, for which this
// process has file descriptors. Go has raised the limit as far as allowed.
func maxConnections() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur - min(limit.Cur/4, kept))
}
