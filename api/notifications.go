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
	UpTo string `json:"upTo" doc:"The _id of the newest notification that was read"`
}

// emailRequest is the body of PUT /notifications/settings.
type emailRequest struct {
	Email map[string]string `json:"email" doc:"off, now or daily, by kind of notification; the kinds that are left out stay as they are"`
}

const unreadHeader = "X-Unread-Count"

func (h handlers) notifications() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/notifications", ID: "listNotifications", Tag: "notifications",
			Summary: "What the caller was told, newest first; X-Unread-Count tells how many of all are unread",
			Access:  rest.Bearer, IsList: true, Headers: map[string]string{unreadHeader: "How many of all notifications are unread"},
			Response: []market.NotificationView{}, Handle: h.listNotifications,
		},
		{
			Method: http.MethodPut, Path: "/notifications/read", ID: "readNotifications", Tag: "notifications",
			Summary: "Mark all notifications as read, up to one of them", Access: rest.Bearer,
			Body: readRequest{}, Response: Modified{}, ErrorStatuses: []int{http.StatusNotFound}, Handle: h.readNotifications,
		},
		{
			Method: http.MethodGet, Path: "/notifications/settings", ID: "getEmailSettings", Tag: "notifications",
			Summary: "Of which kinds of notifications the caller gets emails; settings.changed on me has the same", Access: rest.Bearer,
			Response: market.EmailSettingsView{}, Handle: h.getEmailSettings,
		},
		{
			Method: http.MethodPut, Path: "/notifications/settings", ID: "setEmails", Tag: "notifications",
			Summary: "Choose of which kinds of notifications to get emails", Access: rest.Bearer,
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
	body, err := rest.ReadBody(w, r)
	if err != nil {
		return err
	}
	n, err := h.market.SetEmails(r.Context(), actor(r), body.Texts("email"), body.Wrong)
	return modified(w, n, err)
}
