package market

import (
	"context"
	"time"
)

// Page asks for a part of a list. Lists are newest first: by ID, descending,
// because ids begin with the time they were made (NewID).
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

// Store keeps the market. An engine passes store/storetest.
//
// Writes are compare-and-set on one entity: Add… returns ErrExists where a
// unique key is taken; Save… and Remove… take the entity with Version one above
// the stored one, and return ErrConflict when the stored version is another and
// ErrNotFound when there is none. The events of a write are stored with it or
// not at all, and are durable when it returns. Reads see every write that has
// returned. No call holds a lock between calls.
type Store interface {
	UserStore
	AccountStore
	ProductStore
	BookingStore
	WatchingStore
	ReportStore
	PaymentStore
	LedgerStore
	DocumentStore
	ImageReferences
	AuditLog
	NotificationStore
	Outbox

	// Meta returns a named setting of the store itself, "" when unset.
	Meta(ctx context.Context, name string) (string, error)
	// SetMeta sets it, unless it is set already: then it returns ErrExists.
	SetMeta(ctx context.Context, name, value string) error
	// Ping tells whether the engine answers.
	Ping(ctx context.Context) error
	// Close ends all work. Calls after it fail.
	Close() error
}

// UserStore keeps users. A UID, and an email in its NormalEmail form, are each
// unique among those not removed.
type UserStore interface {
	AddUser(ctx context.Context, u User, events []Event) error
	SaveUser(ctx context.Context, u User, events []Event) error
	// User finds by UID, UserByID by ID: removed ones too, but of two with the
	// same UID the one that is not. UserByEmail leaves removed ones out.
	User(ctx context.Context, uid string) (User, error)
	UserByID(ctx context.Context, id string) (User, error)
	UserByEmail(ctx context.Context, email string) (User, error)
	// Users lists those of one account type who are neither admins nor removed.
	Users(ctx context.Context, accountType string, page Page) (List[User], error)
	// Admins returns up to limit admins who are not removed, in any order.
	Admins(ctx context.Context, limit int) ([]User, error)
	// UsersToSweep returns up to limit users whose SweepUntil is set.
	UsersToSweep(ctx context.Context, limit int) ([]User, error)
	// PurgeUser forgets a removed user for good. It leaves others alone; no
	// error if there is none.
	PurgeUser(ctx context.Context, uid string) error
}

// AccountStore keeps what the identity provider needs. An email in its
// NormalEmail form is unique, removed accounts included; so is a GoogleSub.
type AccountStore interface {
	AddAccount(ctx context.Context, a Account, events []Event) error
	SaveAccount(ctx context.Context, a Account, events []Event) error
	Account(ctx context.Context, uid string) (Account, error)
	AccountByEmail(ctx context.Context, email string) (Account, error)
	AccountByGoogle(ctx context.Context, sub string) (Account, error)
	// PurgeAccount forgets an account for good; its address is free again. No
	// error if there is none; the events are stored even so.
	PurgeAccount(ctx context.Context, uid string, events []Event) error
	// StrayAccounts looks at up to limit accounts, in the order of their UIDs,
	// after one. It returns the UIDs of those that are not removed, were made
	// before then, and have no user, removed or not; and the UID of the last that
	// it looked at, "" where that was the last of all.
	StrayAccounts(ctx context.Context, after string, before time.Time, limit int) (uids []string, last string, err error)

	AddSession(ctx context.Context, s Session) error
	Session(ctx context.Context, id string) (Session, error)
	// SessionsOf returns a person's sessions that have not ended, in any order.
	SessionsOf(ctx context.Context, uid string) ([]Session, error)
	// ExtendSession sets SeenAt and ExpiresAt of a session; ErrNotFound when it has ended.
	ExtendSession(ctx context.Context, id string, seen, until time.Time) error
	// EndSession ends one session, storing the events; no error if it has ended.
	EndSession(ctx context.Context, id string, events []Event) error
	// EndSessions ends all sessions of a person but one ("" for all), storing
	// the events even where there was none to end.
	EndSessions(ctx context.Context, uid, except string, events []Event) error
	// PurgeSessions forgets up to limit sessions that expired before then.
	PurgeSessions(ctx context.Context, before time.Time, limit int) (int, error)
}

