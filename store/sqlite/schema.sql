-- The tables after all migrations. "make generate" writes this file.

CREATE TABLE accounts (
  uid           TEXT    NOT NULL PRIMARY KEY,
  email         TEXT    NOT NULL,
  email_key     TEXT    NOT NULL UNIQUE,
  password_hash TEXT    NOT NULL,
  google_sub    TEXT    NOT NULL,
  display_name  TEXT    NOT NULL,
  photo_url     TEXT    NOT NULL,
  removed       INTEGER NOT NULL CHECK (removed IN (0, 1)),
  version       INTEGER NOT NULL,
  created_at    INTEGER
, unproven INTEGER NOT NULL DEFAULT 0, links TEXT, devices TEXT, restored_at INTEGER, second_factor TEXT, credentials_version INTEGER NOT NULL DEFAULT 0, kept_session TEXT NOT NULL DEFAULT '', restored_from INTEGER) STRICT;
CREATE UNIQUE INDEX accounts_google ON accounts (google_sub) WHERE google_sub <> '';
CREATE INDEX accounts_photo ON accounts (photo_url) WHERE photo_url <> '';

CREATE TABLE "audit_log" (
  id          TEXT    NOT NULL PRIMARY KEY,
  at          INTEGER,
  actor_id   TEXT    NOT NULL,
  actor       TEXT    NOT NULL,
  deed        TEXT    NOT NULL,
  target      TEXT    NOT NULL,
  target_id   TEXT    NOT NULL,
  concern_id TEXT    NOT NULL
) STRICT;
CREATE INDEX audit_log_actor   ON audit_log (actor_id) WHERE actor_id <> '';
CREATE INDEX audit_log_at      ON audit_log (at);
CREATE INDEX audit_log_concern ON audit_log (concern_id, id);
CREATE INDEX audit_log_target  ON audit_log (target_id);

