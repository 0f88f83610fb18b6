package apitest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// addPhoto adds a photograph to an order and returns its address.
func (p *person) addPhoto(order string) string {
	p.t.Helper()
	form, contentType := photoForm(p.t)
	var got struct {
		Success bool
		Data    struct {
			URL, Blur, Srcset string
			Width, Height     int
		}
	}
	p.do(http.MethodPost, "/orders/"+order+"/photos?key=", form, contentType).wantStatus(http.StatusOK).decode(&got)
	d := got.Data
	name, isPath := strings.CutPrefix(d.URL, "/evidence/")
	if !got.Success || !isPath || !market.IsEvidenceID(name) || d.Width != 64 || d.Height != 48 || !strings.HasPrefix(d.Blur, "data:image/webp;") || d.Srcset != "" {
		p.t.Fatalf("the upload returns %+v", got)
	}
	return d.URL
}

// settleAsAdmin decides that the seller gets the money.
func (e *ordersEnv) settleAsAdmin(order string) {
	e.t.Helper()
	e.admin.putFulfilment(order, fields{"action": "settle", "outcome": "release", "reason": "It is as described."}).wantCount("modifiedCount", 1)
}

// signInAgain gives a person a new session, because the clock has passed the end of the last one.
func (p *person) signInAgain() {
	p.t.Helper()
	now := p.clock.Now()
	p.cookie = "cookie-of-" + p.user.UID + now.Format("20060102150405")
	hash := sha256.Sum256([]byte(p.cookie))
	must(p.t, p.store.AddSession(p.t.Context(), market.Session{
		ID: hex.EncodeToString(hash[:]), UID: p.user.UID, CreatedAt: now, ExpiresAt: now.Add(month),
	}))
	p.refreshToken()
}

func TestEvidenceIsForBothSidesAndAdmins(t *testing.T) {
	e := newOrdersEnv(t)
	order := e.paidOrder(e.seller, e.buyer)
	addresses := []string{e.buyer.addPhoto(order), e.seller.addPhoto(order), e.buyer.addPhoto(order)}
	if addresses[0] == addresses[2] {
		t.Error("the same file has the same address twice")
	}
	wantPicture := func(a response) {
		t.Helper()
		a.wantStatus(http.StatusOK)
		if _, err := jpeg.Decode(bytes.NewReader(a.body)); err != nil {
			t.Errorf("it is no JPEG: %v", err)
		}
		for name, want := range map[string]string{
			"Content-Type": "image/jpeg", "Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff", "ETag": "",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
		} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
	}
	for _, address := range addresses {
		for _, p := range []*person{e.buyer, e.seller, e.admin} {
			wantPicture(p.get(address))
			wantPicture(p.withCookie(http.MethodGet, address, nil)) // as an img element of a page does
		}
		e.visitor().get(address).wantError(http.StatusUnauthorized, market.CodeNoToken)
		for _, p := range []*person{e.otherBuyer, e.otherSeller} {
			got, unknown := p.get(address), p.get("/evidence/"+strings.Repeat("0", 32))
			if got.wantError(http.StatusNotFound, market.CodeNotFound); string(got.body) != string(unknown.body) {
				t.Errorf("a stranger sees that the photograph exists: %s, and for an unknown one %s", got.body, unknown.body)
			}
		}
		e.buyer.withCookie(http.MethodGet, address, nil, header("Origin", "https://evil.example")).wantStatus(http.StatusForbidden)
		name := strings.TrimPrefix(address, "/evidence/")
		for _, path := range []string{"/images/" + name, "/images/" + name + ".jpg", "/images/evidence-" + name + ".jpg"} {
			e.buyer.get(path).wantStatus(http.StatusNotFound)
			e.admin.do(http.MethodDelete, path, nil).wantStatus(http.StatusNotFound)
		}
	}
	for _, path := range []string{"/evidence/x", "/evidence/" + strings.ToUpper(addresses[0][10:]), addresses[0] + ".jpg", "/evidence/..%2fx"} {
		e.buyer.get(path).wantStatus(http.StatusNotFound)
	}
}

func TestEvidenceHasOnlyPixels(t *testing.T) {
	e := newOrdersEnv(t)
	order := e.paidOrder(e.seller, e.buyer)
	var picture, form bytes.Buffer
	must(t, jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 64, 48)), nil))
	comment := "\xff\xfe\x00\x1123.81 N, 90.41 E"
	file := picture.String()[:2] + comment + picture.String()[2:] + "<script>"
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("image", "at-home.jpg")
	must(t, err)
	_, err = part.Write([]byte(file))
	must(t, err)
	must(t, writer.Close())
	var got struct{ Data struct{ URL string } }
	e.buyer.do(http.MethodPost, "/orders/"+order+"/photos", form.String(), header("Content-Type", writer.FormDataContentType())).wantStatus(http.StatusOK).decode(&got)
	served := string(e.seller.get(got.Data.URL).wantStatus(http.StatusOK).body)
	for _, private := range []string{"90.41 E", "<script>", "at-home"} {
		if strings.Contains(served, private) {
			t.Errorf("the picture has %q", private)
		}
	}
}

