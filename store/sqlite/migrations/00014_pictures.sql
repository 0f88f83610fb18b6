-- +goose Up
-- The image host's janitor deletes pictures that no phone, order, report, brand or account
-- shows. Of a phone's photos, product_pictures has those that the built-in image host may
-- have stored.
CREATE TABLE product_pictures (
  url        TEXT NOT NULL,
  product_id TEXT NOT NULL,
  PRIMARY KEY (url, product_id)
) STRICT, WITHOUT ROWID;

INSERT INTO product_pictures (url, product_id)
SELECT img, id FROM products WHERE instr(img, '/images/') > 0
UNION
SELECT json_extract(photo.value, '$.url'), p.id FROM products p, json_each(p.photos) photo
WHERE instr(json_extract(photo.value, '$.url'), '/images/') > 0;

-- +goose StatementBegin
CREATE TRIGGER pictures_enter AFTER INSERT ON products
BEGIN
  INSERT OR IGNORE INTO product_pictures (url, product_id)
  SELECT NEW.img, NEW.id WHERE instr(NEW.img, '/images/') > 0
  UNION ALL
  SELECT json_extract(value, '$.url'), NEW.id FROM json_each(NEW.photos)
  WHERE instr(json_extract(value, '$.url'), '/images/') > 0;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER pictures_leave AFTER DELETE ON products
BEGIN
  DELETE FROM product_pictures WHERE product_id = OLD.id AND url IN (
    SELECT OLD.img UNION ALL SELECT json_extract(value, '$.url') FROM json_each(OLD.photos));
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER pictures_move AFTER UPDATE OF img, photos ON products
WHEN (OLD.img, OLD.photos) IS NOT (NEW.img, NEW.photos)
BEGIN
  DELETE FROM product_pictures WHERE product_id = OLD.id AND url IN (
    SELECT OLD.img UNION ALL SELECT json_extract(value, '$.url') FROM json_each(OLD.photos));
  INSERT OR IGNORE INTO product_pictures (url, product_id)
  SELECT NEW.img, NEW.id WHERE instr(NEW.img, '/images/') > 0
  UNION ALL
  SELECT json_extract(value, '$.url'), NEW.id FROM json_each(NEW.photos)
  WHERE instr(json_extract(value, '$.url'), '/images/') > 0;
END;
-- +goose StatementEnd

CREATE INDEX bookings_img   ON bookings (img);
CREATE INDEX reports_img    ON reports (img);
CREATE INDEX brands_img     ON brands (img);
CREATE INDEX accounts_photo ON accounts (photo_url) WHERE photo_url <> '';
