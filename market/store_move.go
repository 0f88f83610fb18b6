package market

import "context"

// Kind is one kind of what a store keeps, as it is moved into another store.
type Kind string

// All that a store keeps is of one of these kinds. The settings come last: what
// says what a store is says so of one that is whole.
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

// Kinds lists them in the order in which they are moved.
func Kinds() []Kind {
	return []Kind{
		KindBrands, KindUsers, KindAccounts, KindSessions, KindProducts, KindBookings, KindPayments, KindWatching, KindReports,
		KindRecords, KindAuditLog, KindLedger, KindNotifications, KindEvents, KindSettings,
	}
}

// Setting is a named setting of the store itself; see Store.Meta.
type Setting struct{ Name, Value string }

// Thing is one of what a store keeps, whole: a Brand, User, Account, Session,
// Product, Booking, Payment, Watching, Report, Record, AuditEntry, LedgerEntry, Notification, Setting, or an Event that waits
// to be published. What an engine keeps beside it to find it again, or to count it,
// is the engine's own and not moved.
type Thing any

// Source is a store that another is filled from. Nothing may write to it during that.
type Source interface {
	// Count tells how many things there are of a kind.
	Count(ctx context.Context, kind Kind) (int, error)
	// Each gives do everything of a kind, each thing once, some at a time and in
	// any order. It stops at do's first error, and returns it.
	Each(ctx context.Context, kind Kind, do func(some []Thing) error) error
	// Like returns the things that have the keys of these; of some there may be none.
	Like(ctx context.Context, kind Kind, these []Thing) ([]Thing, error)
}

// Target is a store that is filled from another before it is used.
type Target interface {
	// Each is Source.Each.
	Each(ctx context.Context, kind Kind, do func(some []Thing) error) error
	// Put stores things as they are, with their versions, and stores no events. What
	// is there under its key stays as it is. ErrExists where another thing has
	// what is unique. It may be called from several goroutines.
	Put(ctx context.Context, kind Kind, these []Thing) error
	// Forget removes things by their keys, without events or tombstones.
	Forget(ctx context.Context, kind Kind, these []Thing) error
}
