package demo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"secondring/cmd/secondring/demo/models"
)

// seed determines the random choices of the demo.
const seed = 20260504

// shares is the number of phones of each brand, 300 in all.
var shares = map[string]int{
	"Apple": 44, "BlackBerry": 12, "Google": 24, "HTC": 26, "Huawei": 24, "LG": 32,
	"Motorola": 20, "OnePlus": 8, "Samsung": 46, "Sharp": 16, "Sony": 36, "Xiaomi": 12,
}

const (
	daysOnMarket = 150 // how far back the oldest phone was posted
	advertised   = 24
	booked       = 9
)

func phones(everybody []Person) []Phone {
	var (
		r       = rand.New(rand.NewPCG(seed, 1))
		sellers = filter(everybody, func(p Person) bool { return p.AccountType == Seller })
		all     []Phone
		words   = writer{r: r, used: map[string]int{}, texts: map[string]bool{}}
	)
	for _, brand := range models.Brands() {
		other := func(m models.Model) bool { return m.Brand != brand.Name }
		drawn, old := slices.DeleteFunc(models.Drawn(), other), slices.DeleteFunc(models.All(), other)
		recent := 0
		if len(drawn) > 0 {
			recent = shares[brand.Name] * 3 / 4
		}
		for i := range shares[brand.Name] {
			candidates := drawn
			if i >= recent {
				candidates, i = old, i-recent
			}
			// No model is used a second time before each was used once.
			m, round := candidates[i%len(candidates)], i/len(candidates)
			all = append(all, phone(r, m, round, sellers[r.IntN(len(sellers))], &words))
		}
	}
	post(r, all)
	advertise(r, all, sellers)
	book(r, all, everybody)
	return all
}

// postages are what sellers ask for to send a phone, in whole US dollars.
var postages = []int{8, 0, 12, 6, 15}

// phone creates one phone for sale; round is the number of earlier phones of the model.
func phone(r *rand.Rand, m models.Model, round int, seller Person, words *writer) Phone {
	picture := m.Photos[round%len(m.Photos)]
	step := 0
	storage := 0
	if len(m.Storage) > 0 {
		step = r.IntN(len(m.Storage))
		storage = m.Storage[step]
	}
	months := usedMonths(r, m.Year)
	condition := conditionAfter(r, months)
	original := m.Launch + step*m.Step
	return Phone{
		Name: m.Name, Brand: m.Brand, Storage: storage, Photos: photosOf(m, picture), Colour: picture.Colour, Drawn: picture.Hex != "",
		OriginalPrice: original,
		ResalePrice:   resale(r, m, step, condition, months),
		MeetOnly:      (len(m.Name)+round)%4 == 0,
		Postage:       postages[(len(m.Name)+round)%len(postages)],
		UsedTime:      usedTime(months), Condition: condition,
		Description: words.describe(m, picture.Colour, condition, months),
		Seller:      seller.Email, SellerName: seller.Name,
		Location: seller.Location, ContactPhone: seller.Phone,
	}
}

// usedMonths chooses how long a phone was in use, in months. It is at most the age of the
// model; the oldest phones were not in use for years.
func usedMonths(r *rand.Rand, year int) int {
	choices := []int{6, 8, 10, 12, 12, 18, 18, 24, 24, 24, 30, 36, 36, 36, 48, 48, 60, 72}
	most := max(6, (reference.Year()-year)*12)
	choices = slices.DeleteFunc(choices, func(months int) bool { return months > most })
	return choices[r.IntN(len(choices))]
}

func usedTime(months int) string {
	switch {
	case months == 12:
		return "1 year"
	case months < 24:
		return fmt.Sprintf("%d months", months)
	case months%12 == 0:
		return fmt.Sprintf("%d years", months/12)
	}
	return fmt.Sprintf("%d.5 years", months/12)
}

// conditionAfter chooses a condition at random, more often a worse one after long use.
func conditionAfter(r *rand.Rand, months int) string {
	wear := r.IntN(100) + months
	switch {
	case wear < 48:
		return Excellent
	case wear < 108:
		return Good
	}
	return Fair
}

// resale returns the asking price: the model's price in good condition, changed by condition,
// storage, use and the seller's estimate. It is always well below the price new.
func resale(r *rand.Rand, m models.Model, step int, condition string, months int) int {
	best, worst, use := 1.28, 0.68, 0.0022
	if m.Year >= 2019 { // there are more recent phones, and their prices differ less
		best, worst, use = 1.12, 0.78, 0.0012
	}
	price := float64(m.Used) * (1 + 0.12*float64(step))
	price *= map[string]float64{Excellent: best, Good: 1, Fair: worst}[condition]
	price *= 1.06 - use*float64(months)
	price *= 0.94 + 0.12*r.Float64()
	asked := int(price)
	if asked > 30 && r.IntN(3) > 0 {
		asked -= asked % 5 // sellers ask round prices
	}
	return max(9, min(asked, (m.Launch+step*m.Step)*17/20))
}

// post distributes the phones over the days before reference, more of them on the last days.
func post(r *rand.Rand, all []Phone) {
	used := map[time.Time]bool{}
	for i := range all {
		f := r.Float64()
		day := reference.AddDate(0, 0, -int(f*f*daysOnMarket)).Truncate(24 * time.Hour)
		at := day.Add(7*time.Hour + time.Duration(r.IntN(11*3600))*time.Second)
		for used[at] {
			at = at.Add(time.Second)
		}
		used[at] = true
		all[i].Created = at
	}
}

// advertise chooses recent phones of verified sellers in good or excellent condition, at
// most three of a brand, so that Home shows many brands.
func advertise(r *rand.Rand, all []Phone, sellers []Person) {
	verified := map[string]bool{}
	for _, s := range sellers {
		verified[s.Email] = s.Verified
	}
	perBrand, left, seen := map[string]int{}, advertised, map[string]bool{}
	for _, i := range r.Perm(len(all)) {
		p := &all[i]
		if left == 0 || !verified[p.Seller] || p.Condition == Fair || perBrand[p.Brand] == 3 || !p.Drawn && p.Brand != "BlackBerry" || seen[p.Name+p.Colour] {
			continue
		}
		p.Advertised = true
		seen[p.Name+p.Colour] = true
		perBrand[p.Brand]++
		left--
	}
}

// book books a few phones for buyers without a login.
func book(r *rand.Rand, all []Phone, everybody []Person) {
	buyers := filter(everybody, func(p Person) bool { return p.AccountType == User && p.Password == "" })
	left := booked
	for _, i := range r.Perm(len(all)) {
		if left > 0 && !all[i].Advertised {
			all[i].BookedBy = buyers[left%len(buyers)].Email
			left--
		}
	}
}

func filter(all []Person, keep func(Person) bool) []Person {
	return slices.DeleteFunc(slices.Clone(all), func(p Person) bool { return !keep(p) })
}
