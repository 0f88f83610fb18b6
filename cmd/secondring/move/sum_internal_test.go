package move

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"secondring/market"
)

// Each field of each thing is changed alone; the checksum must differ each time.
func TestSumCoversEveryField(t *testing.T) {
	for _, thing := range []market.Thing{
		market.Brand{},
		market.User{Emails: []market.EmailChoice{{}}, PayoutAccount: &market.PayoutAccount{}},
		market.Account{SecondFactor: &market.SecondFactor{}, Links: []market.AccountLink{{}}},
		market.Session{},
		market.Product{Hold: &market.Hold{}, Waitlist: []market.Waiter{{}}, Photos: []market.Photo{{Picture: market.Picture{Widths: []int{1}}}}},
		market.Booking{Seller: &market.Contact{}, Fulfilment: &market.Fulfilment{Handover: &market.Handover{}}, Payout: &market.Payout{}, Dispute: &market.Dispute{}},
		market.Payment{},
		market.LedgerEntry{},
		market.Watching{Phones: []market.Watch{{}}, Searches: []market.SavedSearch{{Query: market.Query{Verified: new(bool), Available: new(bool)}}}},
		market.Report{},
		market.Record{},
		market.Notification{},
		market.Event{},
		market.Setting{},
		image{},
	} {
		v := reflect.New(reflect.TypeOf(thing)).Elem()
		v.Set(reflect.ValueOf(thing))
		seen := map[digest]string{must(t, v.Interface()): "nothing"}
		changes(v, fmt.Sprintf("%T", thing), func(field string) {
			d := must(t, v.Interface())
			if other := seen[d]; other != "" {
				t.Errorf("%s and %s have one checksum", field, other)
			}
			seen[d] = field
		})
		if len(seen) < v.NumField()+1 {
			t.Errorf("%T: only %d changes", thing, len(seen))
		}
	}
}

// changes changes each field, has a look, and changes it back.
func changes(v reflect.Value, name string, look func(field string)) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		for i := range v.Len() {
			changes(v.Index(i), fmt.Sprint(name, i), look)
		}
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	case reflect.Pointer:
		changes(v.Elem(), name, look)
		v.SetZero()
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.UnixMilli(1)))
			break
		}
		for i := range v.NumField() {
			changes(v.Field(i), name+"."+v.Type().Field(i).Name, look)
		}
		return
	}
	look(name)
	v.Set(was)
}

func must(t *testing.T, thing market.Thing) digest {
	t.Helper()
	d, err := digestOf(thing)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSumIgnoresEmptyFields(t *testing.T) {
	now := time.Now()
	for _, pair := range [][2]market.Thing{
		{market.Record{}, market.Record{Data: []byte{}}},
		{market.Product{}, market.Product{Photos: []market.Photo{}}},
		{market.Brand{CreatedAt: now.UTC()}, market.Brand{CreatedAt: now.Local()}},
	} {
		if must(t, pair[0]) != must(t, pair[1]) {
			t.Errorf("%+v and %+v differ", pair[0], pair[1])
		}
	}
	if _, err := digestOf(struct{ X float64 }{}); err == nil {
		t.Error("a kind of field that nobody has thought of has a checksum")
	}
}

func TestSumIgnoresOrder(t *testing.T) {
	var forth, back, twice Sum
	for i := range 1000 {
		forth.add(must(t, i))
		back.add(must(t, 999-i))
		twice.add(must(t, i/2*2)) // as many, but every second one twice
	}
	if forth != back || forth == twice || forth.Count != 1000 {
		t.Errorf("%+v %+v %+v", forth, back, twice)
	}
}
