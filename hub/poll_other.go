//go:build !linux

package hub

// poller polls nothing on this platform: every socket has a goroutine that reads.
type poller struct{}

func (*poller) add(*conn) bool { return false }

func (*poller) remove(*conn) {}

func (*poller) close() {}
