// Package demo has the data of the market that "make run" shows: brands, people and their
// logins, phones, orders and reports. It is plain data, the same on every call and every
// machine; package datastore puts it into a store (seed.go). The brands are also those that
// a store without the demo starts with.
//
// Start at New in demo.go. people.go, phones.go and orders.go make one kind each; words.go
// puts descriptions together from sentences.txt. Package models has the models and their
// prices. photos.go serves the photographs that scripts/photos has made; illustration.go
// draws the models without one, and composition.go says how they stand and what is on their screens.
package demo
