package app

// maxConnections returns 0, no limit, because Windows does not limit file descriptors.
func maxConnections() int { return 0 }
