//go:build !unix

package hub

import "net"

// Sockets cannot be tried here: every line queues instead.
func descriptorOf(net.Conn) int { return noDescriptor }

func tryWrite(int, []byte) (int, error) { return 0, nil }

func tryRead(int, []byte) (int, error) { return 0, errNothing }
