package market

import (
	"context"
	"errors"
	"time"
)

// PersonView is all data that the market stores about one person, for their export. It has
// no data of other people: neither the buyer of a sold phone nor the admin of an audit log
// entry.
type PersonView struct {
	Account       AccountView          `json:"account"`
	User          *UserView            `json:"user,omitempty" doc:"Absent before POST /users"`
	Sessions      []SessionView        `json:"sessions"`
	Phones        []ProductView        `json:"phones" doc:"Phones that the person offers or has sold"`
	Bookings      []BookingView        `json:"bookings"`
	Photographs   []PersonalEvidence   `json:"photographs" doc:"Photographs that the person has added to orders"`
	Waitlist      []PersonalWait       `json:"waitlist"`
	Watches       []PersonalWatch      `json:"watches" doc:"Watched phones"`
	Searches      []SavedSearchView    `json:"searches" doc:"Saved searches"`
	Threads       []PersonalThread     `json:"threads" doc:"Conversations, with the person's own messages"`
	Offers        []OfferView          `json:"offers" doc:"Offers that the person made"`
	Payments      []PaymentView        `json:"payments"`
	Earnings      EarningsView         `json:"earnings" doc:"What the person has earned as a seller"`
	PayoutAccount *PayoutAccount       `json:"payoutAccount,omitempty" doc:"Payout account at Stripe. Absent if there is none"`
	Reports       []ReportView         `json:"reports" doc:"Open reports of phones and conversations that the person made"`
	CaseReports   []PersonalReport     `json:"caseReports" doc:"All reports that the person made, without what became of them"`
	Decisions     []DecisionView       `json:"decisions" doc:"Decisions of admins against the person"`
	Notifications []NotificationView   `json:"notifications"`
	Emails        []EmailChoice        `json:"emails" doc:"Kinds of notifications for which the person gets emails"`
	AuditLog      []PersonalAuditEntry `json:"auditLog" doc:"Entries of the audit log that concern the person"`
}

// AccountView is how the person signs in, and whether they have a password.
type AccountView struct {
	UID         string    `json:"uid"`
	Email       string    `json:"email"`
	DisplayName string    `json:"displayName"`
	PhotoURL    string    `json:"photoURL"`
	HasPassword bool      `json:"hasPassword"`
	GoogleSub   string    `json:"googleSubject,omitempty" doc:"Google's ID of the person. Absent if they do not sign in with Google"`
	CreatedAt   time.Time `json:"createdAt" doc:"UTC"`

	EmailVerified bool     `json:"emailVerified"`
	SecondFactor  bool     `json:"secondFactor" doc:"Whether sign-in requires a second factor: a code of an authenticator app"`
	Address       *Address `json:"address,omitempty" doc:"The address that is remembered for the next order. Absent if there is none"`
	Phone         string   `json:"phone,omitempty" doc:"The phone number that forms begin with. Absent if there is none"`
	Location      string   `json:"location,omitempty" doc:"The location that forms begin with. Absent if there is none"`
	Devices       int      `json:"devices" doc:"Number of remembered browsers, at most 20. Only a hash of each is stored"`
}

// SessionView is one signed-in browser. The cookie is not stored.
type SessionView struct {
	Device    string    `json:"device" doc:"Browser and operating system. Empty if unknown"`
	Network   string    `json:"network" doc:"Network address of the sign-in. Empty if unknown"`
	CreatedAt time.Time `json:"createdAt" doc:"UTC"`
	SeenAt    time.Time `json:"seenAt" doc:"When the session was last used, UTC, accurate to about an hour"`
	ExpiresAt time.Time `json:"expiresAt" doc:"UTC"`
}

// PaymentView is a received payment.
type PaymentView struct {
	ID          string         `json:"_id"`
	Transaction string         `json:"transactionId"`
	BookingID   string         `json:"bookingId"`
	Email       string         `json:"email"`
	Price       int            `json:"price" doc:"In whole US dollars"`
	Postage     int            `json:"postage" doc:"Paid with the price, in whole US dollars"`
	Outcome     PaymentOutcome `json:"outcome" enum:"kept,returned," doc:"kept: the payment bought the phone; returned: it bought no phone and is refunded; empty: not decided yet"`
	RefundedAt  *time.Time     `json:"refundedAt,omitempty" doc:"When it was refunded, UTC. Absent until then"`
	CreatedAt   time.Time      `json:"createdAt" doc:"UTC"`
}

// PersonalEvidence is a photograph that the person has added to an order.
type PersonalEvidence struct {
	URL       string    `json:"url" doc:"Absolute URL, for both sides of the order and admins"`
	BookingID string    `json:"bookingId"`
	At        time.Time `json:"at" doc:"UTC"`
}

