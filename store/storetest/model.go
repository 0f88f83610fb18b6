package storetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"secondring/market"
)

// model applies random changes to the store and to plain slices, and compares every list
// from time to time and at the end.
func model(t *testing.T, open Open) {
	rapid.Check(t, func(r *rapid.T) {
		store := open(t)
		w := &modelRun{store: store, ctx: context.Background(), r: r}
		w.begin()
		r.Repeat(map[string]func(*rapid.T){
			"add phone":    w.step(w.addPhone),
			"save phone":   w.step(w.savePhone),
			"remove phone": w.step(w.removePhone),
			"add user":     w.step(w.addUser),
			"save user":    w.step(w.saveUser),
			"add booking":  w.step(w.addBooking),
			"save booking": w.step(w.saveBooking),
			"add payment":  w.step(w.addPayment),
			"save payment": w.step(w.savePayment),
			"put record":   w.step(w.putRecord),
			"purge":        w.step(w.purge),
			"publish":      w.step(w.publish),
			"compare":      w.step(w.compare),
		})
		w.compare()
		if err := store.Close(); err != nil { // so that not hundreds of stores are open
			r.Fatal(err)
		}
	})
}

// modelRun is one random history: the store, and what it must contain, newest first.
type modelRun struct {
	store    market.Store
	ctx      context.Context
	r        *rapid.T
	brands   []market.Brand
	phones   []market.Product
	users    []market.User
	bookings []market.Booking
	payments []market.Payment
	records  []market.Record
	outbox   []market.Event
}

const modelLimit = 3

var people = rapid.SampledFrom([]string{"ann", "bob", "cid"})

func (w *modelRun) step(do func()) func(*rapid.T) {
	return func(r *rapid.T) {
		w.r = r
		do()
	}
}

func (w *modelRun) begin() {
	for _, name := range []string{"apple", "LG"} {
		b := brand(name)
		w.brands = append(w.brands, b)
		w.expect(w.store.AddBrand(w.ctx, b), nil)
	}
}

func (w *modelRun) expect(err, want error) {
	w.r.Helper()
	if !errors.Is(err, want) {
		w.r.Fatalf("got error %v, want %v", err, want)
	}
}

// news returns an event, which the model stores if the write should succeed.
func (w *modelRun) news(entity string, version int64, succeeds bool) []market.Event {
	e := event(entity, version)
	if succeeds {
		w.outbox = append(w.outbox, e)
	}
	return events(e)
}

func (w *modelRun) flag(name string) bool { return rapid.Bool().Draw(w.r, name) }

// moment returns a time within five minutes of noon, so that equal times occur.
func (w *modelRun) moment(name string) time.Time {
	return noon.Add(time.Duration(rapid.IntRange(-5, 5).Draw(w.r, name)) * time.Minute)
}

// mostly returns a time, or once in four times the zero time.
func (w *modelRun) mostly(name string) time.Time {
	if rapid.IntRange(0, 3).Draw(w.r, name+", ever") == 0 {
		return time.Time{}
	}
	return w.moment(name)
}

func (w *modelRun) draw(p *market.Product) {
	b := rapid.SampledFrom(w.brands).Draw(w.r, "brand")
	p.BrandID, p.Brand, p.SellerUID = b.ID, b.Name, people.Draw(w.r, "seller")
	drawOffer(w.r, p)
	p.Advertised, p.Sold, p.Hold, p.Waitlist = w.flag("advertised"), false, nil, nil
	if w.flag("held") {
		at := w.moment("held at")
		p.Hold = &market.Hold{BookingID: "b", BuyerUID: people.Draw(w.r, "holder"), At: at, Until: at.Add(time.Hour)}
		p.Sold = w.flag("sold")
	}
	for _, uid := range rapid.SliceOfNDistinct(people, 0, 3, rapid.ID[string]).Draw(w.r, "waiters") {
		p.Waitlist = append(p.Waitlist, market.Waiter{ID: newID(), UID: uid, At: noon})
	}
}

func (w *modelRun) addPhone() {
	p := phone(w.brands[0], "")
	w.draw(&p)
	w.expect(w.store.AddProduct(w.ctx, p, w.news(p.ID, 1, true)), nil)
	w.phones = slices.Insert(w.phones, 0, p)
}

