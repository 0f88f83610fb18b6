package store

import (
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"secondring/market"
)

// The kinds. Their names are those of the tables and collections.

var users = Kind[market.User]{
	Info: Info{
		Name: "users", Unique: [][]string{{"uid"}, {"email"}}, Lists: [][]string{{"type"}, {"who"}, {"admin"}},
		Counted: []string{"type"}, Raised: true,
	},
	singular: "user",
	id:       func(u market.User) string { return u.ID },
	version:  func(u *market.User) *int64 { return &u.Version },
	keys: func(u market.User) Keys {
		keys := Keys{"who": u.UID}
		switch {
		case u.Removed:
			return keys
		case u.Admin:
			keys["admin"] = "yes"
		default:
			keys["type"] = u.AccountType
		}
		keys["uid"], keys["email"] = u.UID, market.NormalEmail(u.Email)
		return keys
	},
	due: func(u market.User) (string, time.Time) { return "sweep", u.SweepUntil },
}

var accounts = Kind[market.Account]{
	Info:     Info{Name: "accounts", Unique: [][]string{{"email"}, {"google"}}, Many: []string{"pictures"}},
	singular: "account",
	id:       func(a market.Account) string { return a.UID },
	version:  func(a *market.Account) *int64 { return &a.Version },
	keys: func(a market.Account) Keys {
		return Keys{"email": market.NormalEmail(a.Email), "google": a.GoogleSub, "pictures": pictures(a.PhotoURL)}
	},
}

var sessions = Kind[market.Session]{
	Info:     Info{Name: "sessions", Lists: [][]string{{"uid"}}},
	singular: "session",
	id:       func(v market.Session) string { return v.ID },
	keys:     func(v market.Session) Keys { return Keys{"uid": v.UID} },
	expires:  func(v market.Session) time.Time { return v.ExpiresAt },
}

var brands = Kind[market.Brand]{
	Info: Info{
		Name: "brands", Unique: [][]string{{"name"}}, Lists: [][]string{{"closing"}},
		Many: []string{"pictures"}, Counted: []string{""}, Raised: true,
	},
	singular: "brand",
	id:       func(b market.Brand) string { return b.ID },
	version:  func(b *market.Brand) *int64 { return &b.Version },
	keys:     func(b market.Brand) Keys { return Keys{"name": brandKey(b.Name), "pictures": pictures(b.Img)} },
}

// brandKey returns the form of a brand's name that is compared and sorted.
func brandKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

var products = Kind[market.Product]{
	Info: Info{
		Name: "products", Lists: [][]string{{"seller"}, {"advertised"}, {"brand"}, {"available", "price"}},
		Many: []string{"waiters", "pictures"}, Counted: []string{"", "seller", "advertised", "brand", "available"},
		SumBy: "available", Least: "price", Searched: true, Raised: true,
	},
	singular: "product",
	id:       func(p market.Product) string { return p.ID },
	version:  func(p *market.Product) *int64 { return &p.Version },
	keys: func(p market.Product) Keys {
		keys := Keys{"seller": p.SellerUID, "brand": p.BrandID, "price": int64(p.ResalePrice)}
		if !p.Booked() && !p.Sold {
			keys["available"] = p.BrandID
		}
		if p.Advertised && !p.Booked() {
			keys["advertised"] = "yes"
		}
		var waiters []string
		for _, w := range p.Waitlist {
			waiters = append(waiters, w.UID)
		}
		keys["waiters"], keys["pictures"] = waiters, pictures(p.PhotoURLs()...)
		return keys
	},
	due: func(p market.Product) (string, time.Time) {
		if !p.Booked() || p.Sold {
			return "", time.Time{}
		}
		return "held", p.Hold.At
	},
	search: searchEntry,
}

// searchEntry returns what searches compare of a phone.
func searchEntry(product market.Product) SearchEntry {
	p := product.Searchable()
	return SearchEntry{
		Brand: p.BrandID, Condition: p.Condition, Verified: p.Verified, Booked: p.Booked,
		Availability: p.Availability(), Price: int64(p.ResalePrice), Storage: int64(p.StorageGB()), Saving: p.Saving(),
		Title: p.TitleTokens(), Text: p.TextTokens(), Place: p.PlaceTokens(), Colours: p.Colours(),
	}
}

