package images

import (
	"bytes"
	"image"
	"testing"
)

// The Huffman trees of a small lossless WebP can need a hundred times the memory of its pixels.
func TestHuffmanTreesOfWebPAreCounted(t *testing.T) {
	picture := image.Config{Width: 204, Height: 204}
	pixels := 8 * int64(204*204)
	for chunk, want := range map[string]int64{
		"VP8 ": pixels,
		"VP8L": pixels + 2600*huffmanGroupBytes, // 51 × 51 tiles
		"VP8X": pixels + 2600*huffmanGroupBytes, // the alpha channel may be lossless
	} {
		got, err := webpCost(bytes.NewReader([]byte("RIFF\x00\x00\x00\x00WEBP"+chunk)), picture)
		if err != nil || got != want {
			t.Errorf("%s: %d bytes, %v; want %d", chunk, got, err, want)
		}
	}
	if _, err := webpCost(bytes.NewReader([]byte("RIFF")), picture); err == nil {
		t.Error("a truncated file has a cost")
	}
}
