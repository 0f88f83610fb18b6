package market

import (
	"context"
	"time"

	"secondring/market/search"
)

// Page is a request for a part of a list. Lists are newest first: by ID, descending,
// because IDs begin with the time they were made (NewID).
type Page struct {
	Limit int    // at least 1
	After string // the last ID of the page before; "" for the first page
}

// List is one page and the size of the whole list.
type List[T any] struct {
	Items []T
	Total int
	More  bool // there is a next page
}

// Store stores the market. Every engine must pass store/storetest.
//
// Writes are compare-and-set on one entity. Add… returns ErrExists if a unique key is
// taken. Save… and Remove… take the entity with Version one above the stored one. They
// return ErrConflict if the stored version is another, and ErrNotFound if the entity does
// not exist. The effects of a write are stored with it or not at all, and are durable when
// it returns. Reads see every write that has returned. No lock is held between calls.
type Store interface {
	UserStore
	AccountStore
	ProductStore
	BookingStore
	ThreadStore
	EvidenceStore
	WatchingStore
	ReportStore
	CaseStore
	PaymentStore
	LedgerStore
	DocumentStore
	ImageReferences
	AuditLog
	NotificationStore
	Outbox

	// Hooked returns the same store with a hook around its writes, and around the reads of the outbox. A
	// hook that it has already is inside of the new one. Purges and imports have no hooks. A type
	// that embeds a Store and overrides methods must override this one too.
	Hooked(hook StoreHook) Store

	// Meta returns a named setting of the store itself; "" if it is not set.
	Meta(ctx context.Context, name string) (string, error)
	// SetMeta sets a setting. It returns ErrExists if it is set already.
	SetMeta(ctx context.Context, name, value string) error
	// Ping returns an error if the engine does not answer.
	Ping(ctx context.Context) error
	// Close closes the store. Calls after it fail.
	Close() error
}

// UserStore stores users. The UID and the email in its NormalEmail form are each unique
// among users that are not removed.
type UserStore interface {
	AddUser(ctx context.Context, u User, effects []Effect) error
	SaveUser(ctx context.Context, u User, effects []Effect) error
	// User finds by UID, UserByID by ID. Both also find removed users; of two users with
	// the same UID they prefer the one that is not removed. UserByEmail does not find
	// removed users.
	User(ctx context.Context, uid string) (User, error)
	UserByID(ctx context.Context, id string) (User, error)
	UserByEmail(ctx context.Context, email string) (User, error)
	// UsersByUID returns the users with these UIDs who are not removed, in any order.
	UsersByUID(ctx context.Context, uids []string) ([]User, error)
	// Users lists the users of one account type who are neither admins nor removed.
	Users(ctx context.Context, accountType string, page Page) (List[User], error)
	// Admins returns up to limit admins who are not removed, in any order.
	Admins(ctx context.Context, limit int) ([]User, error)
	// UsersToSweep returns up to limit users whose SweepUntil is set.
	UsersToSweep(ctx context.Context, limit int) ([]User, error)
	// PurgeUser deletes a removed user for good. It does nothing if the user is not removed
	// or does not exist.
	PurgeUser(ctx context.Context, uid string) error
}

