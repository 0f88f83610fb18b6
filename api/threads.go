package api

import (
	"context"
	"net/http"
	"strconv"

	"secondring/api/rest"
	"secondring/market"
)

// newThread is the body of POST /threads.
type newThread struct {
	ProductID string `json:"productID" doc:"The _id of the phone"`
	Text      string `json:"text" maxLength:"2000"`
	Key       string `json:"key,omitempty" maxLength:"64" doc:"Any text that you make with the message. For a day, the same call with the same key has the same response and sends nothing"`
	Confirm   bool   `json:"confirm,omitempty" doc:"true sends a text that may have a phone number or the name of a messenger. Without it such a text has status 422 and code contact_warning"`
}

// newMessage is the body of POST /threads/{id}/messages.
type newMessage struct {
	Text    string `json:"text" maxLength:"2000"`
	Key     string `json:"key,omitempty" maxLength:"64" doc:"Any text that you make with the message. For a day, the same call with the same key has the same response and sends nothing"`
	Confirm bool   `json:"confirm,omitempty" doc:"true sends a text that may have a phone number or the name of a messenger. Without it such a text has status 422 and code contact_warning"`
}

// readThread is the body of PUT /threads/{id}/read.
type readThread struct {
	UpTo string `json:"upTo" doc:"The _id of the newest message that was read. Older ones are marked, too"`
}

// newThreadReport is the body of POST /threads/{id}/report.
type newThreadReport struct {
	Reason   string   `json:"reason" maxLength:"1000"`
	Messages []string `json:"messages" doc:"The _id of each reported message, one to ten. The admins see these and two before and after each"`
}

func (h handlers) threads() []rest.Route {
	forbidden, missing := http.StatusForbidden, http.StatusNotFound
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/threads", ID: "startThread", Tag: "messages",
			Summary: "Send a message about a phone to its seller. You have one thread about each phone. An email address before the payment, or a link, has status 422",
			Access:  rest.Bearer, Body: newThread{}, Response: Inserted{}, Handle: h.startThread,
			ErrorStatuses: []int{forbidden, missing, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/threads", ID: "listThreads", Tag: "messages",
			Summary: "List your threads, those with the newest messages first. The topic me has the events thread.changed and message.added",
			Access:  rest.Bearer, IsList: true, Headers: map[string]string{unreadHeader: "Number of threads with unread messages, on all pages"},
			Query: []rest.Param{
				{Name: "productID", Description: "Only those about this phone"},
				{Name: "blocked", Description: "true: only one with each person that you have blocked, all on one page"},
			},
			Response: []market.ThreadView{}, ErrorStatuses: []int{forbidden}, Handle: h.listThreads,
		},
		{
			Method: http.MethodGet, Path: "/threads/{id}", ID: "getThread", Tag: "messages",
			Summary: "Get one of your threads", Access: rest.Bearer,
			Response: market.ThreadView{}, ErrorStatuses: []int{forbidden, missing}, Handle: h.getThread,
		},
		{
			Method: http.MethodGet, Path: "/threads/{id}/messages", ID: "listMessages", Tag: "messages",
			Summary: "List the messages of one of your threads, newest first", Access: rest.Bearer, IsList: true,
			Response: []market.MessageView{}, ErrorStatuses: []int{forbidden, missing}, Handle: h.listMessages,
		},
		{
			Method: http.MethodPost, Path: "/threads/{id}/messages", ID: "sendMessage", Tag: "messages",
			Summary: "Send a message. An email address before the payment, or a link, has status 422", Access: rest.Bearer,
			Body: newMessage{}, Response: Inserted{}, Handle: h.sendMessage,
			ErrorStatuses: []int{forbidden, missing, http.StatusConflict},
		},
		{
			Method: http.MethodPut, Path: "/threads/{id}/read", ID: "readThread", Tag: "messages",
			Summary: "Mark the messages of a thread as read, up to and including one of them", Access: rest.Bearer,
			Body: readThread{}, Response: Modified{}, ErrorStatuses: []int{forbidden, missing}, Handle: h.readThread,
		},
		{
			Method: http.MethodPut, Path: "/threads/{id}/block", ID: "block", Tag: "messages",
			Summary: "Block the other side, in all threads between you. The offers between you end. In the thread of a paid order both can write until it is completed",
			Access:  rest.Bearer, Response: Modified{}, ErrorStatuses: []int{forbidden, missing}, Handle: h.block(true),
		},
		{
			Method: http.MethodDelete, Path: "/threads/{id}/block", ID: "unblock", Tag: "messages",
			Summary: "End a block", Access: rest.Bearer,
			Response: Deleted{}, ErrorStatuses: []int{forbidden, missing}, Handle: h.block(false),
		},
		{
			Method: http.MethodPost, Path: "/threads/{id}/report", ID: "reportThread", Tag: "messages",
			Summary: "Report the other side of a thread to the admins, once", Access: rest.Bearer,
			Body: newThreadReport{}, Response: Inserted{}, Handle: h.reportThread,
			ErrorStatuses: []int{forbidden, missing, http.StatusConflict},
		},
	}
}

