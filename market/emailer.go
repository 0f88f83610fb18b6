package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Times and sizes of the emailer.
const (
	emailDelay  = time.Minute // after a notification; a person who opens a screen before gets no email
	emailEvery  = 5 * time.Second
	emailPage   = 200
	emailHour   = 8              // hour of the day, in UTC, at which the daily emails are sent
	maxEmailAge = 24 * time.Hour // a notification that is undecided for longer gets no email
)

// Presence returns who has a screen open.
type Presence interface {
	// SeenWithin returns whether a person has a screen open now, or had one open within the
	// last d, on any node. Screens that were closed more than ten minutes ago may be
	// forgotten.
	SeenWithin(ctx context.Context, uid string, d time.Duration) (bool, error)
}

// NotificationEmails is the outbox of emails about notifications.
type NotificationEmails interface {
	// Send adds an email to a person about some notifications, by their IDs, unless an
	// email with this ID exists. It returns the notifications that the email with this ID
	// is about. The ID is remembered for at least a day.
	Send(ctx context.Context, id, uid string, notifications []string) ([]string, error)
}

// Emailer sends emails about notifications to people who have chosen them. For each notification
// it first decides, by a compare-and-set of Notification.Email, whether and when there is an email:
// of one kind and phone not before an emailPause has passed. Then it sends one email about all of a person's notifications that are
// due at the same time. The ID of the email consists of the person and that time, so it is the
// same on every node.
type Emailer struct {
	market   *Market
	presence Presence
	emails   NotificationEmails
}

// NewEmailer returns the emailer of a market.
func NewEmailer(m *Market, presence Presence, emails NotificationEmails) *Emailer {
	return &Emailer{market: m, presence: presence, emails: emails}
}

// Work returns the emailer as background work. It begins after emailDelay, because screens need a
// moment to reconnect after a restart of the server.
func (k *Emailer) Work() Work {
	begin := k.market.clock.Now().Add(emailDelay)
	return Work{Name: "emails about notifications", Queue: "notification", Pause: emailEvery, Step: func(ctx context.Context) (next time.Time, err error) {
		if k.market.clock.Now().Before(begin) {
			return begin, nil
		}
		return next, k.Step(ctx)
	}}
}

// Step decides and sends everything that is due.
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

// emailState is a notification's Email and EmailDue.
type emailState struct {
	email EmailWhen
	due   time.Time
}

// emailPlan has the new states of notifications, with their IDs.
type emailPlan map[emailState][]string

func (p emailPlan) add(n Notification, email EmailWhen, due time.Time) {
	state := emailState{email, due}
	p[state] = append(p[state], n.ID)
}

// store writes the plan for notifications whose Email is before, with one write for each
// new state.
func (p emailPlan) store(ctx context.Context, s Store, before EmailWhen) error {
	var all []error
	for state, ids := range p {
		all = append(all, s.SetNotificationEmails(ctx, ids, before, state.email, state.due))
	}
	return errors.Join(all...)
}

// decide decides about undecided notifications. They stay undecided if the person's data or
// presence cannot be read now.
func (k *Emailer) decide(ctx context.Context, all []Notification, now time.Time) error {
	plan, people := emailPlan{}, map[string]User{}
	var failed error
	for _, n := range all {
		when, err := k.choice(ctx, n, people, now)
		switch {
		case err != nil:
			failed = err
		case when == EmailNow:
			// sendGroup checks the presence again then: a node that reconnects to the
			// broker has no listeners for a moment.
			due, err := k.emailDueAt(ctx, n, now)
			if err != nil {
				failed = err
				continue
			}
			plan.add(n, EmailNow, due)
		case when == EmailDaily:
			plan.add(n, EmailDaily, dailyAfter(n.At.Add(emailDelay)))
		default:
			plan.add(n, EmailOff, time.Time{})
		}
	}
	return errors.Join(failed, plan.store(ctx, k.market.store, ""))
}

// dailyAfter returns the next time at which daily emails are sent.
func dailyAfter(t time.Time) time.Time {
	today := time.Date(t.Year(), t.Month(), t.Day(), emailHour, 0, 0, 0, time.UTC)
	if today.Before(t) {
		return today.AddDate(0, 0, 1)
	}
	return today
}

// choice returns the person's choice for a notification. It returns EmailOff also if they
// need no email about it, or cannot get one. Each user is read once.
func (k *Emailer) choice(ctx context.Context, n Notification, people map[string]User, now time.Time) (EmailWhen, error) {
	store := k.market.store
	u, isKnown := people[n.UID]
	if !isKnown {
		var err error
		if u, err = store.User(ctx, n.UID); ignoreNotFound(err) != nil {
			return "", err
		}
		people[n.UID] = u
	}
	when := u.EmailFor(n.Kind)
	if when == EmailOff || u.Removed || !n.ReadAt.IsZero() || now.Sub(n.At) > maxEmailAge {
		return EmailOff, nil
	}
	a, err := store.Account(ctx, n.UID)
	if err != nil || !a.CanGetEmail() {
		return EmailOff, ignoreNotFound(err)
	}
	isSeen, err := k.presence.SeenWithin(ctx, n.UID, now.Sub(n.EmailDue.Add(-emailDelay)))
	if isSeen {
		return EmailOff, err
	}
	return when, err
}

