package demo

import (
	"fmt"
	"strings"
	"time"
)

// People lists all users, those of Logins first.
func People() []Person {
	all := append(loginPeople(), otherSellers()...)
	all = append(all, otherBuyers()...)
	for i := range all {
		p := &all[i]
		p.Created = opening.Add(24*time.Hour + time.Duration(i)*33*time.Hour) // the last before the oldest phone
		if isNewcomer(*p) {
			p.Created = reference.AddDate(0, 0, -daysOfNewcomer).Truncate(24 * time.Hour)
		}
		if p.Email == "" {
			p.Email = strings.ToLower(strings.ReplaceAll(p.Name, " ", ".")) + "@example.com"
		}
		if p.Phone == "" {
			p.Phone = contact(p.Location, i)
		}
	}
	return all
}

// daysOfNewcomer is for how many days the newcomer has waited for an admin to verify them, on the day of reference.
const daysOfNewcomer = 6

// isNewcomer returns whether a person is the one seller who is not verified.
func isNewcomer(p Person) bool { return p.AccountType == Seller && !p.Verified }

// loginPeople lists the people of Logins, in their order.
func loginPeople() []Person {
	all := []Person{
		{Name: "Shirin Akter", AccountType: User, Admin: true, Location: "Gulshan, Dhaka"},
		{Name: "Nusrat Jahan", AccountType: Seller, Verified: true, Location: "Dhanmondi, Dhaka"},
		{Name: "Tanvir Ahmed", AccountType: Seller, Location: "Mirpur, Dhaka"},
		{Name: "Rafi Islam", AccountType: User, Location: "Uttara, Dhaka"},
		{Name: "Maya Chowdhury", AccountType: User, Location: "Agrabad, Chattogram"},
	}
	for i, login := range Logins() {
		all[i].Email, all[i].Password = login.Email, login.Password
	}
	return all
}

// otherSellers lists the other sellers.
func otherSellers() []Person {
	return []Person{
		{Name: "Arif Hossain", AccountType: Seller, Verified: true, Location: "Bashundhara, Dhaka"},
		{Name: "Farzana Rahman", AccountType: Seller, Verified: true, Location: "Zindabazar, Sylhet"},
		{Name: "Imran Kabir", AccountType: Seller, Verified: true, Location: "Nasirabad, Chattogram"},
		{Name: "Sadia Sultana", AccountType: Seller, Verified: true, Location: "Mohammadpur, Dhaka"},
		{Name: "Mahmud Hasan", AccountType: Seller, Verified: true, Location: "Shaheb Bazar, Rajshahi"},
		{Name: "Priya Das", AccountType: Seller, Verified: true, Location: "Salt Lake, Kolkata"},
		{Name: "Rakib Uddin", AccountType: Seller, Verified: true, Location: "Khalishpur, Khulna"},
		{Name: "Tahmina Begum", AccountType: Seller, Verified: true, Location: "Kandirpar, Cumilla"},
		{Name: "Daniel Okafor", AccountType: Seller, Verified: true, Location: "Whitechapel, London"},
		{Name: "Sumaiya Haque", AccountType: Seller, Verified: true, Location: "Jackson Heights, New York"},
		{Name: "Grace Mensah", AccountType: Seller, Verified: true, Location: "Peckham, London"},
		{Name: "Luis Ortega", AccountType: Seller, Verified: true, Location: "Sunset Park, New York"},
		{Name: "Ananya Ghosh", AccountType: Seller, Verified: true, Location: "Park Street, Kolkata"},
		{Name: "Habib Chowdhury", AccountType: Seller, Verified: true, Location: "Upashahar, Sylhet"},
	}
}

// otherBuyers lists the other buyers.
func otherBuyers() []Person {
	places := []string{
		"Banani, Dhaka", "Motijheel, Dhaka", "Halishahar, Chattogram", "Sonadanga, Khulna",
		"Ambarkhana, Sylhet", "Charpara, Mymensingh", "Jaleshwaritola, Bogura", "Tongi, Gazipur",
		"Chashara, Narayanganj", "Sadar Road, Barishal", "Jahaj Company, Rangpur", "Tejgaon, Dhaka",
		"Brick Lane, London", "Jessore Road, Jashore", "Wari, Dhaka",
	}
	names := []string{
		"Abir Hasan", "Anika Tabassum", "Fahim Shahriar", "Jannatul Ferdous", "Kamrul Islam",
		"Labiba Noor", "Mehedi Hasan", "Nabila Khan", "Omar Faruk", "Puja Saha",
		"Ridwan Karim", "Samira Yasmin", "Tom Whitfield", "Urmi Roy", "Zahid Alam",
	}
	all := make([]Person, len(names))
	for i, name := range names {
		all[i] = Person{Name: name, AccountType: User, Location: places[i]}
	}
	return all
}

// contact makes a fictional telephone number: British and American ones are from the
// ranges set aside for fiction, the others use a mobile prefix (012 in Bangladesh, 5 in
// India) that is not in service.
func contact(location string, i int) string {
	n := 137 + i*263%800
	switch {
	case strings.HasSuffix(location, "London"):
		return fmt.Sprintf("+44 7700 900%03d", n)
	case strings.HasSuffix(location, "New York"):
		return fmt.Sprintf("+1 212-555-01%02d", n%100)
	case strings.HasSuffix(location, "Kolkata"):
		return fmt.Sprintf("+91 52%03d %05d", n, 10_000+n*61)
	}
	return fmt.Sprintf("+880 12%02d-%06d", n%90+10, 100_000+n*877)
}
