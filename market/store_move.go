package market

import "context"

// Kind is a kind of data that is copied from one store to another.
type Kind string

// The kinds of all data in a store. The settings come last: a store has the setting that
// names it only when it is complete.
const (
	KindBrands        Kind = "brands"
	KindUsers         Kind = "users"
	KindAccounts      Kind = "accounts"
	KindSessions      Kind = "sessions"
	KindProducts      Kind = "products"
	KindBookings      Kind = "bookings"
	KindPayments      Kind = "payments"
	KindWatching      Kind = "watching"
	KindReports       Kind = "reports"
	KindRecords       Kind = "records"
	KindAuditLog      Kind = "lines"
	KindLedger        Kind = "ledger"
	KindNotifications Kind = "notifications"
	KindEvents        Kind = "events"
	KindSettings      Kind = "settings"
)

// Kinds lists the kinds in the order in which they are copied.
func Kinds() []Kind {
	return []Kind{
		KindBrands, KindUsers, KindAccounts, KindSessions, KindProducts, KindBookings, KindPayments, KindWatching, KindReports,
		KindRecords, KindAuditLog, KindLedger, KindNotifications, KindEvents, KindSettings,
	}
}

// Setting is a named setting of the store itself; see Store.Meta.
type Setting struct{ Name, Value string }

// Item is one stored value: a Brand, User, Account, Session, Product, Booking, Payment,
// Watching, Report, Record, AuditEntry, LedgerEntry, Notification, Setting, or an
// unpublished Event. Indexes and counters of an engine are not copied.
type Item any

// Source is a store from which data is copied. Nothing may write to it meanwhile.
type Source interface {
	// Count returns the number of items of a kind.
	Count(ctx context.Context, kind Kind) (int, error)
	// Each passes everything of a kind to do, each item once, in batches and in any order.
	// It stops at do's first error, and returns it.
	Each(ctx context.Context, kind Kind, do func(items []Item) error) error
	// Existing returns the stored items with the same keys. It leaves out missing ones.
	Existing(ctx context.Context, kind Kind, items []Item) ([]Item, error)
}

// Target is a store into which data is copied before it is used.
type Target interface {
	// Each is Source.Each.
	Each(ctx context.Context, kind Kind, do func(items []Item) error) error
	// Put stores items unchanged, with their versions, and stores no events. It does not
	// change items whose key exists. It returns ErrExists if another item has the same
	// value of a unique field. It may be called from several goroutines.
	Put(ctx context.Context, kind Kind, items []Item) error
	// DeleteItems deletes items by their keys, without events or tombstones.
	DeleteItems(ctx context.Context, kind Kind, items []Item) error
}
