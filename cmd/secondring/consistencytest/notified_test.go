package consistencytest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// witness reads what one person was notified of, and what that person did to be notified.
type witness struct {
	*browser
	person   *person
	signed   time.Time
	notified notes
	orders   []order

	// What the person watched at the last quiet point. It has not changed while the version
	// is the same.
	version int64
	watched map[string]phoneView
}

// phoneView is a phone in a list.
type phoneView struct {
	ID                              string `json:"_id"`
	Name, Brand, Email, Description string
	ResalePrice                     int
	Sold                            bool
}

func (p phoneView) title() string { return p.Brand + " " + p.Name }

// idTime is when an entity was made: an id begins with its time.
func idTime(id string) int64 {
	ms, err := strconv.ParseInt(id[:min(len(id), 12)], 16, 64)
	if err != nil {
		return 0
	}
	return ms
}

// checkNotifications checks that everybody who was not deleted has exactly one notification
// for each cause. After a kill some of them come seconds later.
func (e *env) checkNotifications() {
	e.t.Helper()
	late, again := time.After(patience), time.NewTicker(time.Second)
	defer again.Stop()
	for {
		all := e.readWitnesses()
		wrong := e.wrongNotifications(all)
		e.log.write("wrong notifications: %q", wrong)
		if len(wrong) == 0 {
			for _, w := range all {
				w.watched, w.version, _ = w.readWatched()
			}
			return
		}
		select {
		case <-late:
			e.t.Fatalf("%d notifications are wrong:\n%s\nall actions: %s", len(wrong), strings.Join(wrong, "\n"), e.log.flush())
		case <-again.C:
		}
	}
}

// readWitnesses reads the notifications and orders of everybody who was not deleted.
func (e *env) readWitnesses() (all []*witness) {
	e.t.Helper()
	seen := map[string]bool{}
	for _, c := range e.clients {
		p := c.person
		if p == nil || seen[p.email] || e.isGone(p) {
			continue
		}
		seen[p.email] = true
		w := e.witnesses[p.email]
		if w == nil {
			w = &witness{browser: newBrowser(e), person: p, notified: notes{}}
			e.witnesses[p.email] = w
		}
		if time.Since(w.signed) > tokenFor {
			w.signIn(p)
			w.signed = time.Now()
		}
		if p.role == buyer { // before the notifications: holds end in quiet times, too
			var orders []order // a new one: fields that are left out keep their value
			if w.get("/bookings?limit=200&email="+url.QueryEscape(p.email), &orders) {
				w.orders = orders
			}
		}
		missing, ok := w.notified.read(w.browser)
		if !ok || len(missing) > 0 {
			e.t.Errorf("the notifications of %s: %v, %q", p.name, ok, missing)
		}
		all = append(all, w)
	}
	return all
}

func (e *env) isGone(p *person) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.gone[p.email]
}

// get reads a list. It leaves into as it is if that fails.
func (w *witness) get(path string, into any) bool {
	status, text := w.ask(http.MethodGet, path, nil)
	return status == http.StatusOK && json.Unmarshal(text, into) == nil
}

// wrongNotifications returns what is missing, twice, or without a cause.
func (e *env) wrongNotifications(all []*witness) (wrong []string) {
	booked := map[string]int{} // known bookings by phone
	for _, w := range all {
		for _, o := range w.orders {
			booked[o.ProductID]++
		}
	}
	for _, w := range all {
		found := slices.Concat(w.twice(), w.matches(), w.news())
		switch w.person.role {
		case buyer:
			found = append(found, w.ordersTold()...)
		case seller:
			found = append(found, w.salesTold(booked)...)
		case admin:
			found = append(found, e.reportsTold(w)...)
		}
		for _, what := range found {
			wrong = append(wrong, w.person.name+" "+what)
		}
	}
	return wrong
}

// count counts notifications whose text and link are these; an empty link is any.
func (w *witness) count(text, link string) (n int) {
	for _, one := range w.notified {
		if one.Text == text && (link == "" || one.Link == link) {
			n++
		}
	}
	return n
}

// hasKind tells whether there is a notification of this kind and link.
func (w *witness) hasKind(kind, link, subject string) bool {
	for _, one := range w.notified {
		if one.Kind == kind && one.Link == link && one.Subject == subject {
			return true
		}
	}
	return false
}

// twice finds causes that were told twice: a phone matches a search, has a price, is sold and
// is paid once, and a booking has one turn.
func (w *witness) twice() (wrong []string) {
	seen := map[string]bool{}
	for _, one := range w.notified {
		key := one.Text
		switch one.Kind {
		case "match":
			key = one.Subject
		case "price":
			key, _, _ = strings.Cut(one.Text, " instead of ")
		case "turn":
			if !strings.HasPrefix(one.Link, "/dashboard/payment/") {
				continue // passed over, as often as that happens
			}
		case "sold", "order":
		default:
			continue
		}
		key += " " + one.Link
		if seen[key] {
			wrong = append(wrong, "was told twice: "+one.Text+" "+one.Link)
		}
		seen[key] = true
	}
	return wrong
}

