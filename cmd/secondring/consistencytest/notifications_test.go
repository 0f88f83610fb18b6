package consistencytest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"secondring/market"
	"secondring/market/search"
)

// recipient reads the notifications of one person, and the orders that cause some of them.
type recipient struct {
	*browser
	person        *person
	signedInAt    time.Time
	notifications notificationSet
	orders        []order

	// The phones that the person watched when the previous round was checked. The set is
	// unchanged while its version is the same.
	watchVersion int64
	watched      map[string]phoneView
}

// order is a booking as its buyer sees it.
type order struct {
	ID                            string `json:"_id"`
	ProductID, ProductName, Brand string
	Status                        string
	Turn                          bool
	Price, ListPrice              int // ListPrice is 0 without an offer
}

func (o order) title() string { return o.Brand + " " + o.ProductName }

// phoneView is a phone in a list.
type phoneView struct {
	ID                              string `json:"_id"`
	Name, Brand, Email, Description string
	ResalePrice                     int
	Sold                            bool
}

func (p phoneView) title() string { return p.Brand + " " + p.Name }

// idTime returns when an entity was created, in Unix milliseconds. Every id begins with it.
func idTime(id string) int64 {
	ms, err := strconv.ParseInt(id[:min(len(id), 12)], 16, 64)
	if err != nil {
		return 0
	}
	return ms
}

// checkNotifications checks that each user who was not deleted has exactly one notification
// for each cause. After a kill some notifications are added seconds later.
func (e *env) checkNotifications() {
	e.t.Helper()
	timeout, ticker := time.After(patience), time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		all := e.readRecipients()
		problems := e.notificationProblems(all)
		e.log.write("wrong notifications: %q", problems)
		if len(problems) == 0 {
			for _, r := range all {
				r.watched, r.watchVersion, _ = r.readWatched()
			}
			return
		}
		select {
		case <-timeout:
			e.t.Fatalf("%d notifications are wrong:\n%s\nall actions: %s", len(problems), strings.Join(problems, "\n"), e.log.flush())
		case <-ticker.C:
		}
	}
}

// readRecipients reads the notifications and orders of each user who was not deleted.
func (e *env) readRecipients() (all []*recipient) {
	e.t.Helper()
	seen := map[string]bool{}
	for _, c := range e.clients {
		p := c.person
		if p == nil || seen[p.email] || e.isDeleted(p) {
			continue
		}
		seen[p.email] = true
		r := e.recipients[p.email]
		if r == nil {
			r = &recipient{browser: newBrowser(e), person: p, notifications: notificationSet{}}
			e.recipients[p.email] = r
		}
		if time.Since(r.signedInAt) > tokenLifetime {
			r.signIn(p)
			r.signedInAt = time.Now()
		}
		if p.role != admin { // orders first, because holds expire also while no call runs
			var orders []order // a new slice, because decoding keeps the values of absent fields
			if r.get("/bookings?limit=200&email="+url.QueryEscape(p.email), &orders) {
				r.orders = orders
			}
		}
		missing, ok := r.notifications.read(r.browser)
		if !ok || len(missing) > 0 {
			e.t.Errorf("reading the notifications of %s: succeeded %v, missing %q", p.name, ok, missing)
		}
		all = append(all, r)
	}
	return all
}

func (e *env) isDeleted(p *person) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.deleted[p.email]
}

// get reads a list, and returns whether that succeeded.
func (r *recipient) get(path string, into any) bool {
	status, text := r.call(http.MethodGet, path, nil)
	return status == http.StatusOK && json.Unmarshal(text, into) == nil
}

