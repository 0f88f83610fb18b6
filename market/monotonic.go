package market

import "time"

var started = time.Now()

// Monotonic is how long this process has run, by a clock that stays as it is when
// somebody sets the machine's. What is kept as a number and compared with now is
// kept so: a time.Time of time.Now has that clock in it, and its Unix time has not.
func Monotonic() time.Duration { return time.Since(started) }
