// Package markettest has test helpers of several packages: a clock that tests set
// (clock.go), a provider of card payments and payouts in memory (bank.go, payouts.go), and
// a store whose writes a test can refuse or interrupt like a crash (guarded.go).
package markettest
