// Package storetest is the test suite for every implementation of market.Store.
//
// Run (storetest.go) tests the rules in the comments of market/store.go, a case each, and
// compares random operations with a model in memory (model.go). Crash kills processes in
// the middle of their writes and checks what is stored. AccountDeletion deletes accounts,
// kills the process after each write, and searches the store for personal data.
// MovesFrom and MovesTo copy a store from and to another engine. Benchmarks are in bench.go.
package storetest
