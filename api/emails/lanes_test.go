package emails_test

import (
	"context"
	"fmt"
	"testing"

	"secondring/api/emails"
)

// The sending of all other emails waits for the only one of the lane Security.
func TestEmailsOfALaneDoNotWaitForOtherLanes(t *testing.T) {
	e := newEnv(t)
	for lane, n := range map[emails.Lane]int{emails.Welcome: 60, emails.Ordinary: 60, emails.Security: 1} {
		for i := range n {
			must(t, e.queue.Request(t.Context(), emails.Email{Template: "any", To: fmt.Sprintf("lane%d-%d@example.com", lane, i), Lane: lane}, emails.Limit{}))
		}
	}
	if n := e.waiting(); n != 121 {
		t.Errorf("%d emails wait, want 121", n)
	}
	first := make(chan struct{})
	must(t, e.sender(transportFunc(func(_ context.Context, m emails.Message) error {
		if m.To == "lane0-0@example.com" {
			close(first)
		}
		<-first
		return nil
	})).Step(t.Context()))
	if n := e.waiting(); n != 0 || e.outcomes[emails.Sent] != 121 {
		t.Errorf("%d emails wait, outcomes %v", n, e.outcomes)
	}
}