// ProductStore keeps brands and phones.
type ProductStore interface {
	// AddBrand returns ErrExists where the name is taken without case.
	AddBrand(ctx context.Context, b Brand) error
	Brand(ctx context.Context, id string) (Brand, error)
	BrandByName(ctx context.Context, name string) (Brand, error)
	Brands(ctx context.Context, page Page) (List[BrandStock], error)
	// TopBrands returns the n with most available phones, ties by name without case.
	TopBrands(ctx context.Context, n int) ([]BrandStock, error)
	// RemoveBrand returns ErrInUse while the brand has phones.
	RemoveBrand(ctx context.Context, id string) error

	// AddProduct may return ErrNotFound where the brand was removed.
	AddProduct(ctx context.Context, p Product, events []Event) error
	SaveProduct(ctx context.Context, p Product, events []Event) error
	// RemoveProduct takes the product with Version one above the stored one.
	RemoveProduct(ctx context.Context, p Product, events []Event) error
	Product(ctx context.Context, id string) (Product, error)
	// ProductsByID returns those of the phones that exist, in any order.
	ProductsByID(ctx context.Context, ids []string) ([]Product, error)
	ProductsOfBrand(ctx context.Context, brandID string, page Page) (List[Product], error)
	ProductsOfSeller(ctx context.Context, sellerUID string, page Page) (List[Product], error)
	// Advertised lists advertised phones that are not booked.
	Advertised(ctx context.Context, page Page) (List[Product], error)
	// SearchProducts lists the phones that q.Matches, in the order of q.SortKey,
	// after the SortKey in page.After. Total is exact where q does not narrow;
	// else phones are counted up to countTo, and Total is at most that.
	SearchProducts(ctx context.Context, q Query, page Page, countTo int) (List[Product], error)
	// ProductsWaitedFor returns the phones whose Waitlist has this person, in any order.
	ProductsWaitedFor(ctx context.Context, uid string) ([]Product, error)
	// ProductsHeld returns unsold phones whose Hold.At is in [from, to], oldest
	// first, up to limit.
	ProductsHeld(ctx context.Context, from, to time.Time, limit int) ([]Product, error)
}

// BookingStore keeps orders.
type BookingStore interface {
	// AddBooking returns ErrExists if the ID exists, else ErrLimit if the buyer has
	// maxHeld bookings in BookingHeld. Concurrent calls keep the limit.
	AddBooking(ctx context.Context, b Booking, maxHeld int, events []Event) error
	SaveBooking(ctx context.Context, b Booking, events []Event) error
	Booking(ctx context.Context, id string) (Booking, error)
	// LastBooking returns a buyer's newest booking of a phone.
	LastBooking(ctx context.Context, buyerUID, productID string) (Booking, error)
	BookingsOf(ctx context.Context, buyerUID string, page Page) (List[Booking], error)
	// HeldBookings returns a buyer's bookings in BookingHeld, up to limit.
	HeldBookings(ctx context.Context, buyerUID string, limit int) ([]Booking, error)
	// HeldFrom counts the bookings in BookingHeld from a network, up to limit.
	HeldFrom(ctx context.Context, network string, limit int) (int, error)
	// BookingsDue returns bookings without an Intent whose Due is set and not
	// after now, oldest first, up to limit.
	BookingsDue(ctx context.Context, now time.Time, limit int) ([]Booking, error)
	// IntentsDue is the same of bookings with an Intent.
	IntentsDue(ctx context.Context, now time.Time, limit int) ([]Booking, error)
	// Orders lists the bookings that a filter finds, newest first. Above MaxOrdersCounted, Total
	// need not be exact.
	Orders(ctx context.Context, f OrderFilter, page Page) (List[Booking], error)
	// BookingsOfSeller returns a page of the bookings of a seller's phones, newest first.
	BookingsOfSeller(ctx context.Context, sellerUID string, page Page) ([]Booking, error)
	// PurgeBookings forgets up to limit bookings in BookingExpired or
	// BookingCancelled whose EndedAt is set and before then, and whose Due is not
	// set, and tells how many.
	PurgeBookings(ctx context.Context, before time.Time, limit int) (int, error)
}

