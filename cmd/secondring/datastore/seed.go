package datastore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

// accounts creates accounts; the identity provider implements it.
type accounts interface {
	CreateAccount(ctx context.Context, email, password, displayName string) (market.Account, error)
}

// seeder adds the demo's catalogue to an empty store. It uses the methods of market.Market.
type seeder struct {
	store    market.Store
	accounts accounts
	rules    market.Rules
	people   map[string]market.Actor // by email
	brands   map[string]market.Brand // by name

	start     time.Time
	holds     int // held bookings in all
	holdsLeft int // those to add
}

// fixedClock is a clock that always returns the same time.
type fixedClock time.Time

func (t fixedClock) Now() time.Time { return time.Time(t) }

// seed fills an empty store. It deletes the events, because there are no users yet who could
// receive them.
func seed(ctx context.Context, store market.Store, ids accounts, rules market.Rules) error {
	s := &seeder{
		store: store, accounts: ids, rules: rules, people: map[string]market.Actor{}, brands: map[string]market.Brand{},
		start: market.SystemClock{}.Now(),
	}
	catalogue := demo.New(s.start)
	s.holds = len(catalogue.Holds())
	s.holdsLeft = s.holds
	if err := errors.Join(s.addPeople(ctx, catalogue.People), s.findBrands(ctx, catalogue.Brands)); err != nil {
		return fmt.Errorf("fill the demo: %w", err)
	}
	added := make([]market.Product, len(catalogue.Phones))
	for i, p := range catalogue.Phones {
		var err error
		if added[i], err = s.addPhone(ctx, p); err != nil {
			return fmt.Errorf("fill the demo: phone %s of %s: %w", p.Name, p.Seller, err)
		}
	}
	for _, o := range catalogue.Orders {
		if err := s.addOrder(ctx, o, added[o.Phone]); err != nil {
			return fmt.Errorf("fill the demo: %s order of %s: %w", o.State, o.Buyer, err)
		}
	}
	for _, r := range catalogue.Reports {
		p := added[r.Phone]
		if _, err := s.at(s.start.AddDate(0, 0, -r.Days)).AddReport(ctx, s.people[r.Reporter], market.ReportRequest{ProductID: p.ID, Reason: r.Reason}); err != nil {
			return fmt.Errorf("fill the demo: report of %s: %w", r.Reporter, err)
		}
	}
	for _, c := range catalogue.Conversations {
		if err := s.addConversation(ctx, c, added[c.Phone]); err != nil {
			return fmt.Errorf("fill the demo: conversation of %s: %w", c.Buyer, err)
		}
	}
	return markEventsPublished(ctx, store)
}

// markEventsPublished marks all pending events as published.
func markEventsPublished(ctx context.Context, store market.Store) error {
	for {
		events, err := store.PendingEvents(ctx, 1000)
		if err != nil || len(events) == 0 {
			return err
		}
		if err := store.EventsPublished(ctx, events); err != nil {
			return err
		}
	}
}

// at returns the market with its clock at t.
func (s *seeder) at(t time.Time) *market.Market {
	m := market.New(s.store, fixedClock(t), s.rules, market.NoPayments{})
	m.UsePictures(demo.Pictures{})
	return m
}

// addPeople adds people concurrently, because hashing a password takes long. No more than can be hashed at
// once: on a busy machine the others would wait too long for their turn.
func (s *seeder) addPeople(ctx context.Context, people []demo.Person) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	for _, p := range people {
		group.Go(func() error {
			actor, err := s.addPerson(ctx, p)
			mu.Lock()
			defer mu.Unlock()
			s.people[p.Email] = actor
			return err
		})
	}
	return group.Wait()
}

