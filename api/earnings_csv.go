package api

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"secondring/market"
)

// byteOrderMark tells spreadsheets that a file is UTF-8.
const byteOrderMark = "\uFEFF"

var earningColumns = []string{
	"Paid on", "Order", "Phone", "Price (USD)", "Postage (USD)", "Commission (USD)", "Net (USD)", "State", "Reference", "Recorded on",
}

// getEarningsFile sends all sales as a file of comma-separated values (RFC 4180), one line each.
func (h handlers) getEarningsFile(w http.ResponseWriter, r *http.Request) error {
	file := bytes.NewBufferString(byteOrderMark)
	out := csv.NewWriter(file)
	out.UseCRLF = true
	_ = out.Write(earningColumns) // a buffer returns no error
	err := h.market.EachSale(r.Context(), actor(r), func(e market.Earning) error {
		return out.Write(earningLine(e.View()))
	})
	if err != nil {
		return err
	}
	out.Flush()
	head := w.Header()
	head.Set("Cache-Control", "no-store")
	head.Set("Content-Disposition", `attachment; filename="earnings.csv"`)
	head.Set("Content-Type", "text/csv; charset=utf-8")
	_, _ = w.Write(file.Bytes()) // an error means that the client has disconnected
	return nil
}

func earningLine(e market.EarningView) []string {
	return []string{
		day(e.PaidAt), e.BookingID, plainCell(e.ProductName), amount(e.Price), amount(e.Postage), amount(e.Commission), amount(e.Net),
		string(e.State), plainCell(e.Reference), day(e.ReferenceAt),
	}
}

// plainCell puts an apostrophe before a text that a spreadsheet would evaluate as a formula.
func plainCell(text string) string {
	if first := strings.TrimLeft(text, " \t\r\n"); first != "" && strings.ContainsRune("=+-@", rune(first[0])) {
		return "'" + text
	}
	return text
}

// day returns the day of a time, in UTC; "" for none.
func day(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format(time.DateOnly)
}

// amount returns cents as dollars, with two decimals.
func amount(cents int64) string { return strconv.FormatFloat(float64(cents)/100, 'f', 2, 64) }
