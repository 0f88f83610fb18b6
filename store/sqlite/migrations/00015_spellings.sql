-- +goose Up
-- The words of the full-text index in alphabetical order. It finds words by their beginning.
CREATE VIRTUAL TABLE search_spellings USING fts5vocab('search', 'instance');
