package mongo_test

import (
	"cmp"
	"reflect"
	"strings"
	"testing"

	"secondring/market"
)

// An entity's field is stored under its bson tag, or else under its name in lower case. A
// field that is renamed in Go needs a tag with the stored name.
func TestStoredFieldNamesStayTheSame(t *testing.T) {
	for typ, want := range map[reflect.Type]string{
		reflect.TypeFor[market.User]():         "id uid name email accounttype admin status removed leaving sweepuntil emails payoutaccount version createdat",
		reflect.TypeFor[market.EmailChoice]():  "kind when",
		reflect.TypeFor[market.Account]():      "uid email passwordhash googlesub displayname photourl removed unproven links devices restoredat restoredfrom secondfactor version createdat credentialsversion keptsession",
		reflect.TypeFor[market.Session]():      "id uid device network createdat seenat expiresat credentialsversion",
		reflect.TypeFor[market.AccountLink]():  "purpose hash email expires at used",
		reflect.TypeFor[market.SecondFactor](): "secret confirmed laststep recovery address",
		reflect.TypeFor[market.Brand]():        "id name img version createdat",
		reflect.TypeFor[market.Product](): `id brandid brand name img photos originalprice resaleprice storage usedtime condition description
			selleruid sellername selleremail location phone postedon verified advertised sold hold waitlist version termsversion editedversion createdat`,
		reflect.TypeFor[market.Hold]():        "bookingid buyeruid name email phone location at until transaction turn network refunded",
		reflect.TypeFor[market.Waiter]():      "id uid phone location at network",
		reflect.TypeFor[market.Watching]():    "id uid phones searches version createdat",
		reflect.TypeFor[market.Watch]():       "id productid at",
		reflect.TypeFor[market.SavedSearch](): "id name query at",
		reflect.TypeFor[market.Query]():       "text location brands conditions minprice maxprice minstorage storage verified available sort",
		reflect.TypeFor[market.Photo]():       "url alt picture",
		reflect.TypeFor[market.Picture]():     "width height blur widths",
		reflect.TypeFor[market.Booking](): `id buyeruid username email productid selleruid productname brandid brand img price phone
			location status holduntil intent intentat attempt closing closingat due endedat seller fulfilment commission payout dispute turn termsversion network version createdat`,
		reflect.TypeFor[market.Fulfilment]():    "state method carrier tracking corrections problem reason outcome paidat sentat receivedat problemat settledat settlesat handover",
		reflect.TypeFor[market.Handover]():      "code expires tries",
		reflect.TypeFor[market.Payment]():       "id transaction bookingid productid buyeruid selleruid email price inledger outcome refundedat version createdat",
		reflect.TypeFor[market.LedgerEntry]():   "id bookingid selleruid buyeruid kind cents reference at",
		reflect.TypeFor[market.Payout]():        "cents reference at istransfer number takingbackat takenbackat repayment shortat",
		reflect.TypeFor[market.Dispute]():       "state openedat closedat",
		reflect.TypeFor[market.Record]():        "kind id data due expires version",
		reflect.TypeFor[market.Report]():        "id productid sellerid reporteruid username email productname brandid brand img reason version createdat",
		reflect.TypeFor[market.AuditEntry]():    "id at actorid actor deed target targetid concernid",
		reflect.TypeFor[market.Notification]():  "id uid kind text subject link productid cause matches at readat version email emaildue",
		reflect.TypeFor[market.Event]():         "seq topic type at entity version data",
		reflect.TypeFor[market.PayoutAccount](): "id isready",
	} {
		var names []string
		for field := range typ.Fields() {
			names = append(names, cmp.Or(field.Tag.Get("bson"), strings.ToLower(field.Name)))
		}
		if got, want := strings.Join(names, " "), strings.Join(strings.Fields(want), " "); got != want {
			t.Errorf("%s is stored with the fields\n%s\nwant\n%s", typ, got, want)
		}
	}
}
