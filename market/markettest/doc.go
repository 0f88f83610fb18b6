// Package markettest has what the tests of several packages need of the market: a clock that
// tests set (clock.go), a provider of card payments and payouts in memory (bank.go, payouts.go),
// and a store whose writes a test can refuse or end as a killed process would (guarded.go).
package markettest
