package sqlite

import (
	"context"
	"encoding/json"
)

// qPictureReferences contains one statement for each table that may refer to a picture. Triggers
// of products fill product_pictures with the URLs of the photos of each phone.
var qPictureReferences = []*statement{
	query(`SELECT 1 FROM product_pictures WHERE url IN (SELECT value FROM json_each(?)) LIMIT 1`),
	query(`SELECT 1 FROM bookings WHERE img IN (SELECT value FROM json_each(?)) LIMIT 1`),
	query(`SELECT 1 FROM reports WHERE img IN (SELECT value FROM json_each(?)) LIMIT 1`),
	query(`SELECT 1 FROM brands WHERE img IN (SELECT value FROM json_each(?)) LIMIT 1`),
	query(`SELECT 1 FROM accounts WHERE photo_url IN (SELECT value FROM json_each(?)) AND photo_url <> '' LIMIT 1`),
}

// ShowsPicture returns whether a phone, an order, a report, a brand or an account refers to a
// picture at one of the URLs.
func (s *Store) ShowsPicture(ctx context.Context, urls []string) (shown bool, err error) {
	encoded, err := json.Marshal(urls)
	if err != nil {
		return false, err
	}
	err = s.read(ctx, "look for a picture", func(c *conn) (err error) {
		for _, q := range qPictureReferences {
			if shown, err = c.has(q, string(encoded)); shown || err != nil {
				return err
			}
		}
		return nil
	})
	return shown, err
}
