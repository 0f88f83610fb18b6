package texts_test

import (
	"strings"
	"testing"

	"secondring/market/texts"
)

// The table is that of the client, too.
func TestDollarsAsPeopleWriteThem(t *testing.T) {
	var table struct {
		Cases []struct {
			Text, Wrong string
			Dollars     int
		}
	}
	readTable(t, "dollars.json", &table)
	for _, c := range table.Cases {
		dollars, reason := texts.ParseDollars(c.Text)
		wrong := ""
		switch {
		case strings.Contains(reason, "cents"):
			wrong = "cents"
		case reason != "":
			wrong = "price"
		}
		if dollars != c.Dollars || wrong != c.Wrong {
			t.Errorf("%+q is %d, wrong %q; want %d, %q", c.Text, dollars, wrong, c.Dollars, c.Wrong)
		}
	}
}
