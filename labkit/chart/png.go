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

// pixel is a colour as image.RGBA stores it.
type pixel [4]byte

// runs calls do for each stretch of equal pixels. A chart is mostly empty, so
// there are few; looking up each pixel would take longer than drawing.
func runs(pix []byte, do func(p pixel, from, to int)) {
	from := 0
	for i := 4; i <= len(pix); i += 4 {
		if i == len(pix) || pixel(pix[i:i+4]) != pixel(pix[i-4:i]) {
			do(pixel(pix[i-4:i]), from, i/4)
			from = i / 4
		}
	}
}

// encodePNG writes the image with a palette of its 256 most frequent colours.
// A chart has few colours and their smoothed edges, so nothing visible is lost,
// and the file, which a notebook carries for each chart, has a third of the
// size.
func encodePNG(img image.Image) ([]byte, error) {
	bounds := img.Bounds()
	full := image.NewRGBA(bounds)
	draw.Draw(full, bounds, img, bounds.Min, draw.Src)

	count := map[pixel]int{}
	runs(full.Pix, func(p pixel, from, to int) { count[p] += to - from })
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
	runs(full.Pix, func(p pixel, from, to int) {
		at := index[p]
		for i := from; i < to; i++ {
			small.Pix[i] = at
		}
	})
	var buf bytes.Buffer
	if err := png.Encode(&buf, small); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
