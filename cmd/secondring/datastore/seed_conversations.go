package datastore

import (
	"context"

	"secondring/cmd/secondring/demo"
	"secondring/market"
)

// addConversation adds what a buyer and the seller have said about a phone.
func (s *seeder) addConversation(ctx context.Context, c demo.Conversation, p market.Product) error {
	buyer, seller := s.people[c.Buyer], s.people[p.SellerEmail]
	var thread, offer string
	for _, line := range c.Lines {
		m, speaker, reader := s.at(s.start.Add(-line.Before)), buyer, seller
		if line.BySeller {
			speaker, reader = seller, buyer
		}
		price := p.ResalePrice * line.Percent / 100
		var err error
		switch {
		case line.BySeller && price > 0:
			_, err = m.AnswerOffer(ctx, seller, offer, market.AnswerRequest{Action: market.ActionCounter, Price: price})
		case price > 0:
			var o market.Offer
			o, err = m.MakeOffer(ctx, buyer, market.OfferRequest{ProductID: p.ID, Price: price, Phone: p.Phone, Location: p.Location, Text: line.Text})
			thread, offer = o.ThreadID, o.ID
		case thread == "":
			var t market.Thread
			t, err = m.StartThread(ctx, buyer, market.MessageRequest{ProductID: p.ID, Text: line.Text})
			thread = t.ID
		default:
			_, err = m.SendMessage(ctx, speaker, thread, market.MessageRequest{Text: line.Text})
		}
		if err == nil && line.Read {
			err = s.read(ctx, m, reader, thread)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read marks all messages of a thread as read by one side.
func (s *seeder) read(ctx context.Context, m *market.Market, reader market.Actor, thread string) error {
	t, err := s.store.Thread(ctx, thread)
	if err != nil {
		return err
	}
	_, err = m.ReadThread(ctx, reader, thread, t.Last.ID, nil)
	return err
}
