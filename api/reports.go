package api

import (
	"context"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// newReport is the body of POST /reportedItems. The fields other than productID and reason
// are optional and must agree with the store.
type newReport struct {
	ProductID   string `json:"productID" doc:"The _id of the phone"`
	ProductName string `json:"productName,omitempty" doc:"Optional; if sent, it must equal the stored value, ignoring case"`
	BrandID     string `json:"id,omitempty" doc:"The _id of the brand. Optional; if sent, it must equal the stored value, ignoring case"`
	Brand       string `json:"brand,omitempty" doc:"Name of the brand. Optional; if sent, it must equal the stored value, ignoring case"`
	Img         string `json:"img,omitempty" doc:"Ignored"`
	UserName    string `json:"userName,omitempty" doc:"Your name. Optional; if sent, it must equal the stored value, ignoring case"`
	Email       string `json:"email,omitempty" doc:"Optional; if sent, it must be your email address"`
	Reason      string `json:"reason" maxLength:"4000"`
	Key         string `json:"key,omitempty" maxLength:"64" doc:"Any text that you make with the form. For a day, the same call with the same key has the same response and creates nothing"`
}

func (h handlers) reports() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/reportedItems", ID: "report", Tag: "reports",
			Summary: "Report a phone to the admins. You can report a phone once", Access: rest.Bearer,
			Body: newReport{}, Response: Inserted{}, Fail: rest.FailWrite, Handle: h.addReport,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/reportedItems", ID: "listReports", Tag: "reports",
			Summary: "List all reports (admins only)", Access: rest.Bearer, IsList: true,
			Response: []market.ReportView{}, ErrorStatuses: []int{http.StatusForbidden}, Fail: rest.FailWrite, Handle: h.listReports,
		},
		{
			Method: http.MethodDelete, Path: "/reportedItems/{id}", ID: "removeReport", Tag: "reports",
			Summary: "Close a report (admins only). It is deleted", Access: rest.Bearer,
			Response: Deleted{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound}, Fail: rest.FailWrite, Handle: h.removeReport,
		},
	}
}

func (h handlers) addReport(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newReport](w, r)
	if err != nil {
		return err
	}
	report, err := h.market.AddReport(r.Context(), actor(r), market.ReportRequest{
		ProductID: in.ProductID, ProductName: in.ProductName, BrandID: in.BrandID, Brand: in.Brand,
		UserName: in.UserName, Email: in.Email, Reason: in.Reason, Key: in.Key, Wrong: wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Inserted{Acknowledged: true, InsertedID: report.ID})
	return nil
}

func (h handlers) listReports(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return listing[market.ReportView]{
		topic: topicAdmin(r),
		read: func(ctx context.Context, page market.Page) (market.List[market.ReportView], error) {
			return h.market.Reports(ctx, who, page)
		},
		encode: viewed(func(v market.ReportView) market.ReportView { return v }),
		id:     func(v market.ReportView) string { return v.ID },
	}.serve(h, w, r)
}

func (h handlers) removeReport(w http.ResponseWriter, r *http.Request) error {
	n, err := h.market.RemoveReport(r.Context(), actor(r), rest.PathValue(r, "id"))
	return deleted(w, n, err)
}
