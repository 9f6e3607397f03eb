package notebook

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// What a page may consist of. New names are added only when they can neither
// run nor load anything.
var (
	htmlElements = set(`
		a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup
		dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img
		ins kbd li main mark meter nav ol p pre progress q rp rt ruby s samp section small span
		strike strong sub summary sup svg table tbody td tfoot th thead time tr tt u ul var wbr`)

	// droppedElements go with all that is in them: it is no text to read.
	// Elements in neither list lose the tag alone.
	droppedElements = set(`
		applet audio base canvas embed frame frameset head iframe link math meta noembed noframes
		noscript object option param picture plaintext script select source template textarea title
		track video xmp`)

	htmlAttributes = set(`
		align alt bgcolor border cellpadding cellspacing class color colspan datetime dir headers
		height high id label lang low max min open optimum reversed role rowspan scope span start
		style title type valign value width`)

	svgElements = set(`
		a circle clipPath defs ellipse feBlend feColorMatrix feComponentTransfer feComposite
		feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood
		feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset
		fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter g image line
		linearGradient marker mask path pattern polygon polyline radialGradient rect stop svg switch
		symbol text textPath tspan use view`)

	svgAttributes = set(`
		alignment-baseline amplitude azimuth baseFrequency baseline-shift class clip-path clip-rule
		clipPathUnits color color-interpolation color-interpolation-filters cx cy d diffuseConstant
		direction display divisor dominant-baseline dx dy edgeMode elevation exponent fill
		fill-opacity fill-rule filter filterUnits flood-color flood-opacity font-family font-size
		font-size-adjust font-stretch font-style font-variant font-weight fr fx fy gradientTransform
		gradientUnits height id in in2 intercept k1 k2 k3 k4 kernelMatrix lang lengthAdjust
		letter-spacing lighting-color limitingConeAngle marker-end marker-mid marker-start
		markerHeight markerUnits markerWidth mask maskContentUnits maskUnits mode numOctaves offset
		opacity operator order orient overflow paint-order patternContentUnits patternTransform
		patternUnits pathLength points pointer-events pointsAtX pointsAtY pointsAtZ preserveAlpha
		preserveAspectRatio primitiveUnits r radius refX refY result role rotate rx ry scale seed
		shape-rendering side slope specularConstant specularExponent spreadMethod startOffset
		stdDeviation stitchTiles stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
		stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style surfaceScale
		systemLanguage tabindex tableValues targetX targetY text-anchor text-decoration text-rendering
		textLength title transform transform-origin type unicode-bidi values vector-effect version
		viewBox visibility width word-spacing writing-mode x x1 x2 xChannelSelector xml:space
		xmlns xmlns:xlink y y1 y2 yChannelSelector z`)
)
