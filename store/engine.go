package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// Engine stores documents. Every engine must pass store/enginetest.
//
// A read sees every write that has returned. No lock is held between calls.
type Engine interface {
	// Write adds, replaces or removes one document, with its keys, its events and the documents
	// that follow from it, or does nothing. It is durable when it returns nil. It returns
	// ErrExists if the ID of an added document exists, *TakenError if another document has one
	// of its unique keys, ErrConflict if the stored version is another, and ErrNotFound if
	// the document, or one that it Needs, is not there.
	Write(ctx context.Context, w Write) error
	// Get returns the documents that exist of these IDs, in any order.
	Get(ctx context.Context, kind *Info, ids ...string) ([]Doc, error)
	// Find returns a page of a list.
	Find(ctx context.Context, kind *Info, f Find) (Found, error)
	// Due returns up to limit documents of a queue that are due in [from, until], the oldest
	// first, those of the same time by ID.
	Due(ctx context.Context, kind *Info, queue string, from, until time.Time, limit int) ([]Doc, error)
	// Purge removes up to limit documents that expired before that time, the oldest first, and
	// returns how many. A document that follows from a write is not stored again after it.
	Purge(ctx context.Context, kind *Info, before time.Time, limit int) (int, error)
	// Sums returns the sums of a kind that declares them, in any order.
	Sums(ctx context.Context, kind *Info) ([]Sum, error)
	// Totals adds up keys of the documents of a list, for each value of the key by. Each of them
	// is an int64. Documents without one of these keys do not count. The list is read as of one moment.
	Totals(ctx context.Context, kind *Info, where Keys, by string, of ...string) (map[string][]int64, error)
	// Search returns a page of the documents of the searched kind that a query finds, see
	// market.ProductStore.
	Search(ctx context.Context, q search.Query, page market.Page, countTo int) (Found, error)

	// Each passes every document of all kinds to do, in batches, as of one moment. It returns
	// ErrNoSnapshot after the last one if the server cannot do that.
	Each(ctx context.Context, do func(kind *Info, docs []Doc) error) error

	market.Outbox
	Ping(ctx context.Context) error
	Close() error
}

// Info is what an engine knows of a kind.
type Info struct {
	Name string // of its table or collection
	// Unique are sets of keys that together belong to one document at most. A document without
	// one of them is not compared.
	Unique [][]string
	// Lists are the keys by which documents are found. Each list is in the order of the IDs and
	// has an index. The list of all documents needs no entry.
	Lists [][]string
	// Many are the keys with several values. Each is a list of its own.
	Many []string
	// Order is the key by which lists are ordered. Every document has another value of it, a string.
	// "" is the ID. A kind with an Order has no Many.
	Order string
	// Counted are the keys whose lists have an exact total, however long they are; "" is the list
	// of all documents.
	Counted []string
	// SumBy is a counted key. Sums returns the number of documents for each of its values, and
	// the least value of the key Least among them. A kind declares both or none.
	SumBy, Least string
	// Shard is a key that unique keys begin with, and that a removed document keeps. "" is the ID.
	Shard string
	// Searched kinds are found by Search.
	Searched bool
	// Raised kinds have versions that clients compare. A restore raises them.
	Raised bool

	rebuild func(Doc) (Write, error) // see Kind.rebuild
	search  func(Doc) (SearchEntry, error)
}

// Keys are the values by which a document is found, by the name of the key. A value is a string
// or an int64, or a []string for a key of Info.Many. A document has no key whose value is "" or
// that is missing.
type Keys map[string]any

// Doc is a document: an entity as JSON.
type Doc struct {
	ID      string
	Version int64
	Body    []byte
}

// Op is what a Write does.
type Op int

// The operations.
const (
	Add     Op = iota
	Replace    // the document with the same ID
	Remove     // the document with the ID
	Drop       // like Remove, whatever its version is. If there is none, the events are stored nevertheless
)

// Write is a change of one document.
type Write struct {
	Op   Op
	Kind *Info
	Doc  // after the change; the stored version of Replace and Remove is one below

	Keys    Keys
	Queue   string    // the queue in which it is due; "" for none
	Due     time.Time // to the millisecond
	Expires time.Time // zero for never

	// Needs is a document that must exist when the write begins. If it changes at the same moment, the
	// write may succeed or not.
	Needs  *Ref
	Events []market.Event // in this order
	Follow []Write        // documents to add. One whose ID or unique key exists is skipped

	// For hooks.
	entity  any
	effects []market.Effect
}

// Ref names a document that has no value of a key, or one below a number.
type Ref struct {
	Kind    *Info
	ID, Key string
	Below   int64
}

// Find selects a page of a list.
type Find struct {
	Where     Keys   // the list. A []string stands for any of its values
	After     string // the ID, or the value of Info.Order, of the last document before the page
	Ascending bool   // by ID or by Info.Order; otherwise descending, the newest first
	Limit     int    // 0 for none, if only the total is needed
	// CountTo is how far the total is counted: 0 not at all, CountAll to the end.
	CountTo int
}

// CountAll is a Find.CountTo without a limit.
const CountAll = -1

// Found is a page of a list.
type Found struct {
	Docs  []Doc
	More  bool // there is a next page
	Total int
}

// Sum is the number of documents with a value of Info.SumBy.
type Sum struct {
	Value string
	Count int
	Least int64
}

// SearchEntry is what a search compares of a document.
type SearchEntry struct {
	Brand, Condition string
	Verified, Booked bool
	Availability     int64 // half the key of search.SortAvailable
	Price, Storage   int64
	Saving           int64
	// The tokens of the title, of the text and of the place. They may repeat.
	Title, Text, Place []string
	Colours            []string
}

// SearchEntry returns what a search compares of a document.
func (k *Info) SearchEntry(doc Doc) (SearchEntry, error) { return k.search(doc) }

// ErrNoSnapshot is returned by Each if the documents may be of several moments.
var ErrNoSnapshot = errors.New("the server has no snapshots")

// TakenError is the ErrExists of a unique key.
type TakenError struct{ Unique []string }

func (e *TakenError) Error() string {
	return "the unique key " + e.Unique[len(e.Unique)-1] + " is taken"
}

// Is makes the error an ErrExists.
func (e *TakenError) Is(target error) bool { return target == market.ErrExists }

// Fields returns the keys of a kind that have one value, sorted.
func (k *Info) Fields() []string {
	var all []string
	for _, keys := range slices.Concat(k.Unique, k.Lists) {
		all = append(all, keys...)
	}
	if k.Order != "" {
		all = append(all, k.Order)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
