package mongo

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// pictureFields are the fields in which there may be a picture's address. Each has an
// index of its own.
var pictureFields = []struct{ collection, field string }{
	{products.name, "entity.img"},
	{products.name, "entity.photos.url"},
	{bookings.name, "entity.img"},
	{reports.name, "entity.img"},
	{brands.name, "entity.img"},
	{accounts.name, "entity.photourl"},
}

// ShowsPicture tells whether a phone, an order, a report, a brand or an account
// shows a picture at one of these addresses.
func (s *Store) ShowsPicture(ctx context.Context, urls []string) (bool, error) {
	how := options.FindOne().SetProjection(bson.D{field("_id", 1)})
	for _, place := range pictureFields {
		filter := bson.D{field(place.field, bson.D{field("$in", urls)})}
		err := s.retry(ctx, "look for a picture", func(ctx context.Context) error {
			return s.db.Collection(place.collection).FindOne(ctx, filter, how).Err()
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