// AccountStore stores the data of the identity provider. An email in its NormalEmail form
// is unique, also among removed accounts; so is a GoogleSub.
type AccountStore interface {
	AddAccount(ctx context.Context, a Account, effects []Effect) error
	SaveAccount(ctx context.Context, a Account, effects []Effect) error
	Account(ctx context.Context, uid string) (Account, error)
	AccountByEmail(ctx context.Context, email string) (Account, error)
	AccountByGoogle(ctx context.Context, sub string) (Account, error)
	// PurgeAccount deletes an account permanently; its address can sign up again. It returns no
	// error if there is none; the effects are stored nevertheless.
	PurgeAccount(ctx context.Context, uid string, effects []Effect) error
	// OrphanedAccounts reads up to limit accounts in the order of their UIDs, starting after a
	// UID. It returns the UIDs of those that are not removed, were made before that time,
	// and have no user, not even a removed one. last is the last UID that it read, or "" if
	// there are no more.
	OrphanedAccounts(ctx context.Context, after string, before time.Time, limit int) (uids []string, last string, err error)

	AddSession(ctx context.Context, s Session) error
	Session(ctx context.Context, id string) (Session, error)
	// SessionsOf returns a person's sessions that have not ended, in any order.
	SessionsOf(ctx context.Context, uid string) ([]Session, error)
	// ExtendSession sets SeenAt and ExpiresAt of a session. It returns ErrNotFound if it
	// has ended.
	ExtendSession(ctx context.Context, id string, seen, until time.Time) error
	// EndSession ends one session and stores the effects. It returns no error if it has
	// ended.
	EndSession(ctx context.Context, id string, effects []Effect) error
	// EndSessions ends all sessions of a person. It stores the effects even if there was no
	// session to end.
	EndSessions(ctx context.Context, uid string, effects []Effect) error
	// PurgeSessions deletes up to limit sessions that expired before that time.
	PurgeSessions(ctx context.Context, before time.Time, limit int) (int, error)
}

// ProductStore stores brands and phones.
type ProductStore interface {
	// AddBrand returns ErrExists if the name is taken; case is ignored.
	AddBrand(ctx context.Context, b Brand) error
	Brand(ctx context.Context, id string) (Brand, error)
	BrandByName(ctx context.Context, name string) (Brand, error)
	Brands(ctx context.Context, page Page) (List[BrandStock], error)
	// TopBrands returns the n brands with most available phones, ties by name without case.
	TopBrands(ctx context.Context, n int) ([]BrandStock, error)
	// RemoveBrand returns ErrInUse if the brand has phones.
	RemoveBrand(ctx context.Context, id string) error

	// AddProduct may return ErrNotFound if the brand was removed.
	AddProduct(ctx context.Context, p Product, effects []Effect) error
	SaveProduct(ctx context.Context, p Product, effects []Effect) error
	// RemoveProduct takes the product with Version one above the stored one.
	RemoveProduct(ctx context.Context, p Product, effects []Effect) error
	Product(ctx context.Context, id string) (Product, error)
	// ProductsByID returns the phones that exist, in any order.
	ProductsByID(ctx context.Context, ids []string) ([]Product, error)
	ProductsOfBrand(ctx context.Context, brandID string, page Page) (List[Product], error)
	ProductsOfSeller(ctx context.Context, sellerUID string, page Page) (List[Product], error)
	// Advertised lists advertised phones that are not booked.
	Advertised(ctx context.Context, page Page) (List[Product], error)
	// SearchProducts lists the phones that q.Matches, in the order of q.SortKey, after the
	// SortKey in page.After. Total is exact if q does not narrow; otherwise phones are
	// counted up to countTo, and Total is at most that.
	SearchProducts(ctx context.Context, q search.Query, page Page, countTo int) (List[Product], error)
	// ProductsWaitedFor returns the phones whose Waitlist has this person, in any order.
	ProductsWaitedFor(ctx context.Context, uid string) ([]Product, error)
	// ProductsHeld returns unsold phones whose Hold.At is in [from, to], oldest
	// first, up to limit.
	ProductsHeld(ctx context.Context, from, to time.Time, limit int) ([]Product, error)
}

