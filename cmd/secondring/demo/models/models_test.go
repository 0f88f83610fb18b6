package models_test

import (
	"slices"
	"testing"

	"secondring/cmd/secondring/demo/models"
)

func TestTablesAreConsistent(t *testing.T) {
	files, brands := map[string]string{}, map[string]bool{}
	for _, b := range models.Brands() {
		brands[b.Name] = true
	}
	for _, m := range models.All() {
		if !brands[m.Brand] {
			t.Errorf("%s is of no known brand", m.Name)
		}
		if m.Used < 1 || m.Used >= m.Launch || m.Year < 2007 || len(m.Photos) == 0 || !slices.IsSorted(m.Storage) {
			t.Errorf("%+v", m)
		}
		for _, p := range m.Photos {
			if other, taken := files[p.File]; taken {
				t.Errorf("%s shows both %s and %s", p.File, other, m.Name)
			}
			files[p.File] = m.Name
		}
	}
	for _, b := range models.Brands() {
		if files[b.Hero] == "" {
			t.Errorf("the hero of %s, %s, shows none of the models", b.Name, b.Hero)
		}
	}
}

func TestGeneratedModelsAreConsistent(t *testing.T) {
	brands, names := map[string]bool{}, map[string]bool{}
	for _, b := range models.Brands() {
		brands[b.Name] = true
	}
	for _, m := range models.Drawn() {
		if !brands[m.Brand] || names[m.Brand+m.Name] {
			t.Errorf("%s %s is of no known brand, or listed twice", m.Brand, m.Name)
		}
		names[m.Brand+m.Name] = true
		if m.Used < 1 || m.Used >= m.Launch || m.Year < 2019 || m.Year > 2026 || len(m.Photos) == 0 || len(m.Storage) == 0 || !slices.IsSorted(m.Storage) {
			t.Errorf("%+v", m)
		}
	}
}
