package market

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// Times and sizes of the emailer.
const (
	emailAfter = time.Minute // after a notification; a person with a screen open by then gets no email
	emailEvery = 5 * time.Second
	emailPage  = 200
	emailHour  = 8              // of the day, UTC, at which the daily emails are sent
	emailOlder = 24 * time.Hour // about what was not decided for as long, nobody gets an email
)

// Presence tells who has a screen open.
type Presence interface {
	// SeenWithin tells whether a person has a screen open now, or had one open within the
	// last d, on any node. What was more than ten minutes ago may be forgotten.
	SeenWithin(ctx context.Context, uid string, d time.Duration) (bool, error)
}

// NotificationEmails is the outbox of emails about notifications.
type NotificationEmails interface {
	// Send adds an email to a person about some notifications, by their IDs, unless there is
	// one of this ID. It returns the notifications that the email of this ID is about. The
	// ID is remembered for at least a day.
	Send(ctx context.Context, id, uid string, notifications []string) ([]string, error)
}

// Emailer sends emails about notifications to those who have chosen so. One runs on every
// node. For each notification it decides first, by a compare-and-set of Notification.Email,
// whether there is an email, and when. Only then it sends, one email about all of a person's
// that are due at the same time, under an ID that is the same on every node: the person and
// that time.
type Emailer struct {
	market   *Market
	presence Presence
	emails   NotificationEmails
	log      *slog.Logger
}

// NewEmailer makes the emailer of a market.
func NewEmailer(m *Market, presence Presence, emails NotificationEmails, log *slog.Logger) *Emailer {
	return &Emailer{market: m, presence: presence, emails: emails, log: log}
}

// Run works until the context ends. A step that fails is tried again. It begins after
// emailAfter: screens need a moment to connect again when a server has been restarted.
func (k *Emailer) Run(ctx context.Context) {
	begin := time.NewTimer(emailAfter)
	defer begin.Stop()
	select {
	case <-ctx.Done():
	case <-begin.C:
		repeat(ctx, emailEvery, k.log, "emails about notifications", k.Step)
	}
}

// Step decides and sends all that is due now.
func (k *Emailer) Step(ctx context.Context) error {
	for {
		now := k.market.clock.Now()
		due, err := k.market.store.NotificationsToEmail(ctx, now, emailPage)
		if err != nil {
			return err
		}
		var undecided, decided []Notification
		for _, n := range due {
			if n.Email == "" {
				undecided = append(undecided, n)
			} else {
				decided = append(decided, n)
			}
		}
		if err := errors.Join(k.decide(ctx, undecided, now), k.send(ctx, decided, now)); err != nil {
			return err
		}
		if len(due) < emailPage && len(undecided) == 0 {
			return nil
		}
	}
}

// emailState is a Notification's Email and EmailDue.
type emailState struct {
	email EmailWhen
	due   time.Time
}

// emailPlan is what notifications become, by their IDs.
type emailPlan map[emailState][]string

func (p emailPlan) add(n Notification, email EmailWhen, due time.Time) {
	state := emailState{email, due}
	p[state] = append(p[state], n.ID)
}

// store writes the plan for notifications that were in the state before, one write for each
// state after.
func (p emailPlan) store(ctx context.Context, s Store, before EmailWhen) error {
	var all []error
	for state, ids := range p {
		all = append(all, s.SetNotificationEmails(ctx, ids, before, state.email, state.due))
	}
	return errors.Join(all...)
}

// decide decides about notifications that were not decided. Those about whose people
// nothing can be learned now stay undecided.
func (k *Emailer) decide(ctx context.Context, all []Notification, now time.Time) error {
	plan, people := emailPlan{}, map[string]User{}
	var failed error
	for _, n := range all {
		when, err := k.choice(ctx, n, people, now)
		switch {
		case err != nil:
			failed = err
		case when == EmailNow:
			plan.add(n, EmailNow, now)
		case when == EmailDaily:
			plan.add(n, EmailDaily, dailyAfter(n.At.Add(emailAfter)))
		default:
			plan.add(n, EmailOff, time.Time{})
		}
	}
	return errors.Join(failed, plan.store(ctx, k.market.store, ""))
}