// WatchingStore keeps what people watch, one entity a person.
type WatchingStore interface {
	// AddWatching returns ErrExists where the UID has one.
	AddWatching(ctx context.Context, w Watching, events []Event) error
	SaveWatching(ctx context.Context, w Watching, events []Event) error
	// RemoveWatching takes it with Version one above the stored one.
	RemoveWatching(ctx context.Context, w Watching, events []Event) error
	// Watching finds by UID.
	Watching(ctx context.Context, uid string) (Watching, error)
	// WatchingOfPhone returns a page of those who watch a phone, by ID, descending.
	WatchingOfPhone(ctx context.Context, productID string, page Page) ([]Watching, error)
	// WatchingOfBrand returns a page of those with a search of a brand, or with
	// AnyBrand of those with a search of no brand in particular, by ID, descending.
	WatchingOfBrand(ctx context.Context, brandID string, page Page) ([]Watching, error)
}

// PaymentStore keeps the money that arrived. A Transaction is unique.
type PaymentStore interface {
	AddPayment(ctx context.Context, p Payment, events []Event) error
	SavePayment(ctx context.Context, p Payment, events []Event) error
	// PaymentOf finds by transaction.
	PaymentOf(ctx context.Context, transaction string) (Payment, error)
	// Payments returns a page of all payments, newest first.
	Payments(ctx context.Context, page Page) ([]Payment, error)
	// PaymentsOf returns a page of a buyer's payments, newest first.
	PaymentsOf(ctx context.Context, buyerUID string, page Page) ([]Payment, error)
}

// LedgerStore keeps the movements of money. A LedgerEntry in an event of any write
// (LedgerEntry.Event) is stored with that write or not at all, and once. Nothing changes it.
type LedgerStore interface {
	// LedgerOfOrder returns all of an order, by ID.
	LedgerOfOrder(ctx context.Context, bookingID string) ([]LedgerEntry, error)
	// LedgerOfOrders returns all of several orders, in any order.
	LedgerOfOrders(ctx context.Context, bookingIDs []string) ([]LedgerEntry, error)
	// LedgerOfSeller returns all of a seller's orders, by ID.
	LedgerOfSeller(ctx context.Context, sellerUID string) ([]LedgerEntry, error)
	// Ledger returns a page of all entries, by ID, descending.
	Ledger(ctx context.Context, page Page) ([]LedgerEntry, error)
}

// DocumentStore keeps other rooms' documents, each by its Kind and ID. One that is added
// with events has no Expires, so that it outlives them. Any write can add a record with
// its events, see Record.Event.
type DocumentStore interface {
	AddRecord(ctx context.Context, r Record, events []Event) error
	SaveRecord(ctx context.Context, r Record) error
	Record(ctx context.Context, kind, id string) (Record, error)
	// RecordsOf returns a page of the records of a kind, by ID, descending.
	RecordsOf(ctx context.Context, kind string, page Page) ([]Record, error)
	// RecordsDue returns records of a kind whose Due is set and not after now,
	// oldest first, up to limit.
	RecordsDue(ctx context.Context, kind string, now time.Time, limit int) ([]Record, error)
	// PurgeRecords forgets up to limit records whose Expires is set and before
	// then, and tells how many.
	PurgeRecords(ctx context.Context, before time.Time, limit int) (int, error)
}

// ImageReferences tells where pictures are shown.
type ImageReferences interface {
	// ShowsPicture tells whether a phone in any state, an order, a report, a brand
	// or an account shows a picture at one of these addresses. A phone's addresses
	// count that contain "/images/".
	ShowsPicture(ctx context.Context, urls []string) (bool, error)
}

