package sqlite

import (
	"context"

	"secondring/market"
)

// reportColumns are the columns of reports in the order of reportFields.
const reportColumns = "id, product_id, seller_id, reporter_uid, user_name, email, product_name, brand_id, brand, img, reason, " +
	"version, created_at"

var (
	reportTable = newTable("reports", reportColumns)
	reportSwap  = reportTable.swap("report")
	qReport     = query("SELECT " + reportColumns + " FROM reports WHERE id = ?")
	qReportsBy  = query("SELECT " + reportColumns + " FROM reports WHERE reporter_uid = ? AND id < ? ORDER BY id DESC LIMIT 0 + ?")

	reportList = listing[market.Report]{page: query("SELECT " + reportColumns + " FROM reports WHERE id < ? ORDER BY id DESC LIMIT 0 + ?"), fields: reportFields, countName: "reports"}
)

func reportFields(r *market.Report) []any {
	return []any{
		&r.ID, &r.ProductID, &r.SellerID, &r.ReporterUID, &r.UserName, &r.Email, &r.ProductName, &r.BrandID, &r.Brand,
		&r.Img, &r.Reason, &r.Version,
		timeColumn{&r.CreatedAt},
	}
}

// AddReport stores a new report. It returns ErrExists if the reporter has already reported the
// phone, or if the ID exists.
func (s *Store) AddReport(ctx context.Context, r market.Report, events []market.Event) error {
	return reportSwap.add(ctx, s, reportFields(&r), events)
}

// Report returns the report with an ID.
func (s *Store) Report(ctx context.Context, id string) (market.Report, error) {
	return find(ctx, s, "report", qReport, reportFields, id)
}

// Reports lists all reports, newest first.
func (s *Store) Reports(ctx context.Context, page market.Page) (market.List[market.Report], error) {
	return list(ctx, s, reportList, page)
}

// RemoveReport deletes the report with the same ID if the version is one above the stored
// one. Otherwise it returns ErrConflict, or ErrNotFound if none is stored with this ID.
func (s *Store) RemoveReport(ctx context.Context, r market.Report, events []market.Event) error {
	return reportSwap.delete(ctx, s, r.ID, r.Version, events)
}

// ReportsBy returns a page of one person's reports, newest first.
func (s *Store) ReportsBy(ctx context.Context, reporterUID string, page market.Page) ([]market.Report, error) {
	return findPage(ctx, s, "reports by a person", qReportsBy, reportFields, reporterUID, page)
}
