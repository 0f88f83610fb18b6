package move

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"secondring/market"
)

// Each change of a single field of an entity must give another checksum.
func TestSumCoversEveryField(t *testing.T) {
	for _, item := range []market.Item{
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
		market.Notification{Matches: &market.Matches{}},
		market.Event{},
		market.Setting{},
		image{},
	} {
		v := reflect.New(reflect.TypeOf(item)).Elem()
		v.Set(reflect.ValueOf(item))
		seen := map[digest]string{mustDigest(t, v.Interface()): "no change"}
		forEachChange(v, fmt.Sprintf("%T", item), func(field string) {
			d := mustDigest(t, v.Interface())
			if other := seen[d]; other != "" {
				t.Errorf("%s and %s have the same checksum", field, other)
			}
			seen[d] = field
		})
		if len(seen) < v.NumField()+1 {
			t.Errorf("%T has %d checksums, want at least %d", item, len(seen), v.NumField()+1)
		}
	}
}

// forEachChange changes each field of v, calls f with its name, and restores the field.
func forEachChange(v reflect.Value, name string, f func(field string)) {
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		for i := range v.Len() {
			forEachChange(v.Index(i), fmt.Sprint(name, i), f)
		}
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	case reflect.Pointer:
		forEachChange(v.Elem(), name, f)
		v.SetZero()
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.UnixMilli(1)))
			break
		}
		for i := range v.NumField() {
			forEachChange(v.Field(i), name+"."+v.Type().Field(i).Name, f)
		}
		return
	}
	f(name)
	v.Set(old)
}

func mustDigest(t *testing.T, item market.Item) digest {
	t.Helper()
	d, err := digestOf(item)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSumIgnoresEmptyFields(t *testing.T) {
	now := time.Now()
	for _, pair := range [][2]market.Item{
		{market.Record{}, market.Record{Data: []byte{}}},
		{market.Product{}, market.Product{Photos: []market.Photo{}}},
		{market.Brand{CreatedAt: now.UTC()}, market.Brand{CreatedAt: now.Local()}},
	} {
		if mustDigest(t, pair[0]) != mustDigest(t, pair[1]) {
			t.Errorf("%+v and %+v have different checksums", pair[0], pair[1])
		}
	}
	if _, err := digestOf(struct{ X float64 }{}); err == nil {
		t.Error("digestOf accepts a float64, a type for which it is not written")
	}
}

func TestSumIgnoresOrder(t *testing.T) {
	var forward, backward, repeated Sum
	for i := range 1000 {
		forward.add(mustDigest(t, i))
		backward.add(mustDigest(t, 999-i))
		repeated.add(mustDigest(t, i/2*2)) // as many, but half of the numbers twice
	}
	if forward != backward || forward == repeated || forward.Count != 1000 {
		t.Errorf("the sums are %+v forward, %+v backward, %+v of repeated numbers", forward, backward, repeated)
	}
}
