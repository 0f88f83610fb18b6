package app

// maxConnections is 0, no limit: Windows has none for file descriptors.
func maxConnections() int { return 0 }
