package fresh

// Told is how many events are known to have been counted.
func Told(w *Watch) int { return len(w.told) }