CREATE TRIGGER audit_log_enter AFTER INSERT ON audit_log
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('audit_log', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER audit_log_leave AFTER DELETE ON audit_log
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'audit_log' AND scope = '';
END;

CREATE TABLE bookings (
  id           TEXT    NOT NULL PRIMARY KEY,
  buyer_uid    TEXT    NOT NULL,
  user_name    TEXT    NOT NULL,
  email        TEXT    NOT NULL,
  product_id   TEXT    NOT NULL,
  seller_uid   TEXT    NOT NULL,
  product_name TEXT    NOT NULL,
  brand_id     TEXT    NOT NULL,
  brand        TEXT    NOT NULL,
  img          TEXT    NOT NULL,
  price        INTEGER NOT NULL,
  phone        TEXT    NOT NULL,
  location     TEXT    NOT NULL,
  status       TEXT    NOT NULL,
  hold_until   INTEGER,
  closing      TEXT    NOT NULL,
  due          INTEGER,
  ended_at     INTEGER,
  version      INTEGER NOT NULL,
  created_at   INTEGER
, intent     TEXT    NOT NULL DEFAULT '', intent_at  INTEGER, attempt    INTEGER NOT NULL DEFAULT 0, closing_at INTEGER, terms_version INTEGER NOT NULL DEFAULT 0, seller TEXT, network TEXT NOT NULL DEFAULT '', turn INTEGER NOT NULL DEFAULT 0, fulfilment TEXT, state TEXT AS (
  CASE WHEN fulfilment IS NOT NULL THEN fulfilment ->> 'state' WHEN status = 'paid' THEN 'settled' ELSE '' END), commission INTEGER NOT NULL DEFAULT 0, payout TEXT, payout_state TEXT NOT NULL DEFAULT '', dispute TEXT) STRICT;
CREATE INDEX bookings_buyer ON bookings (buyer_uid, id);
CREATE INDEX bookings_due     ON bookings (due, id) WHERE intent = ''  AND due IS NOT NULL;
CREATE INDEX bookings_ended ON bookings (ended_at)
  WHERE status IN ('expired', 'cancelled') AND due IS NULL AND ended_at IS NOT NULL;
CREATE INDEX bookings_held  ON bookings (buyer_uid, id) WHERE status = 'held';
CREATE INDEX bookings_img   ON bookings (img);
CREATE INDEX bookings_intents ON bookings (due, id) WHERE intent <> '' AND due IS NOT NULL;
CREATE INDEX bookings_network ON bookings (network) WHERE status = 'held' AND network <> '';
CREATE INDEX bookings_payout ON bookings (payout_state, id) WHERE payout_state <> '';
CREATE INDEX bookings_phone ON bookings (buyer_uid, product_id, id);
CREATE INDEX bookings_seller ON bookings (seller_uid, id);
CREATE INDEX bookings_state ON bookings (state, id);
CREATE INDEX bookings_status ON bookings (status, id);

CREATE TRIGGER bookings_enter AFTER INSERT ON bookings
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('bookings', NEW.buyer_uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER bookings_leave AFTER DELETE ON bookings
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'bookings' AND scope = OLD.buyer_uid;
END;

CREATE TRIGGER bookings_move_in AFTER UPDATE OF buyer_uid ON bookings
WHEN OLD.buyer_uid IS NOT NEW.buyer_uid
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('bookings', NEW.buyer_uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER bookings_move_out AFTER UPDATE OF buyer_uid ON bookings
WHEN OLD.buyer_uid IS NOT NEW.buyer_uid
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'bookings' AND scope = OLD.buyer_uid;
END;

CREATE TABLE brands (
  id         TEXT    NOT NULL PRIMARY KEY,
  name       TEXT    NOT NULL,
  name_key   TEXT    NOT NULL UNIQUE,
  img        TEXT    NOT NULL,
  version    INTEGER NOT NULL,
  created_at INTEGER,
  available       INTEGER NOT NULL DEFAULT 0 CHECK (available >= 0)
) STRICT;
CREATE INDEX brands_available ON brands (available DESC, name_key);
CREATE INDEX brands_img     ON brands (img);

CREATE TRIGGER brands_enter AFTER INSERT ON brands
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('brands', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER brands_leave AFTER DELETE ON brands
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'brands' AND scope = '';
END;

CREATE TABLE counts (
  list  TEXT    NOT NULL,
  scope TEXT    NOT NULL,
  n     INTEGER NOT NULL CHECK (n >= 0),
  PRIMARY KEY (list, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
  id         TEXT NOT NULL PRIMARY KEY,
  booking_id TEXT NOT NULL,
  seller_uid TEXT NOT NULL,
  buyer_uid  TEXT NOT NULL,
  kind       TEXT NOT NULL,
  cents      INTEGER NOT NULL,
  reference  TEXT NOT NULL,
  at         INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_booking ON ledger (booking_id, id);
CREATE INDEX ledger_seller ON ledger (seller_uid, id);

CREATE TABLE meta (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notifications (
  id      TEXT    NOT NULL PRIMARY KEY,
  uid     TEXT    NOT NULL,
  kind    TEXT    NOT NULL,
  text    TEXT    NOT NULL,
  link    TEXT    NOT NULL,
  cause   TEXT    NOT NULL,
  at      INTEGER,
  read_at INTEGER,
  version INTEGER NOT NULL
, subject TEXT NOT NULL DEFAULT '', email TEXT NOT NULL DEFAULT '', email_due INTEGER, product_id TEXT NOT NULL DEFAULT '', matches TEXT) STRICT;
CREATE INDEX notifications_at     ON notifications (at);
CREATE UNIQUE INDEX notifications_cause ON notifications (uid, cause);
CREATE INDEX notifications_email_due ON notifications (email_due, id) WHERE email_due IS NOT NULL;
CREATE INDEX notifications_uid    ON notifications (uid, id);
CREATE INDEX notifications_unread ON notifications (uid, id) WHERE read_at IS NULL;

CREATE TRIGGER notifications_enter AFTER INSERT ON notifications
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('notifications', NEW.uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER notifications_leave AFTER DELETE ON notifications
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'notifications' AND scope = OLD.uid;
END;

CREATE TABLE "outbox" (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of the commits; no number is used twice
  topic   TEXT    NOT NULL,
  type    TEXT    NOT NULL,
  entity  TEXT    NOT NULL,
  version INTEGER NOT NULL,
  at      INTEGER,                           -- milliseconds since 1970
  data    TEXT    NOT NULL                   -- JSON; '' for none
) STRICT;

CREATE TABLE payments (
  id             TEXT    NOT NULL PRIMARY KEY,
  transaction_id TEXT    NOT NULL UNIQUE,
  booking_id     TEXT    NOT NULL,
  product_id     TEXT    NOT NULL,
  buyer_uid      TEXT    NOT NULL,
  email          TEXT    NOT NULL,
  price          INTEGER NOT NULL,
  outcome        TEXT    NOT NULL,
  refunded_at    INTEGER,
  version        INTEGER NOT NULL,
  created_at     INTEGER
, seller_uid TEXT NOT NULL DEFAULT '', in_ledger INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX payments_buyer   ON payments (buyer_uid, id);

CREATE TABLE product_pictures (
  url        TEXT NOT NULL,
  product_id TEXT NOT NULL,
  PRIMARY KEY (url, product_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE products (
  id             TEXT    NOT NULL PRIMARY KEY,
  brand_id       TEXT    NOT NULL REFERENCES brands (id),
  brand          TEXT    NOT NULL,
  name           TEXT    NOT NULL,
  img            TEXT    NOT NULL,
  original_price INTEGER NOT NULL,
  resale_price   INTEGER NOT NULL,
  used_time      TEXT    NOT NULL,
  condition      TEXT    NOT NULL,
  description    TEXT    NOT NULL,
  seller_uid     TEXT    NOT NULL,
  seller_name    TEXT    NOT NULL,
  seller_email   TEXT    NOT NULL,
  location       TEXT    NOT NULL,
  phone          TEXT    NOT NULL,
  posted_on      TEXT    NOT NULL,
  verified       INTEGER NOT NULL CHECK (verified IN (0, 1)),
  advertised     INTEGER NOT NULL CHECK (advertised IN (0, 1)),
  sold           INTEGER NOT NULL CHECK (sold IN (0, 1)),
  version        INTEGER NOT NULL,
  created_at     INTEGER,
  hold_booking   TEXT, -- NULL, as all columns hold_…, if the phone is not booked
  hold_buyer     TEXT,
  hold_name      TEXT,
  hold_email     TEXT,
  hold_phone     TEXT,
  hold_location  TEXT,
  hold_at        INTEGER,
  hold_until     INTEGER
, hold_transaction TEXT, photos TEXT, terms_version INTEGER NOT NULL DEFAULT 0, storage INTEGER NOT NULL DEFAULT 0, hold_turn INTEGER, waitlist TEXT, hold_network TEXT, hold_refunded INTEGER, edited_version INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX products_advertised ON products (id) WHERE advertised = 1 AND hold_booking IS NULL;
CREATE INDEX products_available ON products (brand_id, resale_price) WHERE hold_booking IS NULL AND sold = 0;
CREATE INDEX products_brand      ON products (brand_id, id);
CREATE INDEX products_held       ON products (hold_at, id) WHERE hold_at IS NOT NULL AND sold = 0;
CREATE INDEX products_seller     ON products (seller_uid, id);

CREATE TRIGGER advertised_enter AFTER INSERT ON products
WHEN NEW.advertised = 1 AND NEW.hold_booking IS NULL
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('advertised', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER advertised_leave AFTER DELETE ON products
WHEN OLD.advertised = 1 AND OLD.hold_booking IS NULL
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'advertised' AND scope = '';
END;

CREATE TRIGGER advertised_move_in AFTER UPDATE OF advertised, hold_booking ON products
WHEN NEW.advertised = 1 AND NEW.hold_booking IS NULL
  AND (OLD.advertised, OLD.hold_booking) IS NOT (NEW.advertised, NEW.hold_booking)
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('advertised', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER advertised_move_out AFTER UPDATE OF advertised, hold_booking ON products
WHEN OLD.advertised = 1 AND OLD.hold_booking IS NULL
  AND (OLD.advertised, OLD.hold_booking) IS NOT (NEW.advertised, NEW.hold_booking)
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'advertised' AND scope = '';
END;

CREATE TRIGGER available_enter AFTER INSERT ON products
WHEN NEW.hold_booking IS NULL AND NEW.sold = 0
BEGIN
  UPDATE brands SET available = available + 1 WHERE id = NEW.brand_id;
END;

CREATE TRIGGER available_leave AFTER DELETE ON products
WHEN OLD.hold_booking IS NULL AND OLD.sold = 0
BEGIN
  UPDATE brands SET available = available - 1 WHERE id = OLD.brand_id;
END;

CREATE TRIGGER available_move_in AFTER UPDATE OF brand_id, hold_booking, sold ON products
WHEN NEW.hold_booking IS NULL AND NEW.sold = 0
  AND (OLD.brand_id, OLD.hold_booking, OLD.sold) IS NOT (NEW.brand_id, NEW.hold_booking, NEW.sold)
BEGIN
  UPDATE brands SET available = available + 1 WHERE id = NEW.brand_id;
END;

CREATE TRIGGER available_move_out AFTER UPDATE OF brand_id, hold_booking, sold ON products
WHEN OLD.hold_booking IS NULL AND OLD.sold = 0
  AND (OLD.brand_id, OLD.hold_booking, OLD.sold) IS NOT (NEW.brand_id, NEW.hold_booking, NEW.sold)
BEGIN
  UPDATE brands SET available = available - 1 WHERE id = OLD.brand_id;
END;

CREATE TRIGGER brand_enter AFTER INSERT ON products
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('brand', NEW.brand_id, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER brand_leave AFTER DELETE ON products
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'brand' AND scope = OLD.brand_id;
END;

CREATE TRIGGER brand_move_in AFTER UPDATE OF brand_id ON products
WHEN OLD.brand_id IS NOT NEW.brand_id
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('brand', NEW.brand_id, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER brand_move_out AFTER UPDATE OF brand_id ON products
WHEN OLD.brand_id IS NOT NEW.brand_id
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'brand' AND scope = OLD.brand_id;
END;

CREATE TRIGGER pictures_enter AFTER INSERT ON products
BEGIN
  INSERT OR IGNORE INTO product_pictures (url, product_id)
  SELECT NEW.img, NEW.id WHERE instr(NEW.img, '/images/') > 0
  UNION ALL
  SELECT json_extract(value, '$.url'), NEW.id FROM json_each(NEW.photos)
  WHERE instr(json_extract(value, '$.url'), '/images/') > 0;
END;

CREATE TRIGGER pictures_leave AFTER DELETE ON products
BEGIN
  DELETE FROM product_pictures WHERE product_id = OLD.id AND url IN (
    SELECT OLD.img UNION ALL SELECT json_extract(value, '$.url') FROM json_each(OLD.photos));
END;

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

CREATE TRIGGER products_enter AFTER INSERT ON products
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('products', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER products_leave AFTER DELETE ON products
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'products' AND scope = '';
END;

CREATE TRIGGER search_stale_change AFTER UPDATE OF brand_id, brand, name, description, location,
  original_price, resale_price, storage, condition, verified, hold_booking, sold ON products
WHEN (OLD.hold_booking, OLD.sold, OLD.resale_price, OLD.original_price, OLD.verified, OLD.condition, OLD.storage, OLD.name,
      OLD.description, OLD.location, OLD.brand_id, OLD.brand)
  IS NOT (NEW.hold_booking, NEW.sold, NEW.resale_price, NEW.original_price, NEW.verified, NEW.condition, NEW.storage, NEW.name,
      NEW.description, NEW.location, NEW.brand_id, NEW.brand)
BEGIN
  INSERT INTO search_stale (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER search_stale_enter AFTER INSERT ON products
BEGIN
  INSERT INTO search_stale (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER search_stale_leave AFTER DELETE ON products
BEGIN
  INSERT INTO search_stale (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER seller_enter AFTER INSERT ON products
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('seller', NEW.seller_uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER seller_leave AFTER DELETE ON products
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'seller' AND scope = OLD.seller_uid;
END;

CREATE TRIGGER seller_move_in AFTER UPDATE OF seller_uid ON products
WHEN OLD.seller_uid IS NOT NEW.seller_uid
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('seller', NEW.seller_uid, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER seller_move_out AFTER UPDATE OF seller_uid ON products
WHEN OLD.seller_uid IS NOT NEW.seller_uid
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'seller' AND scope = OLD.seller_uid;
END;

CREATE TRIGGER waiters_change AFTER UPDATE OF waitlist ON products WHEN OLD.waitlist IS NOT NEW.waitlist
BEGIN
  DELETE FROM waiters WHERE product = OLD.id;
  INSERT INTO waiters (uid, product) SELECT value ->> 'uid', NEW.id FROM json_each(NEW.waitlist);
END;

CREATE TRIGGER waiters_enter AFTER INSERT ON products WHEN NEW.waitlist IS NOT NULL
BEGIN
  INSERT INTO waiters (uid, product) SELECT value ->> 'uid', NEW.id FROM json_each(NEW.waitlist);
END;

CREATE TRIGGER waiters_leave AFTER DELETE ON products WHEN OLD.waitlist IS NOT NULL
BEGIN
  DELETE FROM waiters WHERE product = OLD.id;
END;

CREATE TABLE records (
  kind    TEXT    NOT NULL,
  id      TEXT    NOT NULL,
  data    BLOB    NOT NULL,
  due     INTEGER,
  expires INTEGER,
  version INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX records_due     ON records (kind, due, id) WHERE due IS NOT NULL;
CREATE INDEX records_expires ON records (expires)       WHERE expires IS NOT NULL;

CREATE TABLE reports (
  id           TEXT    NOT NULL PRIMARY KEY,
  product_id   TEXT    NOT NULL,
  reporter_uid TEXT    NOT NULL,
  user_name    TEXT    NOT NULL,
  email        TEXT    NOT NULL,
  product_name TEXT    NOT NULL,
  brand_id     TEXT    NOT NULL,
  brand        TEXT    NOT NULL,
  img          TEXT    NOT NULL,
  reason       TEXT    NOT NULL,
  version      INTEGER NOT NULL,
  created_at   INTEGER, seller_id TEXT NOT NULL DEFAULT '',
  UNIQUE (product_id, reporter_uid)
) STRICT;
CREATE INDEX reports_img    ON reports (img);
CREATE INDEX reports_reporter ON reports (reporter_uid, id);

CREATE TRIGGER reports_enter AFTER INSERT ON reports
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('reports', '', 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER reports_leave AFTER DELETE ON reports
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'reports' AND scope = '';
END;

CREATE VIRTUAL TABLE search USING fts5 (
  words, content = 'search_text', content_rowid = 'seq',
  tokenize = "ascii tokenchars '@='", detail = none, columnsize = 0, prefix = '1 2 3'
);

CREATE TABLE "search_entries" (
  seq      INTEGER NOT NULL PRIMARY KEY, -- the rowid of the full-text index; VACUUM does not change it, unlike a hidden rowid
  id       TEXT    NOT NULL,
  brand_id TEXT    NOT NULL,
  price    INTEGER NOT NULL,
  negative_price    INTEGER NOT NULL, -- the negative price, so that every order is descending in key and id
  saving   INTEGER NOT NULL,
  facets   INTEGER NOT NULL  -- one bit for each value of each filter
, availability INTEGER NOT NULL DEFAULT 2) STRICT;
CREATE INDEX search_entries_available       ON search_entries (availability, id, price, facets);
CREATE INDEX search_entries_brand_available ON search_entries (brand_id, availability, id, price, facets);
CREATE INDEX search_entries_brand_newest     ON search_entries (brand_id, id, price, facets);
CREATE INDEX search_entries_brand_price_down ON search_entries (brand_id, price, id, facets);
CREATE INDEX search_entries_brand_price_up   ON search_entries (brand_id, negative_price, id, price, facets);
CREATE INDEX search_entries_brand_saving     ON search_entries (brand_id, saving, id, price, facets);
CREATE INDEX search_entries_newest           ON search_entries (id, price, facets);
CREATE INDEX search_entries_price_down       ON search_entries (price, id, facets);
CREATE INDEX search_entries_price_up         ON search_entries (negative_price, id, price, facets);
CREATE INDEX search_entries_saving           ON search_entries (saving, id, price, facets);

CREATE VIRTUAL TABLE search_spellings USING fts5vocab('search', 'instance');

CREATE TABLE "search_stale" (id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE search_text (
  seq   INTEGER NOT NULL PRIMARY KEY,
  words TEXT    NOT NULL
) STRICT;

CREATE TABLE sessions (
  id         TEXT NOT NULL PRIMARY KEY,
  uid        TEXT NOT NULL,
  created_at INTEGER,
  expires_at INTEGER
, device TEXT NOT NULL DEFAULT '', network TEXT NOT NULL DEFAULT '', seen_at INTEGER, credentials_version INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX sessions_expires ON sessions (expires_at);
CREATE INDEX sessions_uid     ON sessions (uid);

CREATE TABLE users (
  id           TEXT    NOT NULL PRIMARY KEY,
  uid          TEXT    NOT NULL,
  name         TEXT    NOT NULL,
  email        TEXT    NOT NULL,
  email_key    TEXT    NOT NULL,
  account_type TEXT    NOT NULL,
  admin        INTEGER NOT NULL CHECK (admin IN (0, 1)),
  status       TEXT    NOT NULL,
  removed      INTEGER NOT NULL CHECK (removed IN (0, 1)),
  sweep_until  INTEGER,
  version      INTEGER NOT NULL,
  created_at   INTEGER
, leaving INTEGER NOT NULL DEFAULT 0, emails TEXT, payout_account TEXT) STRICT;
CREATE INDEX users_admins ON users (admin) WHERE admin = 1;
CREATE INDEX users_any   ON users (uid, removed, id DESC);
CREATE UNIQUE INDEX users_email ON users (email_key) WHERE removed = 0;
CREATE INDEX users_sweep ON users (sweep_until, id)  WHERE sweep_until IS NOT NULL;
CREATE INDEX users_type  ON users (account_type, id) WHERE admin = 0 AND removed = 0;
CREATE UNIQUE INDEX users_uid   ON users (uid)       WHERE removed = 0;

CREATE TRIGGER users_enter AFTER INSERT ON users
WHEN NEW.admin = 0 AND NEW.removed = 0
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('users', NEW.account_type, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER users_leave AFTER DELETE ON users
WHEN OLD.admin = 0 AND OLD.removed = 0
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'users' AND scope = OLD.account_type;
END;

CREATE TRIGGER users_move_in AFTER UPDATE OF account_type, admin, removed ON users
WHEN NEW.admin = 0 AND NEW.removed = 0
  AND (OLD.account_type, OLD.admin, OLD.removed) IS NOT (NEW.account_type, NEW.admin, NEW.removed)
BEGIN
  INSERT INTO counts (list, scope, n) VALUES ('users', NEW.account_type, 1)
    ON CONFLICT (list, scope) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER users_move_out AFTER UPDATE OF account_type, admin, removed ON users
WHEN OLD.admin = 0 AND OLD.removed = 0
  AND (OLD.account_type, OLD.admin, OLD.removed) IS NOT (NEW.account_type, NEW.admin, NEW.removed)
BEGIN
  UPDATE counts SET n = n - 1 WHERE list = 'users' AND scope = OLD.account_type;
END;

CREATE TABLE waiters (
  uid     TEXT NOT NULL,
  product TEXT NOT NULL,
  PRIMARY KEY (uid, product)
) STRICT, WITHOUT ROWID;
CREATE INDEX waiters_product ON waiters (product);

CREATE TABLE watched_phones (
  product  TEXT NOT NULL,
  watching TEXT NOT NULL,
  PRIMARY KEY (product, watching)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_phones_of ON watched_phones (watching);

CREATE TABLE watched_searches (
  search_key TEXT NOT NULL,
  watching   TEXT NOT NULL,
  PRIMARY KEY (search_key, watching)
) STRICT, WITHOUT ROWID;
CREATE INDEX watched_searches_of ON watched_searches (watching);

CREATE TABLE watching (
  id         TEXT    NOT NULL PRIMARY KEY,
  uid        TEXT    NOT NULL UNIQUE,
  phones     TEXT,
  searches   TEXT,
  search_keys     TEXT,
  version    INTEGER NOT NULL,
  created_at INTEGER
) STRICT;

CREATE TRIGGER watching_enter AFTER INSERT ON watching
BEGIN
  INSERT INTO watched_phones (product, watching) SELECT value ->> 'productID', NEW.id FROM json_each(NEW.phones);
  INSERT INTO watched_searches (search_key, watching) SELECT value, NEW.id FROM json_each(NEW.search_keys);
END;

CREATE TRIGGER watching_leave AFTER DELETE ON watching
BEGIN
  DELETE FROM watched_phones WHERE watching = OLD.id;
  DELETE FROM watched_searches WHERE watching = OLD.id;
END;

CREATE TRIGGER watching_phones AFTER UPDATE OF phones ON watching WHEN OLD.phones IS NOT NEW.phones
BEGIN
  DELETE FROM watched_phones WHERE watching = OLD.id
    AND product NOT IN (SELECT value ->> 'productID' FROM json_each(NEW.phones));
  INSERT INTO watched_phones (product, watching) SELECT value ->> 'productID', NEW.id FROM json_each(NEW.phones)
    WHERE true ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER watching_searches AFTER UPDATE OF search_keys ON watching WHEN OLD.search_keys IS NOT NEW.search_keys
BEGIN
  DELETE FROM watched_searches WHERE watching = OLD.id;
  INSERT INTO watched_searches (search_key, watching) SELECT value, NEW.id FROM json_each(NEW.search_keys);
END;
