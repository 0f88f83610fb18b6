package app

import (
	"context"
	"net/http"
	"time"

	"secondring/api/caseletters"
	"secondring/api/emails"
	"secondring/api/identity"
	"secondring/api/notificationemails"
	"secondring/cmd/secondring/settings"
	"secondring/hub"
	"secondring/market"
	mailsandbox "secondring/sandbox/mail"
)

const mailboxPath = "/sandbox/mail"

// emailSetup has the queue and the transport of emails. The transport is SMTP if it is
// configured, else the sandbox's mailbox in the demo; without one no emails are sent.
type emailSetup struct {
	queue     *emails.Queue // nil: no emails
	transport emails.Transport
	mailbox   string // the path of the sandbox's mailbox; "" without it
	mounts    map[string]http.Handler
}

func openEmail(s settings.Settings, store market.Store, clock market.Clock) (emailSetup, error) {
	switch {
	case s.Email.SMTP != nil:
		smtp, err := emails.NewSMTP(s.Email.SMTP, s.Email.From, nil)
		return emailSetup{queue: emails.NewQueue(store, clock), transport: smtp}, err
	case s.Demo:
		sandbox := mailsandbox.New(mailboxPath)
		return emailSetup{queue: emails.NewQueue(store, clock), transport: sandbox, mailbox: mailboxPath, mounts: map[string]http.Handler{mailboxPath: sandbox}}, nil
	}
	return emailSetup{}, nil
}

// presence returns whether a user has a screen open, which means that the user's own topic
// has a subscriber.
type presence struct{ broker hub.Broker }

// SeenWithin implements market.Presence.
func (p presence) SeenWithin(ctx context.Context, uid string, d time.Duration) (bool, error) {
	return p.broker.HasListenerWithin(ctx, market.TopicMe(uid), d)
}

// addEmails adds the work that sends the emails of the queue, and that adds emails about
// notifications to it. It adds none without a queue.
func (a *App) addEmails(setup emailSetup, m *market.Market, people *identity.Service, letters caseletters.Letters, clock market.Clock) {
	if setup.queue == nil {
		return
	}
	notifications := notificationemails.Emails{Store: a.store, Queue: setup.queue, PublicURL: a.settings.PublicURL, Product: Product}
	a.metrics.watchEmails(setup.queue, clock.Now)
	sender := emails.NewSender(emails.SenderConfig{
		Queue: setup.queue, Transport: setup.transport, Note: a.metrics.countEmail, Log: a.log,
		Brand: emails.Brand{Name: Product, URL: a.settings.PublicURL.String(), Contact: a.settings.Contact.Email},
		Compose: func(ctx context.Context, e emails.Email) (emails.Content, error) {
			switch {
			case e.Template == notificationemails.Template:
				return notifications.Compose(ctx, e)
			case caseletters.Has(e):
				return letters.Compose(ctx, e)
			}
			return people.Compose(ctx, e)
		},
	})
	sender.AddJobs(a.runner)
	a.runner.Add(market.NewEmailer(m, presence{a.cluster.broker}, notifications).Work())
}
