package markettest

import (
	"log/slog"

	"secondring/market"
)

// Runner returns a runner with some work, which logs nothing.
func Runner(clock market.Clock, add ...func(*market.Runner)) *market.Runner {
	r := market.NewRunner(clock, slog.New(slog.DiscardHandler), nil)
	for _, one := range add {
		one(r)
	}
	return r
}