// booking is an order with the slot of its hold; see Store.AddBooking.
type booking struct {
	market.Booking

	Slot int
}

// entityOf returns an entity as package market knows it, for hooks.
func entityOf(stored any) any {
	if b, ok := stored.(booking); ok {
		return b.Booking
	}
	return stored
}

var bookings = Kind[booking]{
	Info: Info{
		Name: "bookings", Unique: [][]string{{"buyer", "slot"}},
		Lists: [][]string{
			{"buyer"},
			{"buyer", "phone"},
			{"holder"},
			{"network"},
			{"seller"},
			{"status"},
			{"state"},
			{"payout"},
			{"cancelledBy"},
			{"sales"},
			{"sales", "sale", "waiting", "paidOut"},
		},
		Many: []string{"pictures", "tabs", "terms"}, Counted: []string{"buyer"}, Shard: "buyer", Raised: true,
	},
	singular: "booking",
	id:       func(b booking) string { return b.ID },
	version:  func(b *booking) *int64 { return &b.Version },
	keys: func(b booking) Keys {
		keys := Keys{
			"buyer": b.BuyerUID, "phone": b.ProductID, "seller": b.SellerUID, "status": string(b.Status),
			"payout": string(b.PayoutState()), "pictures": pictures(b.Img), "terms": b.Terms(),
		}
		var tabs []string
		for _, tab := range b.Tabs() {
			tabs = append(tabs, string(tab))
		}
		keys["tabs"] = tabs
		if sale := b.EarningState(); sale != "" {
			balance := b.Balance()
			keys["sales"], keys["sale"], keys["waiting"], keys["paidOut"] = b.SellerUID, string(sale), balance.Waiting(), balance.PaidOut
		}
		if f := b.Fulfilment; f != nil {
			keys["state"] = string(f.State)
			if f.Reason == market.ReasonSellerCancelled {
				keys["cancelledBy"] = b.SellerUID
			}
		}
		if b.Status == market.BookingHeld {
			keys["holder"], keys["network"], keys["slot"] = b.BuyerUID, b.Network, strconv.Itoa(b.Slot)
		}
		return keys
	},
	due: func(b booking) (string, time.Time) {
		if b.Intent != "" {
			return "intent", b.Due
		}
		return "order", b.Due
	},
	expires: func(b booking) time.Time {
		if b.Due.IsZero() && (b.Status == market.BookingExpired || b.Status == market.BookingCancelled) {
			return b.EndedAt
		}
		return time.Time{}
	},
}

// threads are in the order of their last messages.
var threads = Kind[market.Thread]{
	Info: Info{
		Name: "threads", Unique: [][]string{{"phone", "buyer"}},
		Lists:   [][]string{{"buyer"}, {"seller"}, {"phone"}, {"pair"}, {"unreadBuyer"}, {"unreadSeller"}},
		Counted: []string{"buyer", "seller"}, Order: "last", Shard: "phone", Raised: true,
	},
	singular: "thread",
	id:       func(t market.Thread) string { return t.ID },
	version:  func(t *market.Thread) *int64 { return &t.Version },
	keys: func(t market.Thread) Keys {
		keys := Keys{"phone": t.ProductID, "buyer": t.BuyerUID, "seller": t.SellerUID, "pair": t.Pair(), "last": t.Last.ID}
		if t.Unread.Buyer.Count > 0 {
			keys["unreadBuyer"] = t.BuyerUID
		}
		if t.Unread.Seller.Count > 0 {
			keys["unreadSeller"] = t.SellerUID
		}
		return keys
	},
	due: func(t market.Thread) (string, time.Time) { return "thread", t.Due() },
}

// A message is found by its key only with its thread.
var messages = Kind[market.Message]{
	Info: Info{
		Name: "messages", Unique: [][]string{{"thread", "key"}}, Lists: [][]string{{"thread"}}, Counted: []string{"thread"},
		Shard: "thread", Raised: true,
	},
	singular: "message",
	id:       func(v market.Message) string { return v.ID },
	version:  func(v *market.Message) *int64 { return &v.Version },
	keys:     func(v market.Message) Keys { return Keys{"thread": v.ThreadID, "key": v.Key} },
}