// ordersTold compares the notifications of a buyer with the orders.
func (w *witness) ordersTold() (wrong []string) {
	sameTitle := map[string]int{}
	for _, o := range w.orders {
		sameTitle[o.title()]++
	}
	for _, o := range w.orders {
		link := "/dashboard/payment/" + o.ID
		if has := w.hasKind("turn", link, ""); has != o.Turn {
			wrong = append(wrong, fmt.Sprintf("was told of the turn of %s (%s, %s): %v, want %v", o.title(), o.ID, o.Status, has, o.Turn))
		}
		paid := w.count("Your payment for "+o.title()+" has arrived. The phone is yours.", "/dashboard/order/"+o.ID)
		if o.Status == "paid" && paid == 0 || paid > 0 && o.Status != "paid" && o.Status != "refunded" {
			wrong = append(wrong, fmt.Sprintf("was told %d times that %s is paid, and it is %s", paid, o.title(), o.Status))
		}
		expired := w.count("Your booking of "+o.title()+" has expired.", "")
		if o.Status == "expired" && expired == 0 || expired > sameTitle[o.title()] {
			wrong = append(wrong, fmt.Sprintf("was told %d times that %s has expired, and it is %s", expired, o.title(), o.Status))
		}
	}
	return wrong
}

// salesTold compares the notifications of a seller with the phones and their bookings. The
// bookings of deleted buyers are not known.
func (w *witness) salesTold(booked map[string]int) (wrong []string) {
	var phones []phoneView
	w.get("/products?limit=200&email="+url.QueryEscape(w.person.email), &phones)
	for _, p := range phones {
		if slices.ContainsFunc(phones, func(other phoneView) bool { return other.ID != p.ID && other.title() == p.title() }) {
			continue
		}
		sold := w.count("Your "+p.title()+" is sold: the buyer has paid.", "")
		if p.Sold != (sold == 1) || sold > 1 {
			wrong = append(wrong, fmt.Sprintf("was told %d times that %s is paid, and it is sold: %v", sold, p.title(), p.Sold))
		}
		n := w.count("Your "+p.title()+" was booked.", "") + w.count("Your "+p.title()+" was booked by the next person in line.", "")
		if n < booked[p.ID] {
			wrong = append(wrong, fmt.Sprintf("was told of %d bookings of %s, and %d are known", n, p.title(), booked[p.ID]))
		}
	}
	return wrong
}

// reportsTold compares the notifications of an admin with the reports that were answered.
func (e *env) reportsTold(w *witness) (wrong []string) {
	notified, sent, unsure := 0, 0, 0
	for _, one := range w.notified {
		if one.Kind == "report" {
			notified++
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for status, n := range e.done["report"] {
		switch {
		case status == http.StatusOK:
			sent += n
		case isLost(status):
			unsure += n
		}
	}
	if notified < sent || notified > sent+unsure {
		return []string{fmt.Sprintf("was told of %d reports, want %d to %d", notified, sent, sent+unsure)}
	}
	return nil
}

// matches finds phones that were added after a search was saved, match it, and were not told.
func (w *witness) matches() (wrong []string) {
	var saved []struct {
		Name, Query string
		CreatedAt   time.Time
	}
	w.get("/searches?limit=200", &saved)
	for _, s := range saved {
		var found []phoneView
		w.get("/products/search?limit=200&"+s.Query, &found)
		for _, p := range found {
			isCorrected := strings.Contains(s.Query, "q=ring") && !strings.Contains(p.Description+p.Name, "ring")
			if p.Sold || isCorrected || p.Email == w.person.email || idTime(p.ID) < s.CreatedAt.Add(time.Second).UnixMilli() {
				continue
			}
			if !w.hasKind("match", "/phone/"+p.ID, s.Name) {
				wrong = append(wrong, fmt.Sprintf("was not told that %s of %d matches %s of %v", p.title(), idTime(p.ID), s.Name, s.CreatedAt))
			}
		}
	}
	return wrong
}

// news finds watched phones that were sold or became cheaper since the last quiet point, and
// were not told. Who bought a phone knows it.
func (w *witness) news() (wrong []string) {
	watched, version, ok := w.readWatched()
	if !ok || version != w.version {
		return nil
	}
	for id, p := range watched {
		before, known := w.watched[id]
		isBuyer := slices.ContainsFunc(w.orders, func(o order) bool { return o.ProductID == id })
		switch link := "/phone/" + id; {
		case !known || before.Sold || p.Email == w.person.email:
		case p.Sold && !isBuyer && !w.hasKind("sold", link, ""):
			wrong = append(wrong, "was not told that "+p.title()+" is sold")
		case !p.Sold && p.ResalePrice < before.ResalePrice && !w.hasKind("price", link, ""):
			wrong = append(wrong, fmt.Sprintf("was not told that %s costs %d instead of %d", p.title(), p.ResalePrice, before.ResalePrice))
		}
	}
	return wrong
}

// readWatched reads the watched phones, and the version of what the person watches.
func (w *witness) readWatched() (phones map[string]phoneView, version int64, ok bool) {
	var list []phoneView
	var watching struct{ Version int64 }
	ok = w.get("/watches?limit=200", &list) && w.get("/watching", &watching)
	phones = map[string]phoneView{}
	for _, p := range list {
		phones[p.ID] = p
	}
	return phones, watching.Version, ok
}
