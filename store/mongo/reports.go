package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

var reports = kind[market.Report]{
	name: "reports", singular: "report",
	id:      func(r market.Report) any { return r.ID },
	version: func(r market.Report) int64 { return r.Version },
	keys: func(r market.Report) bson.D {
		return bson.D{field("new", r.ID), field("phone", r.ProductID), field("reporter", r.ReporterUID)}
	},
	shard: func(r market.Report) bson.D { return bson.D{field("phone", r.ProductID)} },
}

// AddReport stores a new report. It returns ErrExists if the ID exists, or this reporter has
// already reported this phone.
func (s *Store) AddReport(ctx context.Context, r market.Report, events []market.Event) error {
	return reports.add(ctx, s, r, events)
}

// Report returns the report with an ID.
func (s *Store) Report(ctx context.Context, id string) (market.Report, error) {
	return reports.get(ctx, s, id)
}

// Reports returns a page of all reports, newest first, and the number of all.
func (s *Store) Reports(ctx context.Context, page market.Page) (market.List[market.Report], error) {
	return reports.list(ctx, s, nil, page)
}

// RemoveReport deletes the report with the ID of r. The version of r must be one above the
// stored version.
func (s *Store) RemoveReport(ctx context.Context, r market.Report, events []market.Event) error {
	return reports.remove(ctx, s, r, events)
}

// ReportsBy returns a page of one person's reports, newest first.
func (s *Store) ReportsBy(ctx context.Context, reporterUID string, page market.Page) ([]market.Report, error) {
	return reports.collectBy(ctx, s, reporterKey, reporterUID, "keys.new", page)
}
