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
			t.Errorf("%s has the unknown brand %s", m.Name, m.Brand)
		}
		if m.Used < 1 || m.Used >= m.Launch || m.Year < 2007 || len(m.Photos) == 0 || !slices.IsSorted(m.Storage) {
			t.Errorf("the model %+v is invalid", m)
		}
		for _, p := range m.Photos {
			if other, used := files[p.File]; used {
				t.Errorf("%s is the photo of both %s and %s", p.File, other, m.Name)
			}
			files[p.File] = m.Name
		}
	}
	for _, b := range models.Brands() {
		if files[b.Hero] == "" {
			t.Errorf("the photo of the brand %s, %s, is not a photo of a model", b.Name, b.Hero)
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
			t.Errorf("%s %s has an unknown brand, or is listed twice", m.Brand, m.Name)
		}
		names[m.Brand+m.Name] = true
		if m.Used < 1 || m.Used >= m.Launch || m.Year < 2019 || m.Year > 2026 || len(m.Photos) == 0 || len(m.Storage) == 0 || !slices.IsSorted(m.Storage) {
			t.Errorf("the model %+v is invalid", m)
		}
	}
}
