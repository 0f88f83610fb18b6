package market_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"secondring/market"
)

func TestHandover(t *testing.T) {
	handed := func(code string) market.FulfilmentRequest {
		return market.FulfilmentRequest{Action: "handed", Code: code}
	}
	wrong := func(code string) string { return fmt.Sprintf("%06d", (int(code[5]-'0')+1)%10) }
	t.Run("the buyer's code is entered by the seller", func(t *testing.T) {
		e, seller, buyer, _, b := paidOrder(t)
		_, err := e.Fulfil(e.ctx, seller, b.ID, handed("123456"))
		e.wantCode(err, market.CodeClosed)
		h, err := e.OpenHandover(e.ctx, buyer, b.ID)
		e.must(err)
		if len(h.Code) != 6 || !h.Expires.Equal(e.clock.Now().Add(10*time.Minute)) {
			t.Fatalf("the code is %q until %v", h.Code, h.Expires)
		}
		_, err = e.Fulfil(e.ctx, seller, b.ID, handed(wrong(h.Code)))
		e.wantCode(err, market.CodeInvalid)
		e.fulfil(seller, b, handed(h.Code))
		e.wantState(b, market.FulfilmentReceived, "")
		if v := e.storedBooking(b).View().Fulfilment; v.Method != market.MethodMet || v.ReceivedAt == nil {
			t.Errorf("the order is shown as %+v", v)
		}
		if e.storedBooking(b).Fulfilment.Handover != nil {
			t.Error("the code is still stored")
		}
	})
	t.Run("a code lasts ten minutes", func(t *testing.T) {
		e, seller, buyer, _, b := paidOrder(t)
		h, err := e.OpenHandover(e.ctx, buyer, b.ID)
		e.must(err)
		e.clock.Pass(10 * time.Minute)
		_, err = e.Fulfil(e.ctx, seller, b.ID, handed(h.Code))
		e.wantCode(err, market.CodeClosed)
	})
	t.Run("a code is replaced by a new one", func(t *testing.T) {
		e, seller, buyer, _, b := paidOrder(t)
		first, err := e.OpenHandover(e.ctx, buyer, b.ID)
		e.must(err)
		second, err := e.OpenHandover(e.ctx, buyer, b.ID)
		e.must(err)
		if first.Code != second.Code {
			_, err = e.Fulfil(e.ctx, seller, b.ID, handed(first.Code))
			e.wantCode(err, market.CodeInvalid)
		}
		e.fulfil(seller, b, handed(second.Code))
	})
	t.Run("five codes are compared, also concurrently", func(t *testing.T) {
		e, seller, buyer, _, b := paidOrder(t)
		h, err := e.OpenHandover(e.ctx, buyer, b.ID)
		e.must(err)
		var all sync.WaitGroup
		var compared, closed atomic.Int32
		for range 40 {
			all.Go(func() {
				switch _, err := e.Fulfil(e.ctx, seller, b.ID, handed(wrong(h.Code))); market.CodeOf(err) {
				case market.CodeInvalid:
					compared.Add(1)
				case market.CodeClosed:
					closed.Add(1)
				default:
					t.Errorf("the error is %v", err)
				}
			})
		}
		all.Wait()
		if compared.Load() != 5 || closed.Load() != 35 {
			t.Errorf("%d codes were compared, want 5; %d were refused, want 35", compared.Load(), closed.Load())
		}
		_, err = e.Fulfil(e.ctx, seller, b.ID, handed(h.Code))
		e.wantCode(err, market.CodeClosed)
	})
}