var offers = Kind[market.Offer]{
	Info: Info{
		Name:    "offers",
		Lists:   [][]string{{"thread"}, {"buyer"}, {"seller"}, {"buyer", "phone"}, {"seller", "phone"}, {"openOf"}, {"openBy"}},
		Counted: []string{"buyer", "seller"}, Raised: true,
	},
	singular: "offer",
	id:       func(o market.Offer) string { return o.ID },
	version:  func(o *market.Offer) *int64 { return &o.Version },
	keys: func(o market.Offer) Keys {
		keys := Keys{"thread": o.ThreadID, "buyer": o.BuyerUID, "seller": o.SellerUID, "phone": o.ProductID}
		if o.Status.IsOpen() {
			keys["openOf"], keys["openBy"] = o.ProductID, o.BuyerUID
		}
		return keys
	},
	due: func(o market.Offer) (string, time.Time) {
		if o.Status.IsOpen() {
			return "offer", o.ExpiresAt
		}
		return "", time.Time{}
	},
}

var evidence = Kind[market.Evidence]{
	Info: Info{
		Name: "evidence", Unique: [][]string{{"order", "by", "number"}}, Lists: [][]string{{"by"}, {"order", "by"}}, Shard: "order",
	},
	singular: "evidence",
	id:       func(e market.Evidence) string { return e.ID },
	version:  func(e *market.Evidence) *int64 { return &e.Version },
	keys: func(e market.Evidence) Keys {
		return Keys{"order": e.BookingID, "by": e.ByUID, "number": strconv.Itoa(e.Number)}
	},
	due: func(e market.Evidence) (string, time.Time) { return market.EvidenceQueue, e.KeptUntil },
}

var payments = Kind[market.Payment]{
	Info:     Info{Name: "payments", Unique: [][]string{{"transaction"}}, Lists: [][]string{{"buyer"}}, Shard: "transaction"},
	singular: "payment",
	id:       func(p market.Payment) string { return p.ID },
	version:  func(p *market.Payment) *int64 { return &p.Version },
	keys:     func(p market.Payment) Keys { return Keys{"transaction": p.Transaction, "buyer": p.BuyerUID} },
}

var watching = Kind[market.Watching]{
	Info:     Info{Name: "watching", Unique: [][]string{{"uid"}}, Many: []string{"phones", "searches"}, Raised: true},
	singular: "watching",
	id:       func(w market.Watching) string { return w.ID },
	version:  func(w *market.Watching) *int64 { return &w.Version },
	keys: func(w market.Watching) Keys {
		return Keys{"uid": w.UID, "phones": w.ProductIDs(), "searches": w.SearchKeys()}
	},
}

var reports = Kind[market.Report]{
	Info: Info{
		Name: "reports", Unique: [][]string{{"case", "reporter"}}, Lists: [][]string{{"reporter"}, {"about"}},
		Many: []string{"pictures"}, Counted: []string{""}, Shard: "case", Raised: true,
	},
	singular: "report",
	id:       func(r market.Report) string { return r.ID },
	version:  func(r *market.Report) *int64 { return &r.Version },
	keys: func(r market.Report) Keys {
		return Keys{"case": r.CaseID, "reporter": r.ReporterUID, "about": r.SellerID, "pictures": pictures(r.Img)}
	},
}

var cases = Kind[market.Case]{
	Info: Info{
		Name: "cases", Unique: [][]string{{"target", "open"}}, Lists: [][]string{{"state"}, {"about"}, {"against"}},
		Many: []string{"reporters", "pictures"}, Counted: []string{"", "state", "against"}, Shard: "target", Raised: true,
	},
	singular: "case",
	id:       func(c market.Case) string { return c.ID },
	version:  func(c *market.Case) *int64 { return &c.Version },
	keys: func(c market.Case) Keys {
		keys := Keys{"target": targetKey(c.Kind, c.TargetID), "state": string(c.State), "about": c.AboutUID, "reporters": c.Reporters(), "pictures": pictures(c.Pictures()...)}
		if c.State == market.CaseOpen {
			keys["open"] = "yes"
		}
		if c.IsAgainst() {
			keys["against"] = c.AboutUID
		}
		return keys
	},
	due: func(c market.Case) (string, time.Time) { return market.CaseQueue, c.Due },
	expires: func(c market.Case) time.Time {
		if c.State == market.CaseOpen {
			return time.Time{}
		}
		return c.OpenedAt
	},
}