// CanGetEmail returns whether the account's owner has confirmed its address.
func (a Account) CanGetEmail() bool { return !a.Unconfirmed && !a.Removed }

// emailGroup identifies the notifications of one email: those of one person with the same
// decision and due time.
type emailGroup struct {
	uid   string
	email EmailWhen
	due   time.Time
}

func (g emailGroup) id() string { return fmt.Sprint(g.email, ":", g.uid, ":", g.due.UnixMilli()) }

// send sends one email for each group. A notification that was decided after its group's
// email was made moves to the next email.
func (k *Emailer) send(ctx context.Context, all []Notification, now time.Time) error {
	plans := map[EmailWhen]emailPlan{EmailNow: {}, EmailDaily: {}}
	sent := map[emailGroup][]string{} // notifications of the group's email
	var failed error
	for _, n := range all {
		group := emailGroup{n.UID, n.Email, n.EmailDue}
		included, isSent := sent[group]
		if !isSent && n.ReadAt.IsZero() {
			var err error
			if included, err = k.sendGroup(ctx, group); err != nil {
				failed = err
				continue
			}
			sent[group] = included
		}
		next := emailState{email: n.Email} // done
		if n.ReadAt.IsZero() && !slices.Contains(included, n.ID) {
			next = emailState{"", now} // decided again
			if n.Email == EmailDaily {
				next = emailState{EmailDaily, n.EmailDue.AddDate(0, 0, 1)}
			}
		}
		plans[n.Email].add(n, next.email, next.due)
	}
	for email, plan := range plans {
		failed = errors.Join(failed, plan.store(ctx, k.market.store, email))
	}
	return failed
}

// sendGroup sends one email about the group's unread notifications, unless the person has a
// screen open. It returns the notifications that need no email any more.
func (k *Emailer) sendGroup(ctx context.Context, group emailGroup) ([]string, error) {
	unread, err := k.market.store.UnreadNotifications(ctx, group.uid, maxUnread)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range unread {
		if n.Email == group.email && n.EmailDue.Equal(group.due) {
			ids = append(ids, n.ID)
		}
	}
	isSeen, err := k.presence.SeenWithin(ctx, group.uid, emailDelay)
	if err != nil || isSeen || len(ids) == 0 {
		return ids, err
	}
	return k.emails.Send(ctx, group.id(), group.uid, ids)
}

// emailPause is the least time between two emails to one person about notifications of one
// kind and one phone, or about the matches of one seller. What happens meanwhile is in one
// email at its end.
const emailPause = time.Hour

// plannedEmailKind is the Kind of the records of the last email of a person, kind and phone.
const plannedEmailKind = "email.planned"

// plannedEmail is the last email that was planned for a person, kind and phone.
type plannedEmail struct {
	At       time.Time
	Decision string // for which it was planned
}

// emailDueAt returns when the email about a notification that is decided on now is due. If this
// decision is repeated after a crash, the result is the same.
func (k *Emailer) emailDueAt(ctx context.Context, n Notification, now time.Time) (time.Time, error) {
	soon, about := now.Add(emailEvery), n.ProductID
	if n.Kind == NotifyMatch {
		about = n.Cause // the seller's
	}
	if about == "" {
		return soon, nil
	}
	decision := fmt.Sprint(n.ID, ":", n.EmailDue.UnixMilli())
	r := Record{Kind: plannedEmailKind, ID: fmt.Sprint(n.UID, ":", n.Kind, ":", about)}
	for {
		last, version, err := k.plannedEmail(ctx, r.ID)
		if err != nil || last.Decision == decision {
			return last.At, err
		}
		due := soon
		switch pauseEnd := last.At.Add(emailPause); {
		case n.isTurn(): // the person has little time
		case last.At.After(now):
			return last.At, nil
		case pauseEnd.After(soon):
			due = pauseEnd
		}
		r.Data, r.Version, r.Expires = encode(plannedEmail{due, decision}), version+1, due.Add(emailPause)
		if version == 0 {
			err = k.market.store.AddRecord(ctx, r, nil)
		} else {
			err = k.market.store.SaveRecord(ctx, r)
		}
		if !IsTaken(err) {
			return due, err
		}
	}
}

// plannedEmail returns the last planned email, and the version of its record; 0 if there is
// none.
func (k *Emailer) plannedEmail(ctx context.Context, id string) (last plannedEmail, version int64, err error) {
	r, err := k.market.store.Record(ctx, plannedEmailKind, id)
	if err != nil {
		return last, 0, ignoreNotFound(err)
	}
	return last, r.Version, json.Unmarshal(r.Data, &last)
}

// isTurn returns whether the person must pay for the phone within a short time.
func (n Notification) isTurn() bool {
	return n.Kind == NotifyTurn && strings.HasPrefix(n.Link, linkPayment)
}
