// Package settings reads the settings from the environment. No other part of the program
// does; main only asks whether Go's own GOGC is set.
//
// Read returns all settings, checked, or an Error about the first invalid one. It is
// in settings.go, with the type Settings; urls.go and stripe.go read addresses and Stripe's
// keys. backup.go and transfer.go read the few settings of those commands. docs/SETTINGS.md
// describes each setting.
package settings