// dailyAfter returns the next time of daily emails.
func dailyAfter(t time.Time) time.Time {
	today := time.Date(t.Year(), t.Month(), t.Day(), emailHour, 0, 0, 0, time.UTC)
	if today.Before(t) {
		return today.AddDate(0, 0, 1)
	}
	return today
}

// choice returns what the person has chosen for a notification; EmailOff also if they need
// no email about it, or cannot get one. Users are read once.
func (k *Emailer) choice(ctx context.Context, n Notification, people map[string]User, now time.Time) (EmailWhen, error) {
	store := k.market.store
	u, isKnown := people[n.UID]
	if !isKnown {
		var err error
		if u, err = store.User(ctx, n.UID); unlessNotFound(err) != nil {
			return "", err
		}
		people[n.UID] = u
	}
	when := u.EmailFor(n.Kind)
	if when == EmailOff || u.Removed || !n.ReadAt.IsZero() || now.Sub(n.At) > emailOlder {
		return EmailOff, nil
	}
	a, err := store.Account(ctx, n.UID)
	if err != nil || !a.CanGetEmail() {
		return EmailOff, unlessNotFound(err)
	}
	isSeen, err := k.presence.SeenWithin(ctx, n.UID, now.Sub(n.At))
	if isSeen {
		return EmailOff, err
	}
	return when, err
}

// CanGetEmail tells whether the account's address is proven to be its owner's.
func (a Account) CanGetEmail() bool { return !a.Unproven && !a.Removed }

// emailGroup is what one email is about: a person's notifications that were decided alike
// and are due at the same time.
type emailGroup struct {
	uid   string
	email EmailWhen
	due   time.Time
}

func (g emailGroup) id() string { return fmt.Sprint(g.email, ":", g.uid, ":", g.due.UnixMilli()) }

// send sends the emails that were decided, one for each group. A notification that was
// decided after its group's email was made is put off to the next.
func (k *Emailer) send(ctx context.Context, all []Notification, now time.Time) error {
	plans := map[EmailWhen]emailPlan{EmailNow: {}, EmailDaily: {}}
	sent := map[emailGroup][]string{} // what its email is about
	var failed error
	for _, n := range all {
		group := emailGroup{n.UID, n.Email, n.EmailDue}
		about, isSent := sent[group]
		if !isSent && n.ReadAt.IsZero() {
			var err error
			if about, err = k.sendGroup(ctx, group); err != nil {
				failed = err
				continue
			}
			sent[group] = about
		}
		due := time.Time{} // done
		if n.ReadAt.IsZero() && !slices.Contains(about, n.ID) {
			due = now
			if n.Email == EmailDaily {
				due = n.EmailDue.AddDate(0, 0, 1)
			}
		}
		plans[n.Email].add(n, n.Email, due)
	}
	for email, plan := range plans {
		failed = errors.Join(failed, plan.store(ctx, k.market.store, email))
	}
	return failed
}

// sendGroup sends one email about what is unread in the group. Somebody with a screen open
// gets none. It returns what needs no email any more.
func (k *Emailer) sendGroup(ctx context.Context, group emailGroup) ([]string, error) {
	unread, err := k.market.store.UnreadNotifications(ctx, group.uid, NotificationsKept)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range unread {
		if n.Email == group.email && n.EmailDue.Equal(group.due) {
			ids = append(ids, n.ID)
		}
	}
	isSeen, err := k.presence.SeenWithin(ctx, group.uid, emailAfter)
	if err != nil || isSeen || len(ids) == 0 {
		return ids, err
	}
	return k.emails.Send(ctx, group.id(), group.uid, ids)
}
