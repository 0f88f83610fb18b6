package market

import (
	"context"
	"maps"
	"slices"
)

// EmailWhen is when a person gets an email about notifications of a kind.
type EmailWhen string

// The choices.
const (
	EmailOff   EmailWhen = "off"   // never
	EmailNow   EmailWhen = "now"   // at once
	EmailDaily EmailWhen = "daily" // once a day, one email about all of them
)

// EmailChoice is a person's choice for one kind of notifications.
type EmailChoice struct {
	Kind NotificationKind `json:"kind"`
	When EmailWhen        `json:"when"`
}

// EmailSettingsView is a person's choices of emails, for that person.
type EmailSettingsView struct {
	ID      string                         `json:"_id" doc:"The uid of the account, not the _id of the user"`
	Version int64                          `json:"version" doc:"The version of the user"`
	Email   map[NotificationKind]EmailWhen `json:"email" doc:"By kind of notification: off, now (at once) or daily (one email a day). Without a choice paid, order, turn, released, message and offer are now, the others off. No email is sent about notifications that the person has read or could see on an open screen"`
}

// emailedByDefault are the kinds of which a person gets an email at once unless they choose
// otherwise: somebody waits for the person, or the person for them.
var emailedByDefault = []NotificationKind{NotifyPaid, NotifyOrder, NotifyTurn, NotifyReleased, NotifyMessage, NotifyOffer}

// EmailFor returns the person's choice for a kind, or the default if they have chosen nothing.
func (u User) EmailFor(kind NotificationKind) EmailWhen {
	for _, c := range u.Emails {
		if c.Kind == kind {
			return c.When
		}
	}
	if slices.Contains(emailedByDefault, kind) {
		return EmailNow
	}
	return EmailOff
}

// EmailSettings returns the view for the person.
func (u User) EmailSettings() EmailSettingsView {
	v := EmailSettingsView{ID: u.UID, Version: u.Version, Email: map[NotificationKind]EmailWhen{}}
	for _, kind := range NotificationKinds() {
		v.Email[kind] = u.EmailFor(kind)
	}
	return v
}

// EmailSettings returns a person's choices for all kinds.
func (m *Market) EmailSettings(ctx context.Context, who Actor) (EmailSettingsView, error) {
	u, err := m.store.User(ctx, who.User.UID)
	return u.EmailSettings(), err
}

// emailChoices returns the person's choices after the choice of others for the named kinds.
// A choice is stored also if it is the default, so that a later default does not change it.
func (u User) emailChoices(chosen map[string]string) (choices []EmailChoice) {
	for _, kind := range NotificationKinds() {
		named, isNamed := chosen[string(kind)]
		i := slices.IndexFunc(u.Emails, func(c EmailChoice) bool { return c.Kind == kind })
		switch {
		case isNamed:
			choices = append(choices, EmailChoice{kind, EmailWhen(named)})
		case i >= 0:
			choices = append(choices, u.Emails[i])
		}
	}
	return choices
}

// SetEmails changes a person's choices for the named kinds. Other choices stay. It returns
// 0 if all of them were chosen before.
func (m *Market) SetEmails(ctx context.Context, who Actor, chosen map[string]string, wrong Fields) (int, error) {
	f := FieldsOf(wrong)
	if chosen == nil && len(f) == 0 {
		f.Add("email", "is required")
	}
	for _, kind := range slices.Sorted(maps.Keys(chosen)) {
		f.emailChoice("email."+kind, NotificationKind(kind), chosen[kind])
	}
	if err := f.Err(); err != nil {
		return 0, err
	}
	changed := 0
	err := m.changeUser(ctx, who.User.UID, func(u *User) []Effect {
		changed = 0
		choices := u.emailChoices(chosen)
		if u.Removed || slices.Equal(u.Emails, choices) {
			return nil
		}
		u.Emails, changed = choices, 1
		effects := m.userChanged(u)
		return append(effects, Event{
			Topic: TopicMe(u.UID), Type: TypeSettingsChanged, At: m.clock.Now(), Entity: u.UID, Version: u.Version,
			Data: encode(u.EmailSettings()),
		})
	})
	return changed, err
}

func (f Fields) emailChoice(name string, kind NotificationKind, when string) {
	if !slices.Contains(NotificationKinds(), kind) {
		f.Add(name, "is no kind of notification")
		return
	}
	f.oneOf(name, when, string(EmailOff), string(EmailNow), string(EmailDaily))
}
