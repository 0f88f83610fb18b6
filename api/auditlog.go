package api

import (
	"context"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// auditLog returns the route of the audit log. It is read-only.
func (h handlers) auditLog() []rest.Route {
	return []rest.Route{{
		Method: http.MethodGet, Path: "/auditLog", ID: "listAuditLog", Tag: "auditLog",
		Summary: "List the audit log: what admins and the operator did (admins only)", Access: rest.Bearer, IsList: true,
		Response: []market.AuditEntryView{}, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.listAuditLog,
	}}
}

func (h handlers) listAuditLog(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return listing[market.AuditEntry]{
		topic: topicAdmin(r),
		read: func(ctx context.Context, page market.Page) (market.List[market.AuditEntry], error) {
			return h.market.AuditLog(ctx, who, page)
		},
		encode: viewed(market.AuditEntry.View), id: func(entry market.AuditEntry) string { return entry.ID },
	}.serve(h, w, r)
}
