package notificationemails

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"secondring/api/emails"
	"secondring/market"
)

// Template is the template of these emails.
const Template = "notifications"

// Paths of the client's screens.
const (
	pathNotifications = "/dashboard/notifications"
	pathSettings      = pathNotifications + "#emails"
)

// maxLinks is how many notifications of a topic an email lists.
const maxLinks = 10

// Store is the part of market.Store that Compose reads.
type Store interface {
	User(ctx context.Context, uid string) (market.User, error)
	Account(ctx context.Context, uid string) (market.Account, error)
	Notification(ctx context.Context, id string) (market.Notification, error)
	market.PhoneReader
}

// Emails is the market's outbox of emails about notifications.
type Emails struct {
	Store     Store
	Queue     *emails.Queue
	PublicURL *url.URL
	Product   string // the shop's name
}

var _ market.NotificationEmails = Emails{}

// Send implements market.NotificationEmails.
func (e Emails) Send(ctx context.Context, id, uid string, notifications []string) ([]string, error) {
	return e.Queue.Once(ctx, Template+":"+id, emails.Email{Template: Template, UID: uid, Subjects: notifications, Lane: emails.Ordinary})
}

// Compose makes the text of an email. It returns emails.ErrObsolete if the person has read
// everything, does not want it any more, or is removed.
func (e Emails) Compose(ctx context.Context, email emails.Email) (emails.Content, error) {
	u, err := e.Store.User(ctx, email.UID)
	if err != nil || u.Removed {
		return emails.Content{}, obsolete(err)
	}
	a, err := e.Store.Account(ctx, email.UID)
	if err != nil || !a.CanGetEmail() {
		return emails.Content{}, obsolete(err)
	}
	unread, err := e.unread(ctx, u, email.Subjects)
	if err != nil || len(unread) == 0 {
		return emails.Content{}, obsolete(err)
	}
	c := e.several(unread)
	if len(unread) == 1 {
		c = e.single(unread[0])
	}
	c.To, c.Greeting = a.Email, fmt.Sprintf("Hello %s,", u.Name)
	c.Settings = &emails.Action{Label: "Choose which emails you get, or turn them off", URL: e.link(pathSettings)}
	return c, nil
}

// obsolete returns the error of an email that cannot be made because of err:
// emails.ErrObsolete unless the cause is an outage.
func obsolete(err error) error {
	if err == nil || errors.Is(err, market.ErrNotFound) {
		return emails.ErrObsolete
	}
	return err
}

// unread returns the notifications that the person has not read and still wants emails
// about, in the order of the IDs: newest first. Of the prices of a phone it returns the newest.
func (e Emails) unread(ctx context.Context, u market.User, ids []string) ([]market.Notification, error) {
	var all []market.Notification
	priced := map[string]bool{} // by phone
	for _, id := range ids {
		n, err := e.Store.Notification(ctx, id)
		if errors.Is(err, market.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !n.ReadAt.IsZero() || u.EmailFor(n.Kind) == market.EmailOff {
			continue
		}
		if n.Kind == market.NotifyPrice && n.ProductID != "" {
			if priced[n.ProductID] {
				continue
			}
			priced[n.ProductID] = true
		}
		all = append(all, n)
	}
	return all, market.TellPricesOfNow(ctx, e.Store, all)
}

func (e Emails) link(path string) string { return e.PublicURL.String() + path }

func (e Emails) single(n market.Notification) emails.Content {
	return emails.Content{
		Subject: subject(n.Text), Paragraphs: []string{n.Text},
		Action: &emails.Action{Label: buttonOf(n.Link), URL: e.link(n.Link)},
		Note:   []string{noteOf(n)},
	}
}

func (e Emails) several(all []market.Notification) emails.Content {
	var topics []topic // in the order of their newest notifications
	grouped := map[topic][]market.Notification{}
	for _, n := range all {
		about := topic{n.Kind, n.Subject}
		if grouped[about] == nil {
			topics = append(topics, about)
		}
		grouped[about] = append(grouped[about], n)
	}
	c := emails.Content{
		Paragraphs: []string{fmt.Sprintf("This is what has happened at %s that you have not read yet.", e.Product)},
		Action:     &emails.Action{Label: "See all notifications", URL: e.link(pathNotifications)},
		Note:       []string{noteOf(all[0])},
	}
	for _, about := range topics {
		c.Groups = append(c.Groups, e.group(about, grouped[about]))
	}
	c.Subject = c.Groups[0].Title
	if more := len(all) - len(grouped[topics[0]]); more > 0 {
		c.Subject = fmt.Sprintf("%s, and %s", c.Subject, counted(more, "1 more notification", "%d more notifications"))
	}
	return c
}

// group lists the first maxLinks notifications of a topic.
func (e Emails) group(about topic, all []market.Notification) emails.Group {
	g := emails.Group{Title: about.title(len(all))}
	for i, n := range all {
		if i == maxLinks {
			rest := fmt.Sprintf("and %d more", len(all)-maxLinks)
			g.Links = append(g.Links, emails.Action{Label: rest, URL: e.link(pathNotifications)})
			break
		}
		g.Links = append(g.Links, emails.Action{Label: about.line(n.Text), URL: e.link(n.Link)})
	}
	return g
}
