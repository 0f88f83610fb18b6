package sqlite

import "testing"

// FuzzReadBundle reads any bytes as a bundle: broken ones are an error.
func FuzzReadBundle(f *testing.F) {
	whole := []byte("\x01\x07brand:1\x0dproduct.added\x02p1\x04{ }\n\x02\x04" + "\x02\x05me:u1\x0dproduct.added\x02p1\x02\x04")
	f.Add(whole)
	f.Add(append([]byte{bundleGone, bundleGone}, whole...))
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{bundleEvent, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{bundleSameData, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, bundle []byte) {
		events, err := readBundle(bundle)
		if err == nil && len(events) > len(bundle) {
			t.Errorf("% x: %d events", bundle, len(events))
		}
	})
}
