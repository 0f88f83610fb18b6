package market

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"
)

// Times and sizes of the emailer.
const (
	emailAfter = time.Minute // after a notification: whoever has a screen open by then needs no email
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
// whether there is an email, and of what sort. Only then it sends, under an ID that is the
// same on every node: of the notification, or of the person and the day.
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
		if err := errors.Join(k.decide(ctx, undecided, now), k.send(ctx, decided)); err != nil {
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

// send sends the emails that were decided.
func (k *Emailer) send(ctx context.Context, all []Notification) error {
	single, daily := emailPlan{}, emailPlan{}
	var failed error
	sent := map[dailyEmail][]string{} // what it is about
	for _, n := range all {
		var err error
		if n.Email == EmailNow {
			err = k.sendNow(ctx, n, single)
		} else {
			err = k.sendDaily(ctx, n, sent, daily)
		}
		if err != nil {
			failed = err
		}
	}
	return errors.Join(failed, single.store(ctx, k.market.store, EmailNow), daily.store(ctx, k.market.store, EmailDaily))
}

// sendNow sends the email about one notification, unless it was read since.
func (k *Emailer) sendNow(ctx context.Context, n Notification, plan emailPlan) error {
	if n.ReadAt.IsZero() {
		if _, err := k.emails.Send(ctx, "now:"+n.ID, n.UID, []string{n.ID}); err != nil {
			return err
		}
	}
	plan.add(n, EmailNow, time.Time{})
	return nil
}

// dailyEmail is a person's email of a day.
type dailyEmail struct {
	uid string
	due time.Time
}

// sendDaily sends the person's email of the day, once for all notifications in it. One that
// came too late for it is in the next day's.
func (k *Emailer) sendDaily(ctx context.Context, n Notification, sent map[dailyEmail][]string, plan emailPlan) error {
	if !n.ReadAt.IsZero() {
		plan.add(n, EmailDaily, time.Time{})
		return nil
	}
	id := dailyEmail{n.UID, n.EmailDue}
	about, isSent := sent[id]
	if !isSent {
		var err error
		if about, err = k.sendDay(ctx, id); err != nil {
			return err
		}
		sent[id] = about
	}
	if slices.Contains(about, n.ID) {
		plan.add(n, EmailDaily, time.Time{})
	} else {
		plan.add(n, EmailDaily, n.EmailDue.AddDate(0, 0, 1))
	}
	return nil
}

// sendDay sends the email of a day about all that is unread. Somebody with a screen open
// gets none. It returns what needs no email any more.
func (k *Emailer) sendDay(ctx context.Context, day dailyEmail) ([]string, error) {
	unread, err := k.market.store.UnreadNotifications(ctx, day.uid, NotificationsKept)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range unread {
		if n.Email == EmailDaily && n.EmailDue.Equal(day.due) {
			ids = append(ids, n.ID)
		}
	}
	isSeen, err := k.presence.SeenWithin(ctx, day.uid, emailAfter)
	if err != nil || isSeen || len(ids) == 0 {
		return ids, err
	}
	return k.emails.Send(ctx, "daily:"+day.uid+":"+day.due.Format(dayLayout), day.uid, ids)
}
