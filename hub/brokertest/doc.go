// Package brokertest is the test suite that every hub.Broker passes.
//
// Start at Run in brokertest.go. history.go has the tests of positions, the history and its
// bounds, delivery.go those of listeners, several nodes and closing.
package brokertest
