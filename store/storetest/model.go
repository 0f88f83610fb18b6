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
		w.addBrands()
		r.Repeat(map[string]func(*rapid.T){
			"add phone":     w.step(w.addPhone),
			"save phone":    w.step(w.savePhone),
			"remove phone":  w.step(w.removePhone),
			"add user":      w.step(w.addUser),
			"save user":     w.step(w.saveUser),
			"add booking":   w.step(w.addBooking),
			"save booking":  w.step(w.saveBooking),
			"add payment":   w.step(w.addPayment),
			"save payment":  w.step(w.savePayment),
			"put record":    w.step(w.putRecord),
			"purge records": w.step(w.purgeRecords),
			"publish":       w.step(w.publish),
			"compare":       w.step(w.compare),
		})
		w.compare()
		if err := store.Close(); err != nil { // otherwise hundreds of stores stay open
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

func (w *modelRun) addBrands() {
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

// newEvents returns an event for a write, and adds it to the model's outbox if the write
// should succeed.
func (w *modelRun) newEvents(entity string, version int64, succeeds bool) []market.Effect {
	e := event(entity, version)
	if succeeds {
		w.outbox = append(w.outbox, e)
	}
	return effects(e)
}

func (w *modelRun) drawBool(name string) bool { return rapid.Bool().Draw(w.r, name) }

// drawTime returns a time within five minutes of noon, so that equal times occur.
func (w *modelRun) drawTime(name string) time.Time {
	return noon.Add(time.Duration(rapid.IntRange(-5, 5).Draw(w.r, name)) * time.Minute)
}

// drawTimeOrZero returns a time, or in one of four cases the zero time.
func (w *modelRun) drawTimeOrZero(name string) time.Time {
	if rapid.IntRange(0, 3).Draw(w.r, name+" is set") == 0 {
		return time.Time{}
	}
	return w.drawTime(name)
}

func (w *modelRun) drawPhone(p *market.Product) {
	b := rapid.SampledFrom(w.brands).Draw(w.r, "brand")
	p.BrandID, p.Brand, p.SellerUID = b.ID, b.Name, people.Draw(w.r, "seller")
	drawOffer(w.r, p)
	p.Advertised, p.Sold, p.Hold, p.Waitlist = w.drawBool("advertised"), false, nil, nil
	if w.drawBool("held") {
		at := w.drawTime("held at")
		p.Hold = &market.Hold{BookingID: "b", BuyerUID: people.Draw(w.r, "holder"), At: at, Until: at.Add(time.Hour)}
		p.Sold = w.drawBool("sold")
	}
	for _, uid := range rapid.SliceOfNDistinct(people, 0, 3, rapid.ID[string]).Draw(w.r, "waiters") {
		p.Waitlist = append(p.Waitlist, market.Waiter{ID: newID(), UID: uid, At: noon})
	}
}

func (w *modelRun) addPhone() {
	p := phone(w.brands[0], "")
	w.drawPhone(&p)
	w.expect(w.store.AddProduct(w.ctx, p, w.newEvents(p.ID, 1, true)), nil)
	w.phones = slices.Insert(w.phones, 0, p)
}

// pick draws the index of an entity of the model, and whether to write its next version.
// ok is false if the model has no entity.
func pick[T any](w *modelRun, all []T) (i int, valid, ok bool) {
	if len(all) == 0 {
		return 0, false, false
	}
	return rapid.IntRange(0, len(all)-1).Draw(w.r, "index"), rapid.IntRange(0, 3).Draw(w.r, "version") > 0, true
}

// versionToWrite returns the version to write and the expected error.
func versionToWrite(stored int64, valid bool) (version int64, want error) {
	if valid {
		return stored + 1, nil
	}
	return stored, market.ErrConflict
}

func (w *modelRun) savePhone() {
	i, valid, ok := pick(w, w.phones)
	if !ok {
		return
	}
	p := w.phones[i]
	w.drawPhone(&p)
	var want error
	p.Version, want = versionToWrite(p.Version, valid)
	w.expect(w.store.SaveProduct(w.ctx, p, w.newEvents(p.ID, p.Version, valid)), want)
	if valid {
		w.phones[i] = p
	}
}

func (w *modelRun) removePhone() {
	i, valid, ok := pick(w, w.phones)
	if !ok {
		return
	}
	p := w.phones[i]
	var want error
	p.Version, want = versionToWrite(p.Version, valid)
	w.expect(w.store.RemoveProduct(w.ctx, p, w.newEvents(p.ID, p.Version, valid)), want)
	if valid {
		w.phones = slices.Delete(w.phones, i, i+1)
	}
}

func (w *modelRun) drawUser(u *market.User) {
	u.UID, u.Email = people.Draw(w.r, "uid"), people.Draw(w.r, "name")+"@example.com"
	if w.drawBool("upper case") {
		u.Email = strings.ToUpper(u.Email)
	}
	u.AccountType = rapid.SampledFrom([]string{market.AccountUser, market.AccountSeller}).Draw(w.r, "type")
	u.Admin, u.Removed = w.drawBool("admin"), w.drawBool("removed")
}

// isDuplicate returns whether another user who is not removed has u's UID or email.
func (w *modelRun) isDuplicate(u market.User) bool {
	return !u.Removed && slices.ContainsFunc(w.users, func(o market.User) bool {
		same := o.UID == u.UID || market.NormalEmail(o.Email) == market.NormalEmail(u.Email)
		return o.ID != u.ID && !o.Removed && same
	})
}

func (w *modelRun) addUser() {
	u := user("", "")
	w.drawUser(&u)
	if w.isDuplicate(u) {
		w.expect(w.store.AddUser(w.ctx, u, w.newEvents(u.ID, 1, false)), market.ErrExists)
		return
	}
	w.expect(w.store.AddUser(w.ctx, u, w.newEvents(u.ID, 1, true)), nil)
	w.users = slices.Insert(w.users, 0, u)
}

func (w *modelRun) saveUser() {
	i, _, ok := pick(w, w.users)
	if !ok {
		return
	}
	u := w.users[i]
	w.drawUser(&u)
	u.Version++
	if w.isDuplicate(u) {
		w.expect(w.store.SaveUser(w.ctx, u, w.newEvents(u.ID, u.Version, false)), market.ErrExists)
		return
	}
	w.expect(w.store.SaveUser(w.ctx, u, w.newEvents(u.ID, u.Version, true)), nil)
	w.users[i] = u
}

func (w *modelRun) held(buyer string) []market.Booking {
	return filter(w.bookings, func(b market.Booking) bool { return b.BuyerUID == buyer && b.Status == market.BookingHeld })
}

// drawDue draws the booking's intent and the time of its next check.
func (w *modelRun) drawDue(b *market.Booking) {
	b.Intent = rapid.SampledFrom([]string{"", "pi_1", "pi_2"}).Draw(w.r, "intent")
	b.Due = w.drawTimeOrZero("due")
}

func (w *modelRun) addBooking() {
	b := booking(people.Draw(w.r, "buyer"), "p")
	w.drawDue(&b)
	if len(w.held(b.BuyerUID)) >= modelLimit {
		w.expect(w.store.AddBooking(w.ctx, b, modelLimit, w.newEvents(b.ID, 1, false)), market.ErrLimit)
		return
	}
	w.expect(w.store.AddBooking(w.ctx, b, modelLimit, w.newEvents(b.ID, 1, true)), nil)
	w.bookings = slices.Insert(w.bookings, 0, b)
}

func (w *modelRun) saveBooking() {
	i, valid, ok := pick(w, w.bookings)
	if !ok {
		return
	}
	b := w.bookings[i]
	b.Status = rapid.SampledFrom([]market.BookingStatus{market.BookingPaid, market.BookingExpired}).Draw(w.r, "status")
	w.drawDue(&b)
	var want error
	b.Version, want = versionToWrite(b.Version, valid)
	w.expect(w.store.SaveBooking(w.ctx, b, w.newEvents(b.ID, b.Version, valid)), want)
	if valid {
		w.bookings[i] = b
	}
}

func (w *modelRun) publish() {
	pending, err := w.store.PendingEvents(w.ctx, rapid.IntRange(1, 5).Draw(w.r, "limit"))
	w.expect(err, nil)
	w.equal(withoutSeq(pending), w.outbox[:len(pending)])
	w.expect(w.store.EventsPublished(w.ctx, pending), nil)
	w.outbox = w.outbox[len(pending):]
}

func (w *modelRun) equal(got, want any) {
	w.r.Helper()
	if reflect.DeepEqual(got, want) { // cmp.Diff is much slower
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		w.r.Fatalf("(-want +got)\n%s", diff)
	}
}

func filter[T any](all []T, matches func(T) bool) (filtered []T) {
	for _, v := range all {
		if matches(v) {
			filtered = append(filtered, v)
		}
	}
	return filtered
}

// comparePage compares the first page of a list and its total with the model.
func comparePage[T any](w *modelRun, got market.List[T], err error, want []T) {
	w.r.Helper()
	w.expect(err, nil)
	first := want[:min(len(want), 4)]
	w.equal(got, market.List[T]{Items: first, Total: len(want), More: len(want) > 4})
}

// compare compares every list with the model.
func (w *modelRun) compare() {
	page := market.Page{Limit: 4}
	for _, b := range w.brands {
		got, err := w.store.ProductsOfBrand(w.ctx, b.ID, page)
		comparePage(w, got, err, filter(w.phones, func(p market.Product) bool { return p.BrandID == b.ID }))
	}
	for _, uid := range []string{"ann", "bob", "cid"} {
		got, err := w.store.ProductsOfSeller(w.ctx, uid, page)
		comparePage(w, got, err, filter(w.phones, func(p market.Product) bool { return p.SellerUID == uid }))
		waiting, err := w.store.ProductsWaitedFor(w.ctx, uid)
		w.expect(err, nil)
		slices.SortFunc(waiting, func(a, b market.Product) int { return strings.Compare(b.ID, a.ID) })
		w.equal(waiting, filter(w.phones, func(p market.Product) bool {
			return slices.ContainsFunc(p.Waitlist, func(waiter market.Waiter) bool { return waiter.UID == uid })
		}))
		orders, err := w.store.BookingsOf(w.ctx, uid, page)
		comparePage(w, orders, err, filter(w.bookings, func(b market.Booking) bool { return b.BuyerUID == uid }))
	}
	got, err := w.store.Advertised(w.ctx, page)
	comparePage(w, got, err, filter(w.phones, func(p market.Product) bool { return p.Advertised && !p.Booked() }))
	for _, kind := range []string{market.AccountUser, market.AccountSeller} {
		got, err := w.store.Users(w.ctx, kind, page)
		comparePage(w, got, err, filter(w.users, func(u market.User) bool {
			return u.AccountType == kind && !u.Admin && !u.Removed
		}))
	}
	w.compareHeld()
	w.compareTopBrands()
	w.compareDue()
	w.comparePayments()
	w.compareRecords()
	pending, err := w.store.PendingEvents(w.ctx, 1000)
	w.expect(err, nil)
	w.equal(withoutSeq(pending), w.outbox)
}

func (w *modelRun) compareHeld() {
	from, to := noon.Add(-2*time.Minute), noon.Add(3*time.Minute)
	want := filter(w.phones, func(p market.Product) bool {
		return p.Booked() && !p.Sold && !p.Hold.At.Before(from) && !p.Hold.At.After(to)
	})
	compareOldestFirst(w, func(limit int) ([]market.Product, error) {
		return w.store.ProductsHeld(w.ctx, from, to, limit)
	}, want, productID, func(p market.Product) time.Time { return p.Hold.At })
}

func (w *modelRun) compareTopBrands() {
	var want []market.BrandStock // sorted by name
	for _, b := range w.brands {
		stock := market.BrandStock{Brand: b}
		for _, p := range w.phones {
			if p.BrandID != b.ID || p.Booked() {
				continue
			}
			if stock.Available == 0 || p.ResalePrice < stock.FromPrice {
				stock.FromPrice = p.ResalePrice
			}
			stock.Available++
		}
		want = append(want, stock)
	}
	slices.SortStableFunc(want, func(a, b market.BrandStock) int { return b.Available - a.Available })
	got, err := w.store.TopBrands(w.ctx, 9)
	w.expect(err, nil)
	w.equal(got, want)
}