// BookingStore stores orders.
type BookingStore interface {
	// AddBooking returns ErrExists if the ID exists, else ErrLimit if the buyer has maxHeld
	// bookings in BookingHeld. Concurrent calls cannot exceed the limit.
	AddBooking(ctx context.Context, b Booking, maxHeld int, effects []Effect) error
	SaveBooking(ctx context.Context, b Booking, effects []Effect) error
	Booking(ctx context.Context, id string) (Booking, error)
	// LastBooking returns a buyer's newest booking of a phone.
	LastBooking(ctx context.Context, buyerUID, productID string) (Booking, error)
	BookingsOf(ctx context.Context, buyerUID string, page Page) (List[Booking], error)
	// HeldBookings returns a buyer's bookings in BookingHeld, up to limit.
	HeldBookings(ctx context.Context, buyerUID string, limit int) ([]Booking, error)
	// HeldFrom counts the bookings in BookingHeld from a network, up to limit.
	HeldFrom(ctx context.Context, network string, limit int) (int, error)
	// BookingsDue returns bookings without an Intent whose Due is set and not after now,
	// oldest first, up to limit.
	BookingsDue(ctx context.Context, now time.Time, limit int) ([]Booking, error)
	// IntentsDue returns the same for bookings with an Intent.
	IntentsDue(ctx context.Context, now time.Time, limit int) ([]Booking, error)
	// Orders lists the bookings that match a filter, newest first. Total is exact up to
	// MaxOrdersCounted.
	Orders(ctx context.Context, f OrderFilter, page Page) (List[Booking], error)
	// BookingsOfSeller returns a page of the bookings of a seller's phones, newest first.
	BookingsOfSeller(ctx context.Context, sellerUID string, page Page) ([]Booking, error)
	// SalesOf lists a seller's sales, the bookings with an EarningState, newest first. Total is
	// exact up to MaxOrdersCounted.
	SalesOf(ctx context.Context, sellerUID string, page Page) (List[Booking], error)
	// CountCancelledSales counts the bookings that their seller has cancelled.
	CountCancelledSales(ctx context.Context, sellerUID string) (int, error)
	// SalesSums adds up all sales of a seller by their EarningState.
	SalesSums(ctx context.Context, sellerUID string) (map[EarningState]SalesSum, error)
	// PurgeBookings deletes up to limit bookings in BookingExpired or BookingCancelled
	// whose EndedAt is set and before that time, and whose Due is not set. It returns how
	// many.
	PurgeBookings(ctx context.Context, before time.Time, limit int) (int, error)
}

// EvidenceStore stores the photographs that people have added to orders.
type EvidenceStore interface {
	// AddEvidence sets the Number. It returns ErrLimit if the person has limit photographs of the
	// order. Concurrent calls cannot exceed the limit.
	AddEvidence(ctx context.Context, e Evidence, limit int) error
	SaveEvidence(ctx context.Context, e Evidence) error
	// RemoveEvidence takes the photograph with Version one above the stored one.
	RemoveEvidence(ctx context.Context, e Evidence) error
	// EvidenceByID returns the photographs that exist, in any order.
	EvidenceByID(ctx context.Context, ids []string) ([]Evidence, error)
	// EvidenceBy returns a page of the photographs that a person has added, by ID, descending.
	EvidenceBy(ctx context.Context, uid string, page Page) ([]Evidence, error)
	// EvidenceDue returns photographs whose KeptUntil is not after now, oldest first, up to limit.
	EvidenceDue(ctx context.Context, now time.Time, limit int) ([]Evidence, error)
}

// WatchingStore stores what people watch, one entity for each person.
type WatchingStore interface {
	// AddWatching returns ErrExists if the UID has one.
	AddWatching(ctx context.Context, w Watching, effects []Effect) error
	SaveWatching(ctx context.Context, w Watching, effects []Effect) error
	// RemoveWatching takes the entity with Version one above the stored one.
	RemoveWatching(ctx context.Context, w Watching, effects []Effect) error
	// Watching finds by UID.
	Watching(ctx context.Context, uid string) (Watching, error)
	// WatchingOfPhone returns a page of the people who watch a phone, by ID, descending.
	WatchingOfPhone(ctx context.Context, productID string, page Page) ([]Watching, error)
	// CountWatchers returns how many people watch a phone.
	CountWatchers(ctx context.Context, productID string) (int, error)
	// WatchingOfSearches returns a page of the people with a saved search that has a key, by
	// ID, descending; see Watching.SearchKeys.
	WatchingOfSearches(ctx context.Context, key string, page Page) ([]Watching, error)
}