// pick draws one of the model's entities, if there is any, and whether to aim
// at its version.
func pick[T any](w *modelRun, all []T) (place int, right, there bool) {
	if len(all) == 0 {
		return 0, false, false
	}
	return rapid.IntRange(0, len(all)-1).Draw(w.r, "which"), rapid.IntRange(0, 3).Draw(w.r, "version") > 0, true
}

// aim returns the version to write and the expected result.
func aim(stored int64, right bool) (version int64, want error) {
	if right {
		return stored + 1, nil
	}
	return stored, market.ErrConflict
}

func (w *modelRun) savePhone() {
	i, right, there := pick(w, w.phones)
	if !there {
		return
	}
	p := w.phones[i]
	w.draw(&p)
	var want error
	p.Version, want = aim(p.Version, right)
	w.expect(w.store.SaveProduct(w.ctx, p, w.news(p.ID, p.Version, right)), want)
	if right {
		w.phones[i] = p
	}
}

func (w *modelRun) removePhone() {
	i, right, there := pick(w, w.phones)
	if !there {
		return
	}
	p := w.phones[i]
	var want error
	p.Version, want = aim(p.Version, right)
	w.expect(w.store.RemoveProduct(w.ctx, p, w.news(p.ID, p.Version, right)), want)
	if right {
		w.phones = slices.Delete(w.phones, i, i+1)
	}
}

func (w *modelRun) drawUser(u *market.User) {
	u.UID, u.Email = people.Draw(w.r, "uid"), people.Draw(w.r, "name")+"@example.com"
	if w.flag("shout") {
		u.Email = strings.ToUpper(u.Email)
	}
	u.AccountType = rapid.SampledFrom([]string{market.AccountUser, market.AccountSeller}).Draw(w.r, "type")
	u.Admin, u.Removed = w.flag("admin"), w.flag("removed")
}

// taken tells whether a live user other than u has its UID or email.
func (w *modelRun) taken(u market.User) bool {
	return !u.Removed && slices.ContainsFunc(w.users, func(o market.User) bool {
		same := o.UID == u.UID || market.NormalEmail(o.Email) == market.NormalEmail(u.Email)
		return o.ID != u.ID && !o.Removed && same
	})
}

func (w *modelRun) addUser() {
	u := user("", "")
	w.drawUser(&u)
	if w.taken(u) {
		w.expect(w.store.AddUser(w.ctx, u, w.news(u.ID, 1, false)), market.ErrExists)
		return
	}
	w.expect(w.store.AddUser(w.ctx, u, w.news(u.ID, 1, true)), nil)
	w.users = slices.Insert(w.users, 0, u)
}

func (w *modelRun) saveUser() {
	i, _, there := pick(w, w.users)
	if !there {
		return
	}
	u := w.users[i]
	w.drawUser(&u)
	u.Version++
	if w.taken(u) {
		w.expect(w.store.SaveUser(w.ctx, u, w.news(u.ID, u.Version, false)), market.ErrExists)
		return
	}
	w.expect(w.store.SaveUser(w.ctx, u, w.news(u.ID, u.Version, true)), nil)
	w.users[i] = u
}

func (w *modelRun) held(buyer string) []market.Booking {
	return keep(w.bookings, func(b market.Booking) bool { return b.BuyerUID == buyer && b.Status == market.BookingHeld })
}

// drawDue draws the booking's intent and the time of its next check.
func (w *modelRun) drawDue(b *market.Booking) {
	b.Intent = rapid.SampledFrom([]string{"", "pi_1", "pi_2"}).Draw(w.r, "intent")
	b.Due = w.mostly("due")
}

func (w *modelRun) addBooking() {
	b := booking(people.Draw(w.r, "buyer"), "p")
	w.drawDue(&b)
	if len(w.held(b.BuyerUID)) >= modelLimit {
		w.expect(w.store.AddBooking(w.ctx, b, modelLimit, w.news(b.ID, 1, false)), market.ErrLimit)
		return
	}
	w.expect(w.store.AddBooking(w.ctx, b, modelLimit, w.news(b.ID, 1, true)), nil)
	w.bookings = slices.Insert(w.bookings, 0, b)
}

func (w *modelRun) saveBooking() {
	i, right, there := pick(w, w.bookings)
	if !there {
		return
	}
	b := w.bookings[i]
	b.Status = rapid.SampledFrom([]market.BookingStatus{market.BookingPaid, market.BookingExpired}).Draw(w.r, "status")
	w.drawDue(&b)
	var want error
	b.Version, want = aim(b.Version, right)
	w.expect(w.store.SaveBooking(w.ctx, b, w.news(b.ID, b.Version, right)), want)
	if right {
		w.bookings[i] = b
	}
}