func (h handlers) startThread(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newThread](w, r)
	if err != nil {
		return err
	}
	t, err := h.market.StartThread(r.Context(), actor(r), market.MessageRequest{
		ProductID: in.ProductID, Text: in.Text, Key: in.Key, Confirm: in.Confirm, Wrong: wrong,
	})
	return inserted(w, t.ID, err)
}

func (h handlers) listThreads(w http.ResponseWriter, r *http.Request) error {
	who, productID := actor(r), r.URL.Query().Get("productID")
	onlyBlocked := r.URL.Query().Get("blocked") == "true"
	var read market.ThreadList
	return listing[market.ThreadView]{
		topic: topicMe(who.User.UID),
		read: func(ctx context.Context, page market.Page) (list market.List[market.ThreadView], err error) {
			if onlyBlocked {
				list.Items, err = h.market.BlockedThreads(ctx, who)
				list.Total = len(list.Items)
				return list, err
			}
			read, err = h.market.Threads(ctx, who, productID, page)
			return read.List, err
		},
		encode: viewed(func(v market.ThreadView) market.ThreadView { return v }),
		id:     func(market.ThreadView) string { return read.After },
		headers: func(header http.Header) {
			if !onlyBlocked {
				header.Set(unreadHeader, strconv.Itoa(read.Unread))
			}
		},
	}.serve(h, w, r)
}

func (h handlers) getThread(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return readLive(h, w, r, topicMe(who.User.UID), func(ctx context.Context) (market.ThreadView, error) {
		return h.market.Thread(ctx, who, rest.PathValue(r, "id"))
	})
}

func (h handlers) listMessages(w http.ResponseWriter, r *http.Request) error {
	who, id := actor(r), rest.PathValue(r, "id")
	return listing[market.MessageView]{
		topic: topicMe(who.User.UID),
		read: func(ctx context.Context, page market.Page) (market.List[market.MessageView], error) {
			return h.market.Messages(ctx, who, id, page)
		},
		encode: viewed(func(v market.MessageView) market.MessageView { return v }),
		id:     func(v market.MessageView) string { return v.ID },
	}.serve(h, w, r)
}

func (h handlers) sendMessage(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newMessage](w, r)
	if err != nil {
		return err
	}
	v, err := h.market.SendMessage(r.Context(), actor(r), rest.PathValue(r, "id"), market.MessageRequest{
		Text: in.Text, Key: in.Key, Confirm: in.Confirm, Wrong: wrong,
	})
	return inserted(w, v.ID, err)
}

func (h handlers) readThread(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[readThread](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.ReadThread(r.Context(), actor(r), rest.PathValue(r, "id"), in.UpTo, wrong)
	return modified(w, n, err)
}

func (h handlers) block(block bool) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if block {
			n, err := h.market.Block(r.Context(), actor(r), rest.PathValue(r, "id"))
			return modified(w, n, err)
		}
		n, err := h.market.Unblock(r.Context(), actor(r), rest.PathValue(r, "id"))
		return deleted(w, n, err)
	}
}

func (h handlers) reportThread(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newThreadReport](w, r)
	if err != nil {
		return err
	}
	report, err := h.market.ReportThread(r.Context(), actor(r), rest.PathValue(r, "id"), market.ThreadReportRequest{
		Reason: in.Reason, Messages: in.Messages, Wrong: wrong,
	})
	return inserted(w, report.ID, err)
}

// inserted sends the response of a creation.
func inserted(w http.ResponseWriter, id string, err error) error {
	if err == nil {
		rest.JSON(w, http.StatusOK, Inserted{Acknowledged: true, InsertedID: id})
	}
	return err
}
