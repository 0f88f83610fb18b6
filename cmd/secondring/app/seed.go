package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

const metaSeeded = "seeded"

// accounts makes sign-ins; the identity provider does.
type accounts interface {
	CreateAccount(ctx context.Context, email, password, displayName string) (market.Account, error)
}

// seeder puts the demo's catalogue into an empty store, through the market's
// own use cases. What a crash left half done is taken up where it stopped.
type seeder struct {
	store    market.Store
	accounts accounts
	rules    market.Rules
	people   map[string]market.Actor // by e-mail
	brands   map[string]market.Brand // by name
}

// then is a clock that stands still.
type then time.Time

func (t then) Now() time.Time { return time.Time(t) }

// seed fills a store that was begun as a demo, once.
func seed(ctx context.Context, store market.Store, ids accounts, rules market.Rules, log *slog.Logger) error {
	done, err := store.Meta(ctx, metaSeeded)
	if err != nil || done != "" {
		return err
	}
	log.InfoContext(ctx, "filling the demo")
	s := &seeder{store: store, accounts: ids, rules: rules, people: map[string]market.Actor{}, brands: map[string]market.Brand{}}
	catalogue := demo.New()
	if err := errors.Join(s.addPeople(ctx, catalogue.People), s.findBrands(ctx, catalogue.Brands)); err != nil {
		return fmt.Errorf("fill the demo: %w", err)
	}
	if err := s.addPhones(ctx, catalogue.Phones); err != nil {
		return fmt.Errorf("fill the demo: %w", err)
	}
	return store.SetMeta(ctx, metaSeeded, "yes")
}

// at is the market as it was at a time.
func (s *seeder) at(when time.Time) *market.Market {
	return market.New(s.store, then(when), s.rules)
}

// addPeople adds them side by side: a password takes a while to hash.
func (s *seeder) addPeople(ctx context.Context, people []demo.Person) error {
	var all sync.WaitGroup
	var mu sync.Mutex
	failures := make([]error, len(people))
	for i, p := range people {
		all.Go(func() {
			who, err := s.addPerson(ctx, p)
			failures[i] = err
			mu.Lock()
			defer mu.Unlock()
			s.people[p.Email] = who
		})
	}
	all.Wait()
	return errors.Join(failures...)
}

func (s *seeder) addPerson(ctx context.Context, p demo.Person) (market.Actor, error) {
	a, err := s.store.AccountByEmail(ctx, p.Email)
	if errors.Is(err, market.ErrNotFound) {
		a, err = s.accounts.CreateAccount(ctx, p.Email, p.Password, p.Name)
	}
	if err != nil {
		return market.Actor{}, err
	}
	m := s.at(p.Created)
	u, err := m.AddUser(ctx, a, market.NewUser{Name: p.Name, Email: p.Email, AccountType: p.AccountType})
	if err != nil {
		return market.Actor{}, err
	}
	if p.Admin {
		err = m.MakeAdmin(ctx, a)
	}
	if p.Verified {
		_, err = m.VerifySeller(ctx, market.Actor{User: market.User{Admin: true}}, u.ID)
	}
	if err != nil {
		return market.Actor{}, err
	}
	u, err = s.store.User(ctx, a.UID)
	return market.Actor{User: u}, err
}

func (s *seeder) findBrands(ctx context.Context, brands []demo.Brand) error {
	for _, b := range brands {
		found, err := s.store.BrandByName(ctx, b.Name)
		if err != nil {
			return fmt.Errorf("brand %s: %w", b.Name, err)
		}
		s.brands[b.Name] = found
	}
	return nil
}

func (s *seeder) addPhones(ctx context.Context, phones []demo.Phone) error {
	there, err := s.phonesThere(ctx)
	if err != nil {
		return err
	}
	for _, p := range phones {
		if there[p.Created.UnixMilli()] {
			continue
		}
		if err := s.addPhone(ctx, p); err != nil {
			return fmt.Errorf("phone %s of %s: %w", p.Name, p.Seller, err)
		}
	}
	return nil
}

// phonesThere is what an interrupted start added already: no two phones of the
// demo were created at the same time.
func (s *seeder) phonesThere(ctx context.Context) (map[int64]bool, error) {
	there := map[int64]bool{}
	for _, brand := range s.brands {
		page := market.Page{Limit: 200}
		for {
			list, err := s.store.ProductsOfBrand(ctx, brand.ID, page)
			if err != nil {
				return nil, err
			}
			for _, p := range list.Items {
				there[p.CreatedAt.UnixMilli()] = true
				page.After = p.ID
			}
			if !list.More {
				break
			}
		}
	}
	return there, nil
}

func (s *seeder) addPhone(ctx context.Context, in demo.Phone) error {
	seller := s.people[in.Seller]
	m := s.at(in.Created)
	p, err := m.AddProduct(ctx, seller, market.NewProduct{
		Name: in.Name, Brand: in.Brand, BrandID: s.brands[in.Brand].ID, Img: in.Img,
		OriginalPrice: in.OriginalPrice, ResalePrice: in.ResalePrice, Condition: in.Condition,
		UsedTime: in.UsedTime, Description: in.Description, SellerName: seller.User.Name,
		Email: seller.User.Email, Location: in.Location, Phone: in.ContactPhone, PostedOn: in.PostedOn,
	})
	if err != nil {
		return err
	}
	if in.Advertised {
		forAll := s.rules
		forAll.Advertise = market.AdvertiseAll
		if _, err := market.New(s.store, then(in.Created), forAll).Advertise(ctx, seller, p.ID); err != nil {
			return err
		}
	}
	if in.BookedBy == "" {
		return nil
	}
	buyer := s.people[in.BookedBy]
	_, err = s.at(market.SystemClock{}.Now()).Book(ctx, buyer, market.BookingRequest{
		ProductID: p.ID, Phone: in.ContactPhone, Location: in.Location,
	})
	return err
}
