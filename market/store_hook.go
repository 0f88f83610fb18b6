package market

import (
	"context"
	"time"
)

// StoreOp is what a StoreCall does.
type StoreOp string

// The operations.
const (
	OpAdd    StoreOp = "add"
	OpSave   StoreOp = "save"
	OpRemove StoreOp = "remove" // permanently; the entity may have only its ID
	OpRead   StoreOp = "read"   // PendingEvents or Backlog, which the server reads all the time
)

// StoreCall is one write of a store, or one of the reads that the server makes all the time. A
// method of Store may make several.
type StoreCall struct {
	Op      StoreOp
	Entity  any      // a User, Account, Session, Brand, Product, …; nil for OpRead
	Effects []Effect // stored with the write
	Due     []Due    // when what is written is due
}

// Due is an entry in a queue of the store.
type Due struct {
	Queue string
	At    time.Time
}

// StoreHook runs around a call: it makes the call with do and returns its error. A write
// that failed may have been made nevertheless.
type StoreHook func(ctx context.Context, call StoreCall, do func() error) error
