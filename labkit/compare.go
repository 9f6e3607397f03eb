package labkit

import "slices"

// Role says what a comparison is for.
type Role string

const (
	// Headline comparisons are the verdict: one sentence for each metric.
	Headline Role = "headline"
	// Part comparisons say where a headline's difference comes from.
	Part Role = "part"
	// Price comparisons set an arm against itself at another durability: that
	// the two do unequal work is what is asked.
	Price Role = "price"
	// Control comparisons set an arm against itself: what they show is noise.
	Control Role = "control"
)

// Results returns the arms whose results are shown: all but the controls.
func Results(arms []Arm) []Arm {
	return slices.DeleteFunc(slices.Clone(arms), func(a Arm) bool { return a.Control })
}

// Comparison names two arms that are set against each other by the ratio
// paired inside each round, and in which metrics.
type Comparison struct {
	Role    Role     `json:"role"`    // what it is for: "headline", "part", "price", "control"
	Label   string   `json:"label"`   // headline: the pair ("ours"); part: whose part it is ("the cores"); control: any name
	A       string   `json:"a"`       // arm
	B       string   `json:"b"`       // arm
	Metrics []string `json:"metrics"` // names of the metrics that are compared
}