// PersonalThread is a conversation with what the person has written.
type PersonalThread struct {
	ID          string            `json:"_id"`
	ProductID   string            `json:"productID"`
	ProductName string            `json:"productName"`
	Messages    []PersonalMessage `json:"messages"`
}

// PersonalMessage is a message that the person has written.
type PersonalMessage struct {
	Text string    `json:"text"`
	At   time.Time `json:"at" doc:"UTC"`
}

// PersonalAuditEntry is an audit log entry for the person that it concerns.
type PersonalAuditEntry struct {
	At     time.Time   `json:"at" doc:"UTC"`
	Action AuditAction `json:"action" doc:"What was done"`
	Target string      `json:"target" doc:"Name, at that time, of the person or thing that it was done to"`
}

// PersonalWait is a place on a waitlist with the data that the person gave for the booking.
type PersonalWait struct {
	WaitlistEntryView

	Phone    string `json:"phone"`
	Location string `json:"location"`
}

// PersonalWatch is a phone that the person watches.
type PersonalWatch struct {
	ProductID string    `json:"productID"`
	CreatedAt time.Time `json:"createdAt" doc:"UTC"`
}

// View returns the view for its owner.
func (a Account) View() AccountView {
	return AccountView{
		UID: a.UID, Email: a.Email, DisplayName: a.DisplayName, PhotoURL: a.PhotoURL,
		HasPassword: a.PasswordHash != "", GoogleSub: a.GoogleSub, CreatedAt: a.CreatedAt,
		EmailVerified: !a.Unconfirmed, SecondFactor: a.HasSecondFactor(), Devices: len(a.Devices), Address: a.Address,
		Phone: a.Phone, Location: a.Location,
	}
}

// View returns the view for its owner.
func (s Session) View() SessionView {
	return SessionView{Device: s.Device, Network: s.Network, CreatedAt: s.CreatedAt, SeenAt: s.SeenAt, ExpiresAt: s.ExpiresAt}
}

// View returns the view for the buyer who paid.
func (p Payment) View() PaymentView {
	v := PaymentView{
		ID: p.ID, Transaction: p.Transaction, BookingID: p.BookingID, Email: p.Email, Price: p.Price, Postage: p.Postage,
		Outcome: p.Outcome, CreatedAt: p.CreatedAt,
	}
	if !p.RefundedAt.IsZero() {
		v.RefundedAt = &p.RefundedAt
	}
	return v
}

// Person returns all data that the market stores about the owner of an account.
func (m *Market) Person(ctx context.Context, a Account) (PersonView, error) {
	v := PersonView{
		Account: Absolute(m, a.View()), Sessions: []SessionView{}, Phones: []ProductView{}, Bookings: []BookingView{}, Photographs: []PersonalEvidence{}, Waitlist: []PersonalWait{},
		Watches: []PersonalWatch{}, Searches: []SavedSearchView{},
		Threads: []PersonalThread{}, Offers: []OfferView{}, Emails: []EmailChoice{}, Payments: []PaymentView{}, Reports: []ReportView{}, CaseReports: []PersonalReport{}, Decisions: []DecisionView{}, Notifications: []NotificationView{}, AuditLog: []PersonalAuditEntry{},
	}
	u, err := m.store.User(ctx, a.UID)
	exists := err == nil && !u.Removed
	if err != nil && !errors.Is(err, ErrNotFound) {
		return v, err
	}
	if exists {
		v.User, v.Emails, v.PayoutAccount = new(u.View()), append(v.Emails, u.Emails...), u.PayoutAccount
	}
	sessions, err := m.store.SessionsOf(ctx, a.UID)
	for _, s := range sessions {
		if a.Access().Allows(s) {
			v.Sessions = append(v.Sessions, s.View())
		}
	}
	return v, errors.Join(err, m.gather(ctx, a.UID, u.ID, &v))
}

