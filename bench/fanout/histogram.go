package main

import "time"

// histogram counts durations in steps of a quarter of a millisecond, up to 16 s.
type histogram struct {
	steps [1 << 16]uint32
	n     int64
}

const histogramStep = 250 * time.Microsecond

func (h *histogram) add(d time.Duration) {
	h.steps[min(max(d/histogramStep, 0), time.Duration(len(h.steps)-1))]++
	h.n++
}

func (h *histogram) reset() { *h = histogram{} }

// quantile returns the time below which the fraction q of all durations is.
func (h *histogram) quantile(q float64) time.Duration {
	below := int64(q * float64(h.n))
	for i, n := range h.steps {
		if below -= int64(n); below < 0 {
			return time.Duration(i+1) * histogramStep
		}
	}
	return time.Duration(len(h.steps)) * histogramStep
}