// ReportStore keeps complaints.
type ReportStore interface {
	// AddReport returns ErrExists where this reporter has reported this phone.
	AddReport(ctx context.Context, r Report, events []Event) error
	Report(ctx context.Context, id string) (Report, error)
	Reports(ctx context.Context, page Page) (List[Report], error)
	// ReportsBy returns a page of one person's, newest first.
	ReportsBy(ctx context.Context, reporterUID string, page Page) ([]Report, error)
	// RemoveReport takes the report with Version one above the stored one.
	RemoveReport(ctx context.Context, r Report, events []Event) error
}

// AuditLog keeps what admins did. An AuditEntry is stored with an event of the write
// that it describes (AuditEntry.Event), with that write or not at all, and once.
// Nothing changes it but ForgetInAuditLog.
type AuditLog interface {
	AuditEntries(ctx context.Context, page Page) (List[AuditEntry], error)
	// AuditEntriesAbout returns a page of those about a person, by User.ID, newest first.
	AuditEntriesAbout(ctx context.Context, personID string, page Page) ([]AuditEntry, error)
	// ForgetInAuditLog removes a person's name from all entries, by User.ID: as the one
	// who acted and as the target.
	ForgetInAuditLog(ctx context.Context, personID string) error
	// PurgeAuditEntries deletes up to limit entries from before then, oldest first, and
	// returns how many.
	PurgeAuditEntries(ctx context.Context, before time.Time, limit int) (int, error)
}

// NotificationStore keeps what people are told. A Notification in an event of any write
// (Notification.Event) is stored with that write or not at all, and once. The newest
// NotificationsKept of each person are kept.
type NotificationStore interface {
	// AddNotification stores a notification by itself; ErrExists where the ID is there,
	// or the person has a notification of the same Cause.
	AddNotification(ctx context.Context, n Notification, events []Event) error
	SaveNotification(ctx context.Context, n Notification, events []Event) error
	Notification(ctx context.Context, id string) (Notification, error)
	NotificationsOf(ctx context.Context, uid string, page Page) (List[Notification], error)
	// UnreadNotifications returns a person's unread ones, newest first, up to limit.
	UnreadNotifications(ctx context.Context, uid string, limit int) ([]Notification, error)
	// NotificationsToEmail returns those whose EmailDue is set and not after now, oldest
	// first, up to limit.
	NotificationsToEmail(ctx context.Context, now time.Time, limit int) ([]Notification, error)
	// SetNotificationEmails sets Email and EmailDue of those of the notifications whose Email
	// is still the one before and whose EmailDue is set.
	SetNotificationEmails(ctx context.Context, ids []string, before, email EmailWhen, due time.Time) error
	// ForgetNotifications deletes all of a person.
	ForgetNotifications(ctx context.Context, uid string) error
	// PurgeNotifications deletes up to limit from before then, oldest first, and returns
	// how many.
	PurgeNotifications(ctx context.Context, before time.Time, limit int) (int, error)
}

// Outbox hands over stored events until they are published.
type Outbox interface {
	// PendingEvents returns the oldest unpublished events, in the order in
	// which their writes became durable, up to limit.
	PendingEvents(ctx context.Context, limit int) ([]Event, error)
	// EventsPublished forgets them.
	EventsPublished(ctx context.Context, events []Event) error
	// Backlog counts the unpublished events, up to limit, and writes nothing. It reads at
	// most limit of them.
	Backlog(ctx context.Context, limit int) (Backlog, error)
}

// Backlog is how many events wait to be published.
type Backlog struct {
	Events int
	Oldest time.Time // when the first of them happened; zero where none waits
}

// Clock tells the time, in UTC.
type Clock interface {
	Now() time.Time
}

// SystemClock is the machine's clock.
type SystemClock struct{}

// Now returns the time in UTC, to the millisecond: what every engine can keep.
func (SystemClock) Now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