// PaymentStore stores received payments. A Transaction is unique.
type PaymentStore interface {
	AddPayment(ctx context.Context, p Payment, effects []Effect) error
	SavePayment(ctx context.Context, p Payment, effects []Effect) error
	// PaymentOf finds by transaction.
	PaymentOf(ctx context.Context, transaction string) (Payment, error)
	// Payments returns a page of all payments, newest first.
	Payments(ctx context.Context, page Page) ([]Payment, error)
	// PaymentsOf returns a page of a buyer's payments, newest first.
	PaymentsOf(ctx context.Context, buyerUID string, page Page) ([]Payment, error)
}

// LedgerStore stores the movements of money. A LedgerEntry is an Effect of another write. It is
// never changed.
type LedgerStore interface {
	// LedgerOfOrder returns all entries of an order, by ID.
	LedgerOfOrder(ctx context.Context, bookingID string) ([]LedgerEntry, error)
	// LedgerOfOrders returns all entries of several orders, in any order.
	LedgerOfOrders(ctx context.Context, bookingIDs []string) ([]LedgerEntry, error)
	// Ledger returns a page of all entries, by ID, descending.
	Ledger(ctx context.Context, page Page) ([]LedgerEntry, error)
}

// DocumentStore stores documents of other packages, each by its Kind and ID. A record that
// is added with events has no Expires, so that it outlives them. Any write can add a record
// as an Effect. If a record with the same Kind and ID exists, it is not changed.
type DocumentStore interface {
	AddRecord(ctx context.Context, r Record, effects []Effect) error
	SaveRecord(ctx context.Context, r Record) error
	Record(ctx context.Context, kind, id string) (Record, error)
	// RecordsByID returns the records of a kind that exist, in any order.
	RecordsByID(ctx context.Context, kind string, ids []string) ([]Record, error)
	// RecordsOf returns a page of the records of a kind, by ID, descending.
	RecordsOf(ctx context.Context, kind string, page Page) ([]Record, error)
	// RecordsDue returns records of a kind whose Due is set and not after now, oldest
	// first, up to limit.
	RecordsDue(ctx context.Context, kind string, now time.Time, limit int) ([]Record, error)
	// RemoveRecords removes several records, whatever their versions are. It ignores those that
	// do not exist.
	RemoveRecords(ctx context.Context, kind string, ids []string) error
	// PurgeRecords deletes up to limit records whose Expires is set and before that time,
	// and returns how many. A record that an unpublished event carries does not exist again
	// afterwards: the store keeps it, or does not store it from the event again.
	PurgeRecords(ctx context.Context, before time.Time, limit int) (int, error)
}

// ImageReferences finds references to pictures.
type ImageReferences interface {
	// ShowsPicture returns whether a phone in any state, an order, a report, a brand or an
	// account refers to a picture at one of these URLs. Of a phone's URLs only those that
	// contain "/images/" are found.
	ShowsPicture(ctx context.Context, urls []string) (bool, error)
}

// ReportStore stores open reports.
type ReportStore interface {
	// A new Report is an Effect of the write of its case.
	SaveReport(ctx context.Context, r Report, effects []Effect) error
	Report(ctx context.Context, id string) (Report, error)
	Reports(ctx context.Context, page Page) (List[Report], error)
	// ReportsBy returns a page of one person's reports, newest first.
	ReportsBy(ctx context.Context, reporterUID string, page Page) ([]Report, error)
	// CountReportsBy counts the reports of a reporter, by UID; CountReportsAbout those about a
	// seller, by User.ID.
	CountReportsBy(ctx context.Context, reporterUID string) (int, error)
	CountReportsAbout(ctx context.Context, sellerID string) (int, error)
	// RemoveReport takes the report with Version one above the stored one.
	RemoveReport(ctx context.Context, r Report, effects []Effect) error
}