func (w *modelRun) publish() {
	pending, err := w.store.PendingEvents(w.ctx, rapid.IntRange(1, 5).Draw(w.r, "limit"))
	w.expect(err, nil)
	w.same(withoutSeq(pending), w.outbox[:len(pending)])
	w.expect(w.store.EventsPublished(w.ctx, pending), nil)
	w.outbox = w.outbox[len(pending):]
}

func (w *modelRun) same(got, want any) {
	w.r.Helper()
	if reflect.DeepEqual(got, want) { // many times quicker, and mostly true
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		w.r.Fatalf("(-want +got)\n%s", diff)
	}
}

func keep[T any](all []T, wanted func(T) bool) (kept []T) {
	for _, v := range all {
		if wanted(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// matches compares the first page of a list, and its total, with the model.
func matches[T any](w *modelRun, got market.List[T], err error, want []T) {
	w.r.Helper()
	w.expect(err, nil)
	first := want[:min(len(want), 4)]
	w.same(got, market.List[T]{Items: first, Total: len(want), More: len(want) > 4})
}

// compare looks at every list.
func (w *modelRun) compare() {
	page := market.Page{Limit: 4}
	for _, b := range w.brands {
		got, err := w.store.ProductsOfBrand(w.ctx, b.ID, page)
		matches(w, got, err, keep(w.phones, func(p market.Product) bool { return p.BrandID == b.ID }))
	}
	for _, uid := range []string{"ann", "bob", "cid"} {
		got, err := w.store.ProductsOfSeller(w.ctx, uid, page)
		matches(w, got, err, keep(w.phones, func(p market.Product) bool { return p.SellerUID == uid }))
		waits, err := w.store.ProductsWaitedFor(w.ctx, uid)
		w.expect(err, nil)
		slices.SortFunc(waits, func(a, b market.Product) int { return strings.Compare(b.ID, a.ID) })
		w.same(waits, keep(w.phones, func(p market.Product) bool {
			return slices.ContainsFunc(p.Waitlist, func(waiter market.Waiter) bool { return waiter.UID == uid })
		}))
		orders, err := w.store.BookingsOf(w.ctx, uid, page)
		matches(w, orders, err, keep(w.bookings, func(b market.Booking) bool { return b.BuyerUID == uid }))
	}
	got, err := w.store.Advertised(w.ctx, page)
	matches(w, got, err, keep(w.phones, func(p market.Product) bool { return p.Advertised && !p.Booked() }))
	for _, kind := range []string{market.AccountUser, market.AccountSeller} {
		got, err := w.store.Users(w.ctx, kind, page)
		matches(w, got, err, keep(w.users, func(u market.User) bool {
			return u.AccountType == kind && !u.Admin && !u.Removed
		}))
	}
	w.compareHeld()
	w.compareTop()
	w.compareDue()
	w.comparePayments()
	w.compareRecords()
	pending, err := w.store.PendingEvents(w.ctx, 1000)
	w.expect(err, nil)
	w.same(withoutSeq(pending), w.outbox)
}

func (w *modelRun) compareHeld() {
	from, to := noon.Add(-2*time.Minute), noon.Add(3*time.Minute)
	want := keep(w.phones, func(p market.Product) bool {
		return p.Booked() && !p.Sold && !p.Hold.At.Before(from) && !p.Hold.At.After(to)
	})
	oldest(w, func(limit int) ([]market.Product, error) {
		return w.store.ProductsHeld(w.ctx, from, to, limit)
	}, want, productID, func(p market.Product) time.Time { return p.Hold.At })
}

func (w *modelRun) compareTop() {
	var want []market.BrandStock // by name already
	for _, b := range w.brands {
		of := market.BrandStock{Brand: b}
		for _, p := range w.phones {
			if p.BrandID != b.ID || p.Booked() {
				continue
			}
			if of.Available == 0 || p.ResalePrice < of.FromPrice {
				of.FromPrice = p.ResalePrice
			}
			of.Available++
		}
		want = append(want, of)
	}
	slices.SortStableFunc(want, func(a, b market.BrandStock) int { return b.Available - a.Available })
	got, err := w.store.TopBrands(w.ctx, 9)
	w.expect(err, nil)
	w.same(got, want)
}
