package notificationemails

import (
	"fmt"
	"strings"

	"secondring/market"
)

// The reasons why a person gets an email.
const (
	noteNow   = "You get an email when this happens while you are not on the site."
	noteDaily = "You chose to get these once a day."
)

// noteOf returns why the person gets an email about a notification.
func noteOf(n market.Notification) string {
	if n.Email == market.EmailDaily {
		return noteDaily
	}
	return noteNow
}

// topic is what the notifications of a group have in common.
type topic struct {
	kind    market.NotificationKind
	subject string // the name of the saved search, for NotifyMatch
}

// title returns the title of n notifications of the topic.
func (t topic) title(n int) string {
	if t.subject != "" {
		return counted(n, "1 message", "%d messages") + " about “" + t.subject + "”"
	}
	both, isKnown := titles[t.kind]
	if !isKnown {
		both = [2]string{"1 notification", "%d notifications"}
	}
	return counted(n, both[0], both[1])
}

// line returns a notification's text without the name of the search, which is in the title.
func (t topic) line(text string) string {
	if _, phone, found := strings.Cut(text, "“"+t.subject+"”: "); found {
		return phone
	}
	return text
}

// titles are the titles of one notification of a kind, and of several.
var titles = map[market.NotificationKind][2]string{
	market.NotifyBooked:    {"1 booking of your phones", "%d bookings of your phones"},
	market.NotifyPaid:      {"1 message about your sales", "%d messages about your sales"},
	market.NotifyReleased:  {"1 booking has ended", "%d bookings have ended"},
	market.NotifyVerified:  {"1 message about your account", "%d messages about your account"},
	market.NotifyTurn:      {"1 message about your waitlist", "%d messages about your waitlists"},
	market.NotifyMessage:   {"1 new message", "%d new messages"},
	market.NotifyOffer:     {"1 message about an offer", "%d messages about offers"},
	market.NotifyPrice:     {"1 phone is cheaper", "%d phones are cheaper"},
	market.NotifyAvailable: {"1 phone is available again or no longer for sale", "%d phones are available again or no longer for sale"},
	market.NotifySold:      {"1 phone is sold", "%d phones are sold"},
	market.NotifyMatch:     {"1 message about your searches", "%d messages about your searches"},
	market.NotifyOrder:     {"1 message about your orders", "%d messages about your orders"},
	market.NotifyReport:    {"1 report", "%d reports"},
	market.NotifyDecision:  {"1 message about a decision", "%d messages about decisions"},
}

func counted(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(several, n)
}

// subject returns the first sentence of a notification, without its period.
func subject(text string) string {
	if first, _, isLonger := strings.Cut(text, ". "); isLonger {
		return first
	}
	return strings.TrimSuffix(text, ".")
}

// buttons are the labels of screens by the beginnings of their paths.
var buttons = []struct{ path, label string }{
	{"/phone/", "See the phone"},
	{"/search", "See the phones"},
	{"/dashboard/payment/", "Pay for the phone"},
	{"/dashboard/order/", "See the order"},
	{"/dashboard/myOrders", "See my orders"},
	{"/dashboard/myProducts", "See my phones"},
	{"/dashboard/reportedItems", "See the reports"},
	{"/dashboard/earnings", "See my earnings"},
}

func buttonOf(link string) string {
	for _, b := range buttons {
		if strings.HasPrefix(link, b.path) {
			return b.label
		}
	}
	return "See more"
}
