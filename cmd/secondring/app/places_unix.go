//go:build unix

package app

import "syscall"

// kept is how many descriptors are not for connections, where there are many: the
// store's, images', those to Redis and to Stripe.
const kept = 256

// places is how many connections, sockets among them, this process has
// descriptors for; Go has raised its limit to what it may be.
func places() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur - min(limit.Cur/4, kept))
}