// notificationProblems describes notifications that are missing, duplicated, or without a
// cause.
func (e *env) notificationProblems(recipients []*recipient) (problems []string) {
	bookings := map[string]int{}   // known bookings without an offer, by phone
	holders := map[string]string{} // by phone
	for _, r := range recipients {
		for _, o := range r.orders {
			if o.ListPrice == 0 { // an offer has notifications of its own
				bookings[o.ProductID]++
			}
			if o.Status != "held" && o.Status != "paid" {
				continue
			}
			if other := holders[o.ProductID]; other != "" {
				problems = append(problems, fmt.Sprintf("%s has %s, and %s has it too", r.person.name, o.title(), other))
			}
			holders[o.ProductID] = r.person.name
		}
	}
	for _, r := range recipients {
		found := r.duplicates()
		if r.person.role == admin {
			found = append(found, e.checkReports(r)...)
		}
		if !r.notifications.isFull() { // otherwise one of them may be missing
			found = append(found, r.missingMatches()...)
			found = append(found, r.missingWatchNotices()...)
			switch r.person.role {
			case buyer:
				found = append(found, r.checkOrders()...)
			case seller:
				found = append(found, r.checkSales(bookings)...)
			}
		}
		for _, problem := range found {
			problems = append(problems, r.person.name+" "+problem)
		}
	}
	return problems
}

// count counts the notifications with this text and link. An empty link matches any.
func (r *recipient) count(text, link string) (n int) {
	for _, entry := range r.notifications {
		if entry.Text == text && (link == "" || entry.Link == link) {
			n++
		}
	}
	return n
}

// hasKind tells whether there is a notification of this kind, link and subject.
func (r *recipient) hasKind(kind market.NotificationKind, link, subject string) bool {
	for _, n := range r.notifications {
		if n.Kind == kind && n.Link == link && n.Subject == subject {
			return true
		}
	}
	return false
}

// duplicates finds causes with two notifications: a phone matches a search, has a price, is
// sold and is paid once, and a booking has one turn. After the server has deleted a notification,
// it may add another one of the same cause.
func (r *recipient) duplicates() (problems []string) {
	seen := map[string]bool{}
	for _, n := range r.notifications {
		if n.isDeleted {
			continue
		}
		key := n.Text
		switch n.Kind {
		case "match":
			if n.phones() > 1 {
				continue // another seller's notification may have the same text
			}
			key = n.Subject
		case "price":
			key, _, _ = strings.Cut(n.Text, " instead of ")
		case "turn":
			if !strings.HasPrefix(n.Link, "/dashboard/payment/") {
				continue // a buyer can be passed over repeatedly
			}
		case "sold", "order":
		default:
			continue
		}
		key += " " + n.Link
		if seen[key] {
			problems = append(problems, "was notified twice: "+n.Text+" "+n.Link)
		}
		seen[key] = true
	}
	return problems
}

// checkOrders compares the notifications of a buyer with the orders.
func (r *recipient) checkOrders() (problems []string) {
	sameTitle := map[string]int{}
	for _, o := range r.orders {
		sameTitle[o.title()]++
	}
	for _, o := range r.orders {
		link := "/dashboard/payment/" + o.ID
		if has := r.hasKind("turn", link, ""); has != o.Turn {
			problems = append(problems, fmt.Sprintf("was notified of the turn for %s (%s, %s): %v, want %v", o.title(), o.ID, o.Status, has, o.Turn))
		}
		paid := r.count("Your payment for "+o.title()+" has arrived. Now get your phone from the seller.", "/dashboard/order/"+o.ID)
		if o.Status == "paid" && paid == 0 || paid > 0 && o.Status != "paid" && o.Status != "refunded" {
			problems = append(problems, fmt.Sprintf("was notified %d times that the order of %s is paid, and it is %s", paid, o.title(), o.Status))
		}
		expired := r.count("Your booking of "+o.title()+" has expired.", "")
		if o.Status == "expired" && expired == 0 || expired > sameTitle[o.title()] {
			problems = append(problems, fmt.Sprintf("was notified %d times that the booking of %s has expired, and it is %s", expired, o.title(), o.Status))
		}
	}
	return problems
}

// checkSales compares the notifications of a seller with the phones and their known
// bookings. The bookings of deleted buyers are not known.
func (r *recipient) checkSales(booked map[string]int) (problems []string) {
	var phones []phoneView
	r.get("/products?limit=200&email="+url.QueryEscape(r.person.email), &phones)
	for _, p := range phones {
		if slices.ContainsFunc(phones, func(other phoneView) bool { return other.ID != p.ID && other.title() == p.title() }) {
			continue
		}
		sold := r.count("Your "+p.title()+" is sold: the buyer has paid.", "")
		if p.Sold != (sold == 1) || sold > 1 {
			problems = append(problems, fmt.Sprintf("was notified %d times that %s is sold, and sold is %v", sold, p.title(), p.Sold))
		}
		n := r.count("Your "+p.title()+" was booked.", "") + r.count("Your "+p.title()+" was booked by the next person in line.", "")
		if n < booked[p.ID] {
			problems = append(problems, fmt.Sprintf("was notified of %d bookings of %s, want at least %d", n, p.title(), booked[p.ID]))
		}
	}
	return problems
}

