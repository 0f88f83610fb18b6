package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"secondring/market"
)

// noon is the time of all entities and events of the suite.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var ids atomic.Int64

// newID returns increasing ids, as market.NewID does over time.
func newID() string { return fmt.Sprintf("%024x", ids.Add(1)) }

// filled returns an entity in which no field is empty, so that the tests detect a field that an
// engine does not store. Its Version is 1.
func filled[T any]() T {
	var v T
	fill(reflect.ValueOf(&v).Elem(), "")
	if version := reflect.ValueOf(&v).Elem().FieldByName("Version"); version.IsValid() {
		version.SetInt(1)
	}
	return v
}

func fill(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s of %s", name, newID()))
	case reflect.Int, reflect.Int64:
		v.SetInt(ids.Add(1))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(fmt.Appendf(nil, "%s of %s", name, newID()))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), name)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(noon.Add(time.Duration(ids.Add(1)) * time.Millisecond)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Field(i).Name)
		}
	default:
		panic("storetest: fill does not know the type " + v.Type().String())
	}
}

// event returns an event of a version of an entity.
func event(entity string, version int64) market.Event {
	return market.Event{
		Topic: market.TopicAdvertised, Type: market.TypeAdvertisedChanged, At: noon, Entity: entity,
		Version: version, Data: json.RawMessage(fmt.Sprintf(`{"_id":%q,"version":%d}`, entity, version)),
	}
}

func effects(e ...market.Effect) []market.Effect { return e }

func user(uid, email string) market.User {
	return market.User{
		ID: newID(), UID: uid, Name: "Ann", Email: email, AccountType: market.AccountUser, Version: 1, CreatedAt: noon,
	}
}

func account(uid, email string) market.Account {
	return market.Account{UID: uid, Email: email, PasswordHash: "hash", Version: 1, CreatedAt: noon}
}

func session(id, uid string) market.Session {
	return market.Session{ID: id, UID: uid, CreatedAt: noon, ExpiresAt: noon.Add(time.Hour)}
}

func brand(name string) market.Brand {
	return market.Brand{ID: newID(), Name: name, Img: "/img/" + name, Version: 1, CreatedAt: noon}
}

// addBrand adds a brand to the store.
func (s env) addBrand(name string) market.Brand {
	s.Helper()
	b := brand(name)
	s.ok(s.AddBrand(s.Context(), b))
	return b
}

func phone(b market.Brand, seller string) market.Product {
	return market.Product{
		ID: newID(), BrandID: b.ID, Brand: b.Name, Name: "One", SellerUID: seller, ResalePrice: 100,
		OriginalPrice: 200, Condition: "Good", Version: 1, CreatedAt: noon,
	}
}

// addPhone adds a phone to the store.
func (s env) addPhone(b market.Brand, seller string) market.Product {
	s.Helper()
	p := phone(b, seller)
	s.ok(s.AddProduct(s.Context(), p, nil))
	return p
}

// held returns the next version of the phone, which a buyer holds.
func held(p market.Product, at time.Time) market.Product {
	p.Hold = &market.Hold{BookingID: newID(), BuyerUID: "buyer", At: at, Until: at.Add(time.Hour), Network: "office"}
	p.Version++
	return p
}

func booking(buyer, product string) market.Booking {
	return market.Booking{
		ID: newID(), BuyerUID: buyer, ProductID: product, Price: 100, Status: market.BookingHeld, Version: 1,
		CreatedAt: noon,
	}
}

func report(product, reporter string) market.Report {
	return market.Report{
		ID: newID(), ProductID: product, ReporterUID: reporter, CaseID: "case of " + product, Reason: "Broken", Version: 1, CreatedAt: noon,
	}
}

// AddReport adds a report, with the case that it belongs to.
func (s env) AddReport(ctx context.Context, r market.Report, effects []market.Effect) error {
	return s.AddCase(ctx, caseOf("target of "+r.ID), append(slices.Clone(effects), r))
}

// caseOf returns an open case of a target.
func caseOf(target string) market.Case {
	return market.Case{ID: newID(), Kind: market.CaseProduct, TargetID: target, State: market.CaseOpen, OpenedAt: noon, Version: 1}
}

// payment returns a payment of a booking. Its transaction contains the booking's id, so it is
// unique.
func payment(bookingID string) market.Payment {
	return market.Payment{
		ID: newID(), Transaction: "pi_" + bookingID, BookingID: bookingID, BuyerUID: "buyer", Price: 100,
		Version: 1, CreatedAt: noon,
	}
}

func record(kind, id string) market.Record {
	return market.Record{Kind: kind, ID: id, Data: []byte(kind + " " + id), Version: 1}
}

// addRecord adds a record to the store.
func (s env) addRecord(r market.Record) market.Record {
	s.Helper()
	s.ok(s.AddRecord(s.Context(), r, nil))
	return r
}
