package api

import (
	"context"
	"net/http"
	"strconv"

	"secondring/api/rest"
	"secondring/market"
)

// readRequest is the body of PUT /notifications/read.
type readRequest struct {
	UpTo string `json:"upTo" doc:"The _id of the newest notification that was read. Older ones are marked, too"`
}

// emailRequest is the body of PUT /notifications/settings.
type emailRequest struct {
	Email map[string]string `json:"email" doc:"By kind of notification: off, now (at once) or daily (one email a day). Absent kinds stay unchanged"`
}

const unreadHeader = "X-Unread-Count"

func (h handlers) notifications() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/notifications", ID: "listNotifications", Tag: "notifications",
			Summary: "List your notifications",
			Access:  rest.Bearer, IsList: true, Headers: map[string]string{unreadHeader: "Number of unread notifications on all pages"},
			Response: []market.NotificationView{}, Handle: h.listNotifications,
		},
		{
			Method: http.MethodPut, Path: "/notifications/read", ID: "readNotifications", Tag: "notifications",
			Summary: "Mark your notifications as read, up to and including one of them", Access: rest.Bearer,
			Body: readRequest{}, Response: Modified{}, ErrorStatuses: []int{http.StatusNotFound}, Handle: h.readNotifications,
		},
		{
			Method: http.MethodGet, Path: "/notifications/settings", ID: "getEmailSettings", Tag: "notifications",
			Summary: "Get your choices of emails about notifications. The event settings.changed of the topic me has the same data", Access: rest.Bearer,
			Response: market.EmailSettingsView{}, Handle: h.getEmailSettings,
		},
		{
			Method: http.MethodPut, Path: "/notifications/settings", ID: "setEmails", Tag: "notifications",
			Summary: "Change your choices of emails about notifications", Access: rest.Bearer,
			Body: emailRequest{}, Response: Modified{}, Handle: h.setEmails,
		},
	}
}

func (h handlers) listNotifications(w http.ResponseWriter, r *http.Request) error {
	who, unread := actor(r), 0
	return listing[market.Notification]{
		topic: topicMe(who.User.UID),
		read: func(ctx context.Context, page market.Page) (market.List[market.Notification], error) {
			list, err := h.market.Notifications(ctx, who, page)
			unread = list.Unread
			return list.List, err
		},
		encode: viewed(market.Notification.View), id: func(n market.Notification) string { return n.ID },
		headers: func(header http.Header) { header.Set(unreadHeader, strconv.Itoa(unread)) },
	}.serve(h, w, r)
}

func (h handlers) readNotifications(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[readRequest](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.ReadNotifications(r.Context(), actor(r), in.UpTo, wrong)
	return modified(w, n, err)
}

func (h handlers) getEmailSettings(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return readLive(h, w, r, topicMe(who.User.UID), func(ctx context.Context) (market.EmailSettingsView, error) {
		return h.market.EmailSettings(ctx, who)
	})
}

func (h handlers) setEmails(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[emailRequest](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.SetEmails(r.Context(), actor(r), in.Email, wrong)
	return modified(w, n, err)
}
