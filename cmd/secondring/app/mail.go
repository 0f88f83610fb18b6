package app

import (
	"net/http"

	"secondring/api/identity"
	"secondring/api/letters"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	mailsandbox "secondring/sandbox/mail"
)

const mailboxPath = "/sandbox/mail"

// post is how letters leave: by SMTP where it is set up, into the sandbox's mailbox in
// the demo, else not at all.
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

// sender sends the letters of the queue; nil where there is none.
func (a *App) sender(p post, people *identity.Service, clock market.Clock) *letters.Sender {
	if p.queue == nil {
		return nil
	}
	a.metrics.watchLetters(p.queue, clock.Now)
	return letters.NewSender(letters.SenderConfig{
		Queue: p.queue, Compose: people.Compose, Transport: p.transport, Note: a.metrics.noteLetter, Log: a.log,
		Brand: letters.Brand{Name: Product, URL: a.settings.PublicURL.String(), Contact: a.settings.Contact.Email},
	})
}