// gather adds the person's entities in the market.
func (m *Market) gather(ctx context.Context, uid, id string, v *PersonView) error {
	return errors.Join(
		m.eachProductOf(ctx, uid, func(p Product) error { v.Phones = append(v.Phones, Absolute(m, p.ViewWithContact())); return nil }),
		m.eachHiddenPhoneOf(ctx, uid, func(h HiddenPhone) error {
			view := h.Phone.ViewWithContact()
			view.Hidden = true
			v.Phones = append(v.Phones, Absolute(m, view))
			return nil
		}),
		m.gatherCases(ctx, uid, v),
		m.eachBookingOf(ctx, uid, func(b Booking) error {
			b.Seller = nil // the data of another person
			view := b.View()
			address, err := m.addressOf(ctx, b)
			view.Address = address
			v.Bookings = append(v.Bookings, Absolute(m, view))
			return err
		}),
		m.eachEvidenceBy(ctx, uid, func(e Evidence) error {
			v.Photographs = append(v.Photographs, PersonalEvidence{AbsoluteURL(m.rules.PublicURL, e.Address()), e.BookingID, e.At})
			return nil
		}),
		m.gatherWaits(ctx, uid, v),
		m.gatherWatching(ctx, uid, v),
		m.gatherThreads(ctx, uid, v),
		m.eachPaymentOf(ctx, uid, func(p Payment) error { v.Payments = append(v.Payments, p.View()); return nil }),
		m.gatherEarnings(ctx, uid, v),
		m.eachReportBy(ctx, uid, func(r Report) error {
			r.SellerID = "" // the ID of another person
			v.Reports = append(v.Reports, Absolute(m, r.View()))
			return nil
		}),
		m.eachNotificationOf(ctx, uid, func(n Notification) error { v.Notifications = append(v.Notifications, n.View()); return nil }),
		m.eachAuditEntryAbout(ctx, id, func(entry AuditEntry) error {
			if entry.Action == ActionReadCase || entry.Action == ActionKeep { // they would tell that there was a report
				return nil
			}
			v.AuditLog = append(v.AuditLog, PersonalAuditEntry{At: entry.At, Action: entry.Action, Target: entry.Target})
			return nil
		}),
	)
}

func (m *Market) gatherEarnings(ctx context.Context, uid string, v *PersonView) error {
	earnings, err := m.earnedBy(ctx, uid)
	if err != nil {
		return err
	}
	err = m.eachSaleOf(ctx, uid, func(e Earning) error { earnings.Lines.Items = append(earnings.Lines.Items, e); return nil })
	v.Earnings = earnings.View()
	return err
}

func (m *Market) gatherWaits(ctx context.Context, uid string, v *PersonView) error {
	entries, err := m.waitlistOf(ctx, uid)
	for _, entry := range entries {
		v.Waitlist = append(v.Waitlist, PersonalWait{Absolute(m, entry.View()), entry.Phone, entry.Location})
	}
	return err
}

func (m *Market) gatherWatching(ctx context.Context, uid string, v *PersonView) error {
	w, err := m.watching(ctx, uid)
	for _, watch := range w.Phones {
		v.Watches = append(v.Watches, PersonalWatch{watch.ProductID, watch.At})
	}
	for _, s := range w.Searches {
		v.Searches = append(v.Searches, s.View())
	}
	return err
}

// gatherThreads adds the person's threads and offers, with nothing that the other side has written.
func (m *Market) gatherThreads(ctx context.Context, uid string, v *PersonView) error {
	err := m.eachThreadOf(ctx, uid, func(t Thread) error {
		own := PersonalThread{ID: t.ID, ProductID: t.ProductID, ProductName: t.Phone.Name, Messages: []PersonalMessage{}}
		err := m.eachMessageOf(ctx, t.ID, func(line Message) error {
			if line.ByUID == uid {
				own.Messages = append(own.Messages, PersonalMessage{line.Text, line.At})
			}
			return nil
		})
		v.Threads = append(v.Threads, own)
		return err
	})
	return errors.Join(err, each(
		func(page Page) ([]Offer, error) { return items(m.store.OffersOf(ctx, uid, SideBuyer, "", page)) }, offerID,
		func(o Offer) error { v.Offers = append(v.Offers, Absolute(m, o.ViewFor(uid))); return nil }))
}

// PersonalReport is a report that the person made.
type PersonalReport struct {
	Kind   CaseKind  `json:"kind" enum:"product,person,picture,thread"`
	Name   string    `json:"name" doc:"Name of what was reported"`
	Rule   Rule      `json:"rule" enum:"stolen,counterfeit,not_as_shown,fake_price,contact,insult,spam,forbidden,other"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at" doc:"UTC"`
}

// gatherCases adds the person's reports, and the decisions against them.
func (m *Market) gatherCases(ctx context.Context, uid string, v *PersonView) error {
	return errors.Join(
		each(func(page Page) ([]Case, error) { return m.store.CasesReportedBy(ctx, uid, page) }, caseID, func(c Case) error {
			for _, r := range c.Reports {
				if r.ReporterUID == uid {
					v.CaseReports = append(v.CaseReports, PersonalReport{Kind: c.Kind, Name: c.Target, Rule: r.Rule, Reason: r.Reason, At: r.At})
				}
			}
			return nil
		}),
		each(func(page Page) ([]Case, error) { return items(m.store.DecisionsAgainst(ctx, uid, page)) }, caseID, func(c Case) error {
			v.Decisions = append(v.Decisions, Absolute(m, c.DecisionView()))
			return nil
		}),
	)
}
