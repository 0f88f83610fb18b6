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

// stock is the number of phones of a brand, with a drawing and with a photo.
type stock struct{ drawn, photographed int }

// stocks are 300 phones in all. There are so many pictures of each brand that no two phones have the same. Only
// BlackBerry has fewer photos: there the second phone with a photo begins with the back, the third with the front.
var stocks = map[string]stock{
	"Apple": {40, 7}, "BlackBerry": {0, 9}, "Google": {28, 4}, "HTC": {10, 10}, "Huawei": {14, 11}, "LG": {9, 12},
	"Motorola": {12, 5}, "OnePlus": {14, 1}, "Samsung": {34, 16}, "Sharp": {10, 6}, "Sony": {16, 16}, "Xiaomi": {13, 3},
}

const (
	daysOnMarket = 150 // how far back the oldest phone was posted
	advertised   = 24
	booked       = 9
	// firstPhotos is how many of the newest phones of a brand have photos, where it has so many.
	firstPhotos = 4
)

func phones(everybody []Person) []Phone {
	var (
		r       = rand.New(rand.NewPCG(seed, 1))
		sellers = filter(everybody, func(p Person) bool { return p.AccountType == Seller && !isNewcomer(p) })
		all     []Phone
		words   = writer{r: r, used: map[string]int{}, texts: map[string]bool{}}
	)
	for _, brand := range models.Brands() {
		drawn, photographed := picturesOf(models.Drawn(), brand), picturesOf(models.All(), brand)
		for i := range stocks[brand.Name].photographed {
			all = append(all, phone(r, photographed[i%len(photographed)], i/len(photographed), sellers[r.IntN(len(sellers))], &words))
		}
		for i := range stocks[brand.Name].drawn {
			all = append(all, phone(r, drawn[i], 0, sellers[r.IntN(len(sellers))], &words))
		}
	}
	post(r, all)
	for _, p := range filter(everybody, isNewcomer) {
		giveFirst(all, p)
	}
	advertise(all, sellers)
	book(r, all, everybody)
	return all
}

// giveFirst gives a seller the phones that were posted in the first three days after the seller has joined.
func giveFirst(all []Phone, to Person) {
	for i := range all {
		if age := all[i].Created.Sub(to.Created); age > 0 && age < 72*time.Hour {
			all[i].sellBy(to)
		}
	}
}

// sellBy makes a person the seller of the phone.
func (p *Phone) sellBy(seller Person) {
	p.Seller, p.SellerName, p.Location, p.ContactPhone = seller.Email, seller.Name, seller.Location, seller.Phone
}

// postages are what sellers ask for to send a phone, in whole US dollars.
var postages = []int{8, 0, 12, 6, 15}

// pictured is a model with one of its pictures.
type pictured struct {
	models.Model
	models.Photo
}

// picturesOf lists the pictures of a brand's models, each once: two models that look the same have one. The newest
// model is first, and no model has a second one before each has one.
func picturesOf(all []models.Model, brand models.Brand) []pictured {
	all = slices.DeleteFunc(all, func(m models.Model) bool { return m.Brand != brand.Name })
	slices.Reverse(all)
	var list []pictured
	listed := map[string]bool{}
	for round := range 4 {
		for _, m := range all {
			if round >= len(m.Photos) {
				continue
			}
			p := m.Photos[round]
			if look := m.Cameras + m.Screen + p.Hex + p.File; !listed[look] {
				listed[look] = true
				list = append(list, pictured{m, p})
			}
		}
	}
	return list
}

// firstSides are what the first photo shows, by the number of earlier phones with the same photo.
var firstSides = []models.Side{"", models.Back, models.Front}

// phone creates one phone for sale; round is the number of earlier phones with the same photo.
func phone(r *rand.Rand, of pictured, round int, seller Person, words *writer) Phone {
	m, picture := of.Model, of.Photo
	step := 0
	storage := 0
	if len(m.Storage) > 0 {
		step = r.IntN(len(m.Storage))
		storage = m.Storage[step]
	}
	months := usedMonths(r, m.Year)
	condition := conditionAfter(r, months)
	original := m.Launch + step*m.Step
	p := Phone{
		Name: m.Name, Brand: m.Brand, Storage: storage, Photos: photosOf(m, picture, firstSides[round]), Colour: picture.Colour, Drawn: picture.Hex != "",
		OriginalPrice: original,
		ResalePrice:   resale(r, m, step, condition, months),
		MeetOnly:      (len(m.Name)+len(picture.Colour))%4 == 0,
		Postage:       postages[(len(m.Name)+len(picture.Colour))%len(postages)],
		UsedTime:      usedTime(months), Condition: condition,
		Description: words.describe(m, picture.Colour, condition, months),
	}
	p.sellBy(seller)
	return p
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

// post distributes the phones over the days before reference, more of them on the last days. They are in the order
// of their brands, and in each brand those with photos are first.
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
	for len(all) > 0 {
		end := 1
		for end < len(all) && all[end].Brand == all[0].Brand {
			end++
		}
		putPhotosFirst(r, all[:end])
		all = all[end:]
	}
}

// putPhotosFirst exchanges the times of a brand's phones. The newest have photos, and then one in three.
func putPhotosFirst(r *rand.Rand, brand []Phone) {
	times := make([]time.Time, len(brand))
	for i, p := range brand {
		times[i] = p.Created
	}
	slices.SortFunc(times, func(a, b time.Time) int { return b.Compare(a) })
	drawn := slices.IndexFunc(brand, func(p Phone) bool { return p.Drawn })
	if drawn < 0 {
		drawn = len(brand)
	}
	photographed, rest := brand[:drawn], brand[drawn:]
	r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	for i, at := range times {
		from := &rest
		if len(rest) == 0 || len(photographed) > 0 && (i < firstPhotos || i%3 == 0) {
			from = &photographed
		}
		p := &(*from)[0]
		p.Created, p.PostedOn = at, at.Format(time.DateOnly)
		*from = (*from)[1:]
	}
}

// advertise chooses the most expensive phones with photos, of verified sellers and in good or excellent condition, at
// most one of a model and three of a brand, so that Home shows many.
func advertise(all []Phone, sellers []Person) {
	verified := map[string]bool{}
	for _, s := range sellers {
		verified[s.Email] = s.Verified
	}
	dearest := make([]*Phone, len(all))
	for i := range all {
		dearest[i] = &all[i]
	}
	slices.SortStableFunc(dearest, func(a, b *Phone) int { return b.ResalePrice - a.ResalePrice })
	perBrand, left, seen := map[string]int{}, advertised, map[string]bool{}
	for _, p := range dearest {
		if left > 0 && verified[p.Seller] && p.Condition != Fair && perBrand[p.Brand] < 3 && !p.Drawn && !seen[p.Name] {
			p.Advertised, seen[p.Name] = true, true
			perBrand[p.Brand]++
			left--
		}
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
