package hub

import "slices"

// running reports whether sockets are served.
func (h *Hub) running() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.control != nil
}

// admit counts a new socket, unless the hub is closing or the address has reached
// Config.PerAddress. Call undoAdmit when the socket has ended, or was not opened.
func (h *Hub) admit(address string) (admitted, tooMany bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return false, false
	}
	if limit := h.cfg.PerAddress; limit > 0 && h.perAddress[address] >= limit {
		return false, true
	}
	h.perAddress[address]++
	h.wg.Add(1)
	return true, false
}

// undoAdmit undoes admit's count.
func (h *Hub) undoAdmit(address string) {
	h.mu.Lock()
	if h.perAddress[address]--; h.perAddress[address] == 0 {
		delete(h.perAddress, address)
	}
	h.mu.Unlock()
	h.wg.Done()
}

func (h *Hub) isClosing() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.closing
}

// register makes the socket known to Close and to control events.
func (h *Hub) register(c *conn) {
	h.mu.Lock()
	h.conns[c] = struct{}{}
	h.index(c)
	closing := h.closing
	h.mu.Unlock()
	if closing {
		c.close(CloseRestarting, reasonRestarting)
	}
}

func (h *Hub) unregister(c *conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.conns, c)
	uid := c.viewer.UID
	rest := slices.DeleteFunc(h.connsByUID[uid], func(other *conn) bool { return other == c })
	if len(rest) == 0 {
		delete(h.connsByUID, uid)
		return
	}
	h.connsByUID[uid] = rest
}

// index adds a signed-in socket to those of its person. The caller holds mu.
func (h *Hub) index(c *conn) {
	if uid := c.viewer.UID; uid != "" {
		h.connsByUID[uid] = append(h.connsByUID[uid], c)
	}
}

// setViewer sets a socket's viewer after a new token. A visitor's socket takes any user;
// otherwise setViewer returns false for another user.
func (h *Hub) setViewer(c *conn, v Viewer) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	previous := c.viewer.UID
	if v.UID == "" || previous != "" && previous != v.UID {
		return false
	}
	c.viewer = v
	if previous == "" {
		h.index(c)
	}
	c.rearmLocked()
	return true
}

// controlEvents returns the number of control events handled. If it has changed between the
// check of a token and the registration of the socket, the socket may have missed one.
func (h *Hub) controlEvents() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.controlCount
}

// goUnlessClosing runs f in a goroutine that Close waits for.
func (h *Hub) goUnlessClosing(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closing {
		h.wg.Go(f)
	}
}