// AuditLog stores AuditEntry values. An AuditEntry is an Effect of the write that it describes.
// Only EraseFromAuditLog changes it.
type AuditLog interface {
	// AddAuditEntry adds an entry of what changes nothing else. Others are effects of a write.
	AddAuditEntry(ctx context.Context, entry AuditEntry) error
	AuditEntries(ctx context.Context, page Page) (List[AuditEntry], error)
	// AuditEntriesAbout returns a page of the entries about a person, by User.ID, newest
	// first.
	AuditEntriesAbout(ctx context.Context, personID string, page Page) ([]AuditEntry, error)
	// EraseFromAuditLog removes a person's name from all entries, by User.ID: both as the
	// actor and as the target.
	EraseFromAuditLog(ctx context.Context, personID string) error
	// PurgeAuditEntries deletes up to limit entries from before that time, oldest first,
	// and returns how many.
	PurgeAuditEntries(ctx context.Context, before time.Time, limit int) (int, error)
}

// NotificationStore stores notifications. A Notification is an Effect of another write, or has a
// write of its own. The write that adds one deletes the person's SurplusNotifications.
type NotificationStore interface {
	// AddNotification stores a notification in a write of its own. It returns ErrExists if
	// the ID exists, or the person has a notification with the same Cause.
	AddNotification(ctx context.Context, n Notification, effects []Effect) error
	SaveNotification(ctx context.Context, n Notification, effects []Effect) error
	Notification(ctx context.Context, id string) (Notification, error)
	// NotificationOfCause returns the person's notification with this Cause.
	NotificationOfCause(ctx context.Context, uid, cause string) (Notification, error)
	NotificationsOf(ctx context.Context, uid string, page Page) (List[Notification], error)
	// Reads returns which notifications a person has read. The other methods set
	// Notification.ReadAt by it.
	Reads(ctx context.Context, uid string) (Reads, error)
	// SaveReads takes the Reads with Version one above the stored one, which is 0 if there is
	// none. It returns ErrExists or ErrConflict if the stored version is another.
	SaveReads(ctx context.Context, r Reads, effects []Effect) error
	// UnreadNotifications returns a person's unread notifications, newest first, up to
	// limit.
	UnreadNotifications(ctx context.Context, uid string, limit int) ([]Notification, error)
	// NotificationsToEmail returns notifications whose EmailDue is set and not after now,
	// oldest first, up to limit.
	NotificationsToEmail(ctx context.Context, now time.Time, limit int) ([]Notification, error)
	// SetNotificationEmails sets Email and EmailDue of those notifications whose Email is
	// still before and whose EmailDue is set.
	SetNotificationEmails(ctx context.Context, ids []string, before, email EmailWhen, due time.Time) error
	// DeleteNotifications deletes all notifications of a person, and which of them were read.
	DeleteNotifications(ctx context.Context, uid string) error
	// PurgeNotifications deletes up to limit notifications from before that time, oldest
	// first, and returns how many.
	PurgeNotifications(ctx context.Context, before time.Time, limit int) (int, error)
}

// Outbox has the stored events that are not published yet.
type Outbox interface {
	// PendingEvents returns the oldest unpublished events, up to limit. The events of one
	// entity are in the order of its versions. Events of different entities may be in another
	// order than their writes: no reader depends on it.
	PendingEvents(ctx context.Context, limit int) ([]Event, error)
	// EventsPublished deletes published events from the outbox.
	EventsPublished(ctx context.Context, events []Event) error
	// Backlog counts the unpublished events, up to limit. It reads at most limit of them
	// and writes nothing.
	Backlog(ctx context.Context, limit int) (Backlog, error)
}

// Backlog is how many events wait to be published.
type Backlog struct {
	Events int
	Oldest time.Time // the time of the oldest event; zero if there is none
}

// Clock returns the time in UTC.
type Clock interface {
	Now() time.Time
}

// SystemClock is the machine's clock.
type SystemClock struct{}

// Now returns the time in UTC, to the millisecond, which every engine can store.
func (SystemClock) Now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

var started = time.Now()

// Monotonic returns the time since the start of the process, by the monotonic clock,
// which does not change when the machine's clock is set. Use it for times that are
// stored as numbers and compared with now: UnixNano of a time.Time loses the monotonic
// reading.
func Monotonic() time.Duration { return time.Since(started) }
