// Package search says which phones a search finds, in which order, and what its words mean. It knows a
// phone only as a Phone, and finds phones by calling a Find. Package market checks the searches and makes
// them (market/search.go). The engines find the same phones with their own indexes. Start reading with
// query.go.
//
//   - phone.go, query.go: what is compared (Phone), filters and orders (Query)
//   - tokenizer.go: the words of texts, how they are compared
//   - amounts.go, storage.go, colours.go, lexer.go: prices, storages and colours in the words of a search
//   - relaxation.go, corrector.go, spelling.go: other words for a search that finds nothing
//   - aspects.go: which saved searches a change of a phone may concern
package search
