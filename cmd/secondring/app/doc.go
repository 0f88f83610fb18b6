// Package app wires the packages into one program that main and tests can start: New, Run,
// Close.
//
// Start at open in wiring.go, which makes everything in the order in which it is needed;
// app.go runs it and stops it. payments.go, payment_mode.go, google.go, email.go, images.go
// and cluster.go make one part each; client_config.go has the settings that the client
// gets. metrics.go and *_metrics.go count. admin.go and reconcile.go are the market without
// a server, for the commands. Package datastore opens the store.
package app
