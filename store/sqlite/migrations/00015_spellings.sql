-- +goose Up
-- The words of the full-text index in their order: which of them begin with what
-- somebody types.
CREATE VIRTUAL TABLE search_spellings USING fts5vocab('search', 'instance');
