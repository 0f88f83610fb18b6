//go:build !linux

package hub

// poller is not to be had here: every socket has a goroutine that reads.
type poller struct{}

func (*poller) add(*conn) bool { return false }

func (*poller) remove(*conn) {}

func (*poller) close() {}