// targetKey returns the key of the target of a case. A kind has no slash.
func targetKey(kind market.CaseKind, id string) string { return string(kind) + "/" + id }

var hiddenPhones = Kind[market.HiddenPhone]{
	Info:     Info{Name: "hidden_phones", Lists: [][]string{{"phone"}, {"seller"}, {"brand"}}, Many: []string{"pictures"}},
	singular: "hidden phone",
	id:       market.HiddenPhone.ID,
	keys: func(h market.HiddenPhone) Keys {
		return Keys{"phone": h.Phone.ID, "seller": h.Phone.SellerUID, "brand": h.Phone.BrandID, "pictures": pictures(h.Phone.PhotoURLs()...)}
	},
}

var ledger = Kind[market.LedgerEntry]{
	Info:     Info{Name: "ledger", Lists: [][]string{{"booking"}}},
	singular: "ledger entry",
	id:       func(e market.LedgerEntry) string { return e.ID },
	keys:     func(e market.LedgerEntry) Keys { return Keys{"booking": e.BookingID} },
}

var auditEntries = Kind[market.AuditEntry]{
	Info:     Info{Name: "audit_log", Lists: [][]string{{"concern"}, {"actor"}, {"target"}}, Counted: []string{""}},
	singular: "audit log entry",
	id:       func(e market.AuditEntry) string { return e.ID },
	keys: func(e market.AuditEntry) Keys {
		return Keys{"concern": e.ConcernID, "actor": e.ActorID, "target": e.TargetID}
	},
	expires: func(e market.AuditEntry) time.Time { return e.At },
}

var notifications = Kind[market.Notification]{
	Info: Info{
		Name: "notifications", Unique: [][]string{{"uid", "cause"}}, Lists: [][]string{{"uid"}},
		Counted: []string{"uid"}, Raised: true,
	},
	singular: "notification",
	id:       func(n market.Notification) string { return n.ID },
	version:  func(n *market.Notification) *int64 { return &n.Version },
	keys:     func(n market.Notification) Keys { return Keys{"uid": n.UID, "cause": n.Cause} },
	due:      func(n market.Notification) (string, time.Time) { return "notification", n.EmailDue },
	expires:  func(n market.Notification) time.Time { return n.At },
}

var reads = Kind[market.Reads]{
	Info:     Info{Name: "notifications_read"},
	singular: "read notifications",
	id:       func(r market.Reads) string { return r.UID },
	version:  func(r *market.Reads) *int64 { return &r.Version },
	keys:     func(market.Reads) Keys { return nil },
}

var records = Kind[market.Record]{
	Info:     Info{Name: "records", Lists: [][]string{{"kind"}}},
	singular: "record",
	id:       func(r market.Record) string { return recordID(r.Kind, r.ID) },
	version:  func(r *market.Record) *int64 { return &r.Version },
	keys:     func(r market.Record) Keys { return Keys{"kind": r.Kind} },
	due:      func(r market.Record) (string, time.Time) { return r.Kind, r.Due },
	expires:  func(r market.Record) time.Time { return r.Expires },
}

// recordID returns the ID of a record's document. An escaped kind has no slash, so two records
// never have the same.
func recordID(kind, id string) string { return url.PathEscape(kind) + "/" + id }

type setting struct{ Name, Value string }

var settings = Kind[setting]{
	Info:     Info{Name: "settings"},
	singular: "setting",
	id:       func(s setting) string { return s.Name },
	keys:     func(setting) Keys { return nil },
}

// Kinds are all kinds that an engine stores.
var Kinds = sync.OnceValue(func() []*Info {
	return []*Info{
		users.info(), accounts.info(), sessions.info(), brands.info(), products.info(), bookings.info(), threads.info(), messages.info(),
		offers.info(), evidence.info(), payments.info(), watching.info(), reports.info(), cases.info(), hiddenPhones.info(), ledger.info(), auditEntries.info(), notifications.info(), reads.info(), records.info(), settings.info(),
	}
})

// pictures returns the addresses that are not empty.
func pictures(urls ...string) []string {
	var all []string
	for _, u := range urls {
		if u != "" {
			all = append(all, u)
		}
	}
	return all
}
