package sqlite

import "testing"

// FuzzReadBundle reads arbitrary bytes as a bundle. Invalid ones must return an error.
func FuzzReadBundle(f *testing.F) {
	valid := []byte("\x01\x07brand:1\x0dproduct.added\x02p1\x04{ }\n\x02\x04" + "\x02\x05me:u1\x0dproduct.added\x02p1\x02\x04")
	f.Add(valid)
	f.Add(append([]byte{bundlePublished, bundlePublished}, valid...))
	f.Add(valid[:len(valid)/2])
	f.Add([]byte{bundleEvent, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{bundleSameData, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, bundle []byte) {
		events, err := readBundle(bundle)
		if err == nil && len(events) > len(bundle) {
			t.Errorf("the bundle % x has %d events, more than bytes", bundle, len(events))
		}
	})
}