func TestWhoMayAddEvidence(t *testing.T) {
	e := newOrdersEnv(t)
	order := e.paidOrder(e.seller, e.buyer)
	form, contentType := photoForm(t)
	post := func(p *person, id string) response {
		return p.do(http.MethodPost, "/orders/"+id+"/photos", form, contentType)
	}
	post(e.visitor(), order).wantError(http.StatusUnauthorized, market.CodeNoToken)
	for _, p := range []*person{e.otherBuyer, e.otherSeller, e.admin} {
		post(p, order).wantError(http.StatusForbidden, market.CodeForbidden)
	}
	post(e.buyer, market.NewID(e.clock.Now())).wantError(http.StatusNotFound, market.CodeNotFound)
	post(e.otherBuyer, e.otherBuyer.book(e.seller.addPhone(e.brand))).wantError(http.StatusConflict, market.CodeConflict)
	e.buyer.do(http.MethodPost, "/orders/"+order+"/photos", "x", header("Content-Type", "text/plain")).wantStatus(http.StatusBadRequest)

	const limit = 12
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for range 4 { // the image host receives as many of one person at once
		all.Go(func() {
			for range 4 {
				got := post(e.buyer, order)
				mu.Lock()
				statuses[got.StatusCode]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if statuses[http.StatusOK] != limit || statuses[http.StatusConflict] != 4 {
		t.Errorf("the statuses of 16 uploads are %v, want %d of 200 and the others 409", statuses, limit)
	}
	post(e.buyer, order).wantError(http.StatusConflict, market.CodeTooMany)
	e.seller.addPhoto(order)
	e.buyer.addPhoto(e.paidOrder(e.seller, e.buyer))
	e.settleAsAdmin(order)
	post(e.seller, order).wantError(http.StatusConflict, market.CodeConflict)
}

// 180 days after the settlement the photographs of an order and their files are deleted.
func TestEvidenceIsDeletedAfterTheSettlement(t *testing.T) {
	e := newOrdersEnv(t)
	order, open := e.paidOrder(e.seller, e.buyer), e.paidOrder(e.seller, e.buyer)
	for _, id := range []string{order, open} { // nothing settles a problem by itself
		e.buyer.putFulfilment(id, fields{"action": "problem", "reason": "It is broken."}).wantCount("modifiedCount", 1)
	}
	address, kept := e.buyer.addPhoto(order), e.seller.addPhoto(open)
	// The upload of this one was killed before its file was stored.
	interrupted, err := e.market.AddEvidence(t.Context(), market.Actor{User: e.buyer.user}, order)
	must(t, err)
	e.buyer.get(interrupted.Address()).wantError(http.StatusNotFound, market.CodeNotFound)
	e.settleAsAdmin(order)
	step := func(after time.Duration) {
		t.Helper()
		e.clock.Pass(after)
		must(t, markettest.Runner(e.clock, e.images.AddJobs).Step(t.Context()))
		for _, p := range []*person{e.buyer, e.seller, e.admin} {
			p.signInAgain()
		}
	}
	step(180*24*time.Hour - time.Minute)
	e.seller.get(address).wantStatus(http.StatusOK)
	step(2 * time.Minute)
	for _, p := range []*person{e.buyer, e.seller, e.admin} {
		p.get(address).wantError(http.StatusNotFound, market.CodeNotFound)
		p.get(kept).wantStatus(http.StatusOK)
	}
	if left, err := e.store.EvidenceBy(t.Context(), e.buyer.user.UID, market.Page{Limit: 9}); err != nil || len(left) > 0 {
		t.Errorf("of the buyer there are %+v, %v", left, err)
	}
	files, err := os.ReadDir(e.pictures)
	must(t, err)
	if len(files) != 1 || !strings.Contains(files[0].Name(), strings.TrimPrefix(kept, "/evidence/")) {
		t.Errorf("the files of the image host are %v, want that of the open order", files)
	}
}

// If the file of a photograph cannot be stored, nothing is.
func TestFailedUploadOfEvidenceLeavesNothing(t *testing.T) {
	e := newOrdersEnv(t)
	order := e.paidOrder(e.seller, e.buyer)
	must(t, os.RemoveAll(e.pictures))
	must(t, os.Symlink(filepath.Join(t.TempDir(), "none"), e.pictures))
	form, contentType := photoForm(t)
	e.buyer.do(http.MethodPost, "/orders/"+order+"/photos", form, contentType).wantStatus(http.StatusInternalServerError)
	if left, err := e.store.EvidenceBy(t.Context(), e.buyer.user.UID, market.Page{Limit: 9}); err != nil || len(left) > 0 {
		t.Errorf("after the failure there are %+v, %v", left, err)
	}
}

// A person's export has the photographs that they have added, and not those of the other side.
func TestExportHasOwnEvidence(t *testing.T) {
	e := newOrdersEnv(t)
	order := e.paidOrder(e.seller, e.buyer)
	own, others := e.buyer.addPhoto(order), e.seller.addPhoto(order)
	got := e.buyer.withCookie(http.MethodGet, "/identity/data", nil).wantStatus(http.StatusOK)
	var data market.PersonView
	got.decode(&data)
	if len(data.Photographs) != 1 || data.Photographs[0].URL != own || data.Photographs[0].BookingID != order || data.Photographs[0].At.IsZero() {
		t.Errorf("the photographs are %+v, want %s", data.Photographs, own)
	}
	if strings.Contains(string(got.body), others) {
		t.Error("the export has a photograph of the seller")
	}
}
