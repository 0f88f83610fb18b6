package store

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// description lists all kinds with their keys and the JSON of their entities.
type description struct {
	strings.Builder
	kinds []string
}

func describe[T any](d *description, k *Kind[T]) {
	i := k.Info
	d.kinds = append(d.kinds, i.Name)
	fmt.Fprintf(d, "%s: unique %v, lists %v, many %v, counted %q, sum %q %q, shard %q, order %q\n",
		i.Name, i.Unique, i.Lists, i.Many, i.Counted, i.SumBy, i.Least, i.Shard, i.Order)
	d.fields(reflect.TypeFor[T](), "  ")
}

// fields lists the fields of a type and of the types in it, which belong to the market.
func (d *description) fields(t reflect.Type, indent string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !strings.HasPrefix(t.PkgPath(), "secondring/") {
		return
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case name == "":
			name = f.Name
		}
		fmt.Fprintf(d, "%s%s %s\n", indent, name, f.Type)
		d.fields(f.Type, indent+"  ")
	}
}

// What is stored is what the present format has.
func TestFormat(t *testing.T) {
	var d description
	describe(&d, &users)
	describe(&d, &accounts)
	describe(&d, &sessions)
	describe(&d, &brands)
	describe(&d, &products)
	describe(&d, &bookings)
	describe(&d, &threads)
	describe(&d, &messages)
	describe(&d, &offers)
	describe(&d, &evidence)
	describe(&d, &payments)
	describe(&d, &watching)
	describe(&d, &reports)
	describe(&d, &cases)
	describe(&d, &hiddenPhones)
	describe(&d, &ledger)
	describe(&d, &auditEntries)
	describe(&d, &notifications)
	describe(&d, &reads)
	describe(&d, &records)
	describe(&d, &settings)
	var all []string
	for _, kind := range Kinds() {
		all = append(all, kind.Name)
	}
	slices.Sort(all)
	if slices.Sort(d.kinds); !slices.Equal(d.kinds, all) {
		t.Fatalf("the kinds %v are described, want %v", d.kinds, all)
	}
	path := fmt.Sprintf("testdata/format-%d.txt", Format)
	if os.Getenv("KEEP_FORMAT") != "" {
		if err := os.WriteFile(path, []byte(d.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != d.String() {
		t.Errorf("what is stored differs from %s. If this format was released, raise store.Format. Then run: make format", path)
	}
}
