package chart

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"slices"
)

// encodePNG writes the image with a palette of its 256 most frequent colours.
// A chart has few colours and their smoothed edges, so nothing visible is lost,
// and the file, which a notebook carries for each chart, has a third of the
// size.
func encodePNG(img image.Image) ([]byte, error) {
	bounds := img.Bounds()
	full := image.NewRGBA(bounds)
	draw.Draw(full, bounds, img, bounds.Min, draw.Src)

	type pixel [4]byte
	count := map[pixel]int{}
	for i := 0; i < len(full.Pix); i += 4 {
		count[pixel(full.Pix[i:i+4])]++
	}
	colors := slices.SortedFunc(maps.Keys(count), func(a, b pixel) int {
		// The last comparison makes the file the same every time.
		return cmp.Or(count[b]-count[a], bytes.Compare(a[:], b[:]))
	})
	rgba := func(p pixel) color.RGBA { return color.RGBA{p[0], p[1], p[2], p[3]} }
	var palette color.Palette
	for _, p := range colors[:min(256, len(colors))] {
		palette = append(palette, rgba(p))
	}
	index := make(map[pixel]uint8, len(colors))
	for _, p := range colors {
		index[p] = uint8(palette.Index(rgba(p)))
	}
	small := image.NewPaletted(bounds, palette)
	for i := range small.Pix {
		small.Pix[i] = index[pixel(full.Pix[4*i:4*i+4])]
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, small); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
