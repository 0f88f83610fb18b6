//go:build !unix

package hub

import "net"

// descriptorOf returns noDescriptor, so every write is queued on this platform.
func descriptorOf(net.Conn) int { return noDescriptor }

func tryWrite(int, []byte) (int, error) { return 0, nil }

func tryRead(int, []byte) (int, error) { return 0, errWouldBlock }
