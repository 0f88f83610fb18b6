-- +goose Up
-- These triggers update the table counts. Those named …_enter and …_leave run when a row is
-- inserted or deleted. Those named …_move_out and …_move_in run when a change moves a row from
-- one list to another.

-- +goose StatementBegin
CREATE TRIGGER users_enter AFTER INSERT ON users
WHEN NEW.admin = 0 AND NEW.removed = 0
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('users', NEW.account_type, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER users_leave AFTER DELETE ON users
WHEN OLD.admin = 0 AND OLD.removed = 0
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'users' AND scope = OLD.account_type;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER users_move_out AFTER UPDATE OF account_type, admin, removed ON users
WHEN OLD.admin = 0 AND OLD.removed = 0
  AND (OLD.account_type, OLD.admin, OLD.removed) IS NOT (NEW.account_type, NEW.admin, NEW.removed)
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'users' AND scope = OLD.account_type;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER users_move_in AFTER UPDATE OF account_type, admin, removed ON users
WHEN NEW.admin = 0 AND NEW.removed = 0
  AND (OLD.account_type, OLD.admin, OLD.removed) IS NOT (NEW.account_type, NEW.admin, NEW.removed)
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('users', NEW.account_type, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER brands_enter AFTER INSERT ON brands
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('brands', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER brands_leave AFTER DELETE ON brands
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'brands' AND scope = '';
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER brand_enter AFTER INSERT ON products
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('brand', NEW.brand_id, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER brand_leave AFTER DELETE ON products
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'brand' AND scope = OLD.brand_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER brand_move_out AFTER UPDATE OF brand_id ON products
WHEN OLD.brand_id IS NOT NEW.brand_id
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'brand' AND scope = OLD.brand_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER brand_move_in AFTER UPDATE OF brand_id ON products
WHEN OLD.brand_id IS NOT NEW.brand_id
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('brand', NEW.brand_id, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER seller_enter AFTER INSERT ON products
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('seller', NEW.seller_uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER seller_leave AFTER DELETE ON products
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'seller' AND scope = OLD.seller_uid;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER seller_move_out AFTER UPDATE OF seller_uid ON products
WHEN OLD.seller_uid IS NOT NEW.seller_uid
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'seller' AND scope = OLD.seller_uid;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER seller_move_in AFTER UPDATE OF seller_uid ON products
WHEN OLD.seller_uid IS NOT NEW.seller_uid
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('seller', NEW.seller_uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER advertised_enter AFTER INSERT ON products
WHEN NEW.advertised = 1 AND NEW.hold_booking IS NULL
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('advertised', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER advertised_leave AFTER DELETE ON products
WHEN OLD.advertised = 1 AND OLD.hold_booking IS NULL
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'advertised' AND scope = '';
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER advertised_move_out AFTER UPDATE OF advertised, hold_booking ON products
WHEN OLD.advertised = 1 AND OLD.hold_booking IS NULL
  AND (OLD.advertised, OLD.hold_booking) IS NOT (NEW.advertised, NEW.hold_booking)
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'advertised' AND scope = '';
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER advertised_move_in AFTER UPDATE OF advertised, hold_booking ON products
WHEN NEW.advertised = 1 AND NEW.hold_booking IS NULL
  AND (OLD.advertised, OLD.hold_booking) IS NOT (NEW.advertised, NEW.hold_booking)
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('advertised', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bookings_enter AFTER INSERT ON bookings
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('bookings', NEW.buyer_uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bookings_leave AFTER DELETE ON bookings
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'bookings' AND scope = OLD.buyer_uid;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bookings_move_out AFTER UPDATE OF buyer_uid ON bookings
WHEN OLD.buyer_uid IS NOT NEW.buyer_uid
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'bookings' AND scope = OLD.buyer_uid;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bookings_move_in AFTER UPDATE OF buyer_uid ON bookings
WHEN OLD.buyer_uid IS NOT NEW.buyer_uid
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('bookings', NEW.buyer_uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reports_enter AFTER INSERT ON reports
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('reports', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reports_leave AFTER DELETE ON reports
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'reports' AND scope = '';
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER free_enter AFTER INSERT ON products
WHEN NEW.hold_booking IS NULL AND NEW.sold = 0
BEGIN
  UPDATE brands SET free = free + 1 WHERE id = NEW.brand_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER free_leave AFTER DELETE ON products
WHEN OLD.hold_booking IS NULL AND OLD.sold = 0
BEGIN
  UPDATE brands SET free = free - 1 WHERE id = OLD.brand_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER free_move_out AFTER UPDATE OF brand_id, hold_booking, sold ON products
WHEN OLD.hold_booking IS NULL AND OLD.sold = 0
  AND (OLD.brand_id, OLD.hold_booking, OLD.sold) IS NOT (NEW.brand_id, NEW.hold_booking, NEW.sold)
BEGIN
  UPDATE brands SET free = free - 1 WHERE id = OLD.brand_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER free_move_in AFTER UPDATE OF brand_id, hold_booking, sold ON products
WHEN NEW.hold_booking IS NULL AND NEW.sold = 0
  AND (OLD.brand_id, OLD.hold_booking, OLD.sold) IS NOT (NEW.brand_id, NEW.hold_booking, NEW.sold)
BEGIN
  UPDATE brands SET free = free + 1 WHERE id = NEW.brand_id;
END;
-- +goose StatementEnd
