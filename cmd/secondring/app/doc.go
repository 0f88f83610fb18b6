// Package app wires the packages into one program that main and tests can start: New, Run,
// Close.
//
// Start at open in wiring.go, which creates all parts in the order in which they are needed;
// app.go runs and stops them. payments.go, payment_mode.go, google.go, email.go, images.go
// and cluster.go create one part each; client_settings.go has the settings that the client
// gets, socket_origin.go the origins from which sockets are accepted besides the allowed ones.
// metrics.go and *_metrics.go have the metrics. admin.go and reconcile.go have the market
// without a server, for the commands. Package datastore opens the store.
package app
