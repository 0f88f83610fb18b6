package mongo

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// pictureFields has the fields that can contain the URL of a picture. Each has an index.
var pictureFields = []struct{ collection, field string }{
	{products.name, "entity.img"},
	{products.name, "entity.photos.url"},
	{bookings.name, "entity.img"},
	{reports.name, "entity.img"},
	{brands.name, "entity.img"},
	{accounts.name, "entity.photourl"},
}

// ShowsPicture returns whether a phone, an order, a report, a brand or an account refers to a
// picture at one of the URLs.
func (s *Store) ShowsPicture(ctx context.Context, urls []string) (bool, error) {
	opts := options.FindOne().SetProjection(bson.D{field("_id", 1)})
	for _, f := range pictureFields {
		filter := bson.D{field(f.field, bson.D{field("$in", urls)})}
		err := s.retry(ctx, "look for a picture", func(ctx context.Context) error {
			return s.db.Collection(f.collection).FindOne(ctx, filter, opts).Err()
		})
		switch {
		case err == nil:
			return true, nil
		case !errors.Is(err, market.ErrNotFound):
			return false, err
		}
	}
	return false, nil
}
