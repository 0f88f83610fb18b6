package app

import (
	"context"
	"net/http"
	"time"

	"secondring/api/identity"
	"secondring/api/letters"
	"secondring/api/notices"
	"secondring/cmd/secondring/settings"
	"secondring/hub"
	"secondring/market"
	mailsandbox "secondring/sandbox/mail"
)

const mailboxPath = "/sandbox/mail"

// post is how letters are sent: by SMTP if it is configured, in the demo into the sandbox's
// mailbox, else not at all.
type post struct {
	queue     *letters.Queue // nil: no letters
	transport letters.Transport
	mailbox   string // the path of the sandbox's; "" without it
	mounts    map[string]http.Handler
}

func openPost(s settings.Settings, store market.Store, clock market.Clock) (post, error) {
	switch {
	case s.Mail.SMTP != nil:
		smtp, err := letters.NewSMTP(s.Mail.SMTP, s.Mail.From, nil)
		return post{queue: letters.NewQueue(store, clock), transport: smtp}, err
	case s.Demo:
		box := mailsandbox.New(mailboxPath)
		return post{queue: letters.NewQueue(store, clock), transport: box, mailbox: mailboxPath, mounts: map[string]http.Handler{mailboxPath: box}}, nil
	}
	return post{}, nil
}

// presence tells who has a screen open: those whose own topic has a listener.
type presence struct{ broker hub.Broker }

// SeenWithin implements market.Presence.
func (p presence) SeenWithin(ctx context.Context, uid string, d time.Duration) (bool, error) {
	return p.broker.HeardWithin(ctx, market.TopicMe(uid), d)
}

// mailLoops send the letters of the queue, and add those about notifications to it; none
// without a queue.
func (a *App) mailLoops(p post, m *market.Market, people *identity.Service, clock market.Clock) []func(context.Context) {
	if p.queue == nil {
		return nil
	}
	about := notices.Emails{Store: a.store, Queue: p.queue, PublicURL: a.settings.PublicURL, Product: Product}
	a.metrics.watchLetters(p.queue, clock.Now)
	sender := letters.NewSender(letters.SenderConfig{
		Queue: p.queue, Transport: p.transport, Note: a.metrics.noteLetter, Log: a.log,
		Brand: letters.Brand{Name: Product, URL: a.settings.PublicURL.String(), Contact: a.settings.Contact.Email},
		Compose: func(ctx context.Context, l letters.Letter) (letters.Content, error) {
			if l.Template == notices.Template {
				return about.Compose(ctx, l)
			}
			return people.Compose(ctx, l)
		},
	})
	emailer := market.NewEmailer(m, presence{a.cluster.broker}, about, a.log)
	return []func(context.Context){sender.Run, emailer.Run}
}
