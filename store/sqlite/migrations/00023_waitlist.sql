-- +goose Up
-- The waitlist of a held phone is a part of the phone. Triggers copy it to the table waiters,
-- in which the phones that a person waits for are found.
ALTER TABLE products ADD COLUMN hold_turn INTEGER;
ALTER TABLE products ADD COLUMN waitlist TEXT;

CREATE TABLE waiters (
  uid     TEXT NOT NULL,
  product TEXT NOT NULL,
  PRIMARY KEY (uid, product)
) STRICT, WITHOUT ROWID;
CREATE INDEX waiters_product ON waiters (product);

-- +goose StatementBegin
CREATE TRIGGER waiters_enter AFTER INSERT ON products WHEN NEW.waitlist IS NOT NULL
BEGIN
  INSERT INTO waiters (uid, product) SELECT value ->> 'uid', NEW.id FROM json_each(NEW.waitlist);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER waiters_change AFTER UPDATE OF waitlist ON products WHEN OLD.waitlist IS NOT NEW.waitlist
BEGIN
  DELETE FROM waiters WHERE product = OLD.id;
  INSERT INTO waiters (uid, product) SELECT value ->> 'uid', NEW.id FROM json_each(NEW.waitlist);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER waiters_leave AFTER DELETE ON products WHEN OLD.waitlist IS NOT NULL
BEGIN
  DELETE FROM waiters WHERE product = OLD.id;
END;
-- +goose StatementEnd