func (s *seeder) addPerson(ctx context.Context, p demo.Person) (market.Actor, error) {
	a, err := s.accounts.CreateAccount(ctx, p.Email, p.Password, p.Name)
	if err != nil {
		return market.Actor{}, err
	}
	m := s.at(p.Created)
	u, err := m.AddUser(ctx, a, market.UserRequest{Name: p.Name, Email: p.Email, AccountType: p.AccountType})
	if err != nil {
		return market.Actor{}, err
	}
	if p.Admin {
		err = m.MakeAdmin(ctx, a)
	}
	if p.Verified {
		_, err = m.VerifySeller(ctx, market.Actor{User: market.User{Admin: true}}, u.ID, market.VerifyRequest{})
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

func photosOf(p demo.Phone) []market.PhotoRequest {
	photos := make([]market.PhotoRequest, 0, len(p.Photos))
	for _, photo := range p.Photos {
		photos = append(photos, market.PhotoRequest{URL: photo.URL, Alt: photo.Alt})
	}
	return photos
}

func (s *seeder) addPhone(ctx context.Context, in demo.Phone) (market.Product, error) {
	seller := s.people[in.Seller]
	m := s.at(in.Created)
	delivers := market.DeliveryBoth
	if in.MeetOnly {
		delivers = market.DeliveryMeet
	}
	p, err := m.AddProduct(ctx, seller, market.ProductRequest{
		Delivers: delivers, Postage: in.Postage,
		Name: in.Name, Brand: in.Brand, BrandID: s.brands[in.Brand].ID, Photos: photosOf(in),
		OriginalPrice: in.OriginalPrice, ResalePrice: in.ResalePrice, Storage: in.Storage, Colour: strings.ToUpper(in.Colour[:1]) + in.Colour[1:], Condition: in.Condition,
		UsedTime: in.UsedTime, Description: in.Description, SellerName: seller.User.Name,
		Email: seller.User.Email, Location: in.Location, Phone: in.ContactPhone, PostedOn: in.PostedOn,
	})
	if err != nil {
		return p, err
	}
	if in.Advertised {
		rules := s.rules
		rules.Advertise = market.AdvertiseAll
		if _, err := market.New(s.store, fixedClock(in.Created), rules, market.NoPayments{}).Advertise(ctx, seller, p.ID); err != nil {
			return p, err
		}
	}
	if in.BookedBy == "" {
		return p, nil
	}
	buyer := s.people[in.BookedBy]
	_, err = s.at(s.nextHold()).Book(ctx, buyer, market.BookingRequest{
		ProductID: p.ID, Phone: in.ContactPhone, Location: in.Location,
	})
	return p, err
}

// nextHold returns the time of the next held booking. The first is almost three quarters of a
// hold before the start, the last at the start, so that each phone has another time left.
func (s *seeder) nextHold() time.Time {
	s.holdsLeft--
	return s.start.Add(-s.rules.BookingHold / 4 * 3 / time.Duration(s.holds) * time.Duration(s.holdsLeft))
}

// addOrder books a phone, so many days before the start or at nextHold, and brings the order into its
// state.
func (s *seeder) addOrder(ctx context.Context, o demo.Order, p market.Product) error {
	buyer, booked := s.people[o.Buyer], s.start.AddDate(0, 0, -o.Days)
	if o.State == demo.Held {
		booked = s.nextHold()
	}
	b, err := s.at(booked).Book(ctx, buyer, market.BookingRequest{ProductID: p.ID, Phone: p.Phone, Location: p.Location})
	if err != nil {
		return err
	}
	later := booked.Add(s.rules.BookingHold / 2)
	switch o.State {
	case demo.Held:
		return nil
	case demo.Cancelled:
		_, err = s.at(later).CancelBooking(ctx, buyer, b.ID)
		return err
	case demo.Expired:
		transitions := market.NewRunner(market.SystemClock{}, slog.New(slog.DiscardHandler), nil)
		s.at(booked.Add(s.rules.BookingHold + time.Minute)).AddTransitions(transitions)
		return transitions.Step(ctx)
	}
	intent, err := s.charge(ctx, b, later)
	if err != nil {
		return err
	}
	if o.State == demo.Refunded {
		return s.refund(ctx, intent, later.Add(48*time.Hour))
	}
	return s.fulfil(ctx, o, b, later)
}