// checkReports compares the notifications of an admin with the reports that were sent.
func (e *env) checkReports(r *recipient) (problems []string) {
	notified, sent, unsure := 0, 0, 0
	for _, n := range r.notifications {
		if n.Kind == "report" {
			notified++
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for status, count := range e.results["report"] {
		switch {
		case status == http.StatusOK:
			sent += count
		case status == 0 || status >= http.StatusInternalServerError: // it may have been executed
			unsure += count
		}
	}
	isMissing := notified < sent && !r.notifications.isFull()
	if isMissing || notified > sent+unsure {
		return []string{fmt.Sprintf("was notified of %d reports, want %d to %d", notified, sent, sent+unsure)}
	}
	return nil
}

// phones returns how many phones a notification of matches is about.
func (n notification) phones() int {
	phones := 1
	_, _ = fmt.Sscanf(n.Text, "%d new phones", &phones) // otherwise it names the one phone
	return phones
}

// missingMatches compares the phones that were added after a search was saved and match it with
// those that the notifications are about. The matches of one seller are one notification, which
// has only their number.
func (r *recipient) missingMatches() (problems []string) {
	notified := 0
	for _, n := range r.notifications {
		if n.Kind == "match" {
			notified += n.phones()
		}
	}
	matching := map[string]string{} // titles by ID
	var saved []struct {
		Name, Query string
		CreatedAt   time.Time
	}
	r.get("/searches?limit=200", &saved)
	for _, s := range saved {
		var found []phoneView
		r.get("/products/search?limit=200&"+s.Query, &found)
		for _, p := range found {
			isCorrected := strings.Contains(s.Query, "q=ring") && !slices.Contains(search.WordsOf(p.Description+" "+p.Name), "ring")
			if p.Sold || isCorrected || p.Email == r.person.email || idTime(p.ID) < s.CreatedAt.Add(time.Second).UnixMilli() {
				continue
			}
			matching[p.ID] = fmt.Sprintf("%s, added at %d, matches the search %s of %v", p.title(), idTime(p.ID), s.Name, s.CreatedAt)
		}
	}
	if notified < len(matching) {
		problems = append(problems, fmt.Sprintf("was notified of %d new phones, want at least %d: %q", notified, len(matching), slices.Collect(maps.Values(matching))))
	}
	return problems
}

// missingWatchNotices finds watched phones that were sold or became cheaper since the
// previous round, but have no notification. The buyer of a phone gets none.
func (r *recipient) missingWatchNotices() (problems []string) {
	watched, version, ok := r.readWatched()
	if !ok || version != r.watchVersion {
		return nil
	}
	for id, p := range watched {
		before, known := r.watched[id]
		isBuyer := slices.ContainsFunc(r.orders, func(o order) bool { return o.ProductID == id })
		switch link := "/phone/" + id; {
		case !known || before.Sold || p.Email == r.person.email:
		case p.Sold && !isBuyer && !r.hasKind("sold", link, ""):
			problems = append(problems, "was not notified that "+p.title()+" is sold")
		case !p.Sold && p.ResalePrice < before.ResalePrice && !r.hasKind("price", link, ""):
			problems = append(problems, fmt.Sprintf("was not notified that %s costs %d instead of %d", p.title(), p.ResalePrice, before.ResalePrice))
		}
	}
	return problems
}

// readWatched reads the watched phones, and the version of what the person watches.
func (r *recipient) readWatched() (phones map[string]phoneView, version int64, ok bool) {
	var list []phoneView
	var watching struct{ Version int64 }
	ok = r.get("/watches?limit=200", &list) && r.get("/watching", &watching)
	phones = map[string]phoneView{}
	for _, p := range list {
		phones[p.ID] = p
	}
	return phones, watching.Version, ok
}
