package sqlite

import (
	"context"
	"encoding/json"
)

// qShowPicture has one statement for each place that may show a picture. Triggers of products
// fill product_pictures with the URLs of its photos.
var qShowPicture = []*statement{
	query(`SELECT 1 FROM product_pictures WHERE url IN (SELECT value FROM json_each(?)) LIMIT 1`),
	query(`SELECT 1 FROM bookings WHERE img IN (SELECT value FROM json_each(?)) LIMIT 1`),
	query(`SELECT 1 FROM reports WHERE img IN (SELECT value FROM json_each(?)) LIMIT 1`),
	query(`SELECT 1 FROM brands WHERE img IN (SELECT value FROM json_each(?)) LIMIT 1`),
	query(`SELECT 1 FROM accounts WHERE photo_url IN (SELECT value FROM json_each(?)) AND photo_url <> '' LIMIT 1`),
}

// ShowsPicture tells whether a phone, an order, a report, a brand or an account
// shows a picture at one of these addresses.
func (s *Store) ShowsPicture(ctx context.Context, urls []string) (shown bool, err error) {
	list, err := json.Marshal(urls)
	if err != nil {
		return false, err
	}
	err = s.read(ctx, "look for a picture", func(c *conn) (err error) {
		for _, q := range qShowPicture {
			if shown, err = c.has(q, string(list)); shown || err != nil {
				return err
			}
		}
		return nil
	})
	return shown, err
}
