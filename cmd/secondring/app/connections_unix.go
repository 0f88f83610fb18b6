//go:build unix

package app

import "syscall"

// reservedFiles is the number of file descriptors that are not used for connections, but for
// the store, images, Redis and Stripe.
const reservedFiles = 256

// maxConnections returns the number of connections, including sockets, for which this process
// has file descriptors; 0 is no limit. Go has raised the soft limit to the hard limit.
func maxConnections() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur - min(limit.Cur/4, reservedFiles))
}
