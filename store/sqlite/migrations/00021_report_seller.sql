-- +goose Up
-- The user ID of the phone's seller; '' if the phone was removed before this schema.
ALTER TABLE reports ADD COLUMN seller_id TEXT NOT NULL DEFAULT '';
UPDATE reports SET seller_id = coalesce(
  (SELECT u.id FROM products p JOIN users u ON u.uid = p.seller_uid WHERE p.id = reports.product_id
   ORDER BY u.removed, u.id DESC LIMIT 1), '');
