package market

import "time"

var started = time.Now()

// Monotonic returns the time since the start of the process, by the monotonic clock,
// which does not change when the machine's clock is set. Use it for times that are
// stored as numbers and compared with now: UnixNano of a time.Time loses the monotonic
// reading.
func Monotonic() time.Duration { return time.Since(started) }
