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
	// Growth comparisons ask how an arm's metrics grow with n, by LogSlope over
	// the sizes of the plan. Both arms are the same.
	Growth Role = "growth"
	// Crosses comparisons ask from which n on the other arm is better, by Crossing
	// over the sizes of the plan.
	Crosses Role = "crossing"
	// Claim comparisons ask whether what somebody has published is seen here, in
	// stores of the kind that it was published of: that A is better than B in the
	// one metric or, with Against, that A takes less of it than B of Against.
	Claim Role = "claim"
	// CarryOver comparisons ask whether the same claim holds of other stores.
	CarryOver Role = "carry-over"
	// Flat comparisons ask what one record costs an arm at the largest size that it
	// is measured at, against what it costs at a small one. Both arms are the same.
	Flat Role = "flat"
)

// Claims tells whether comparisons of the role are about a claim.
func (r Role) Claims() bool { return r == Claim || r == CarryOver }

// Results returns the arms whose results are shown: all but the controls.
func Results(arms []Arm) []Arm {
	return slices.DeleteFunc(slices.Clone(arms), func(a Arm) bool { return a.Control })
}

// AsControl is an arm once more, under another name: the control, which differs from
// it by noise alone.
func AsControl(arm Arm) Arm {
	arm.Name += ", again"
	arm.Control = true
	return arm
}

// ControlOf sets an arm against itself, as AsControl gives it.
func ControlOf(arm string, metrics ...string) Comparison {
	return Comparison{Role: Control, Label: "the control", A: arm, B: arm + ", again", Metrics: metrics}
}

// Comparison names two arms that are set against each other by the ratio
// paired inside each round, and in which metrics.
type Comparison struct {
	Role    Role     `json:"role"`    // what it is for: "headline", "part", "price", "control", "growth", "claim", "carry-over", "flat", "crossing"
	Label   string   `json:"label"`   // headline and claims: the pair ("ours"); part: whose part it is ("the cores"); control: any name
	A       string   `json:"a"`       // arm
	B       string   `json:"b"`       // arm
	Metrics []string `json:"metrics"` // names of the metrics that are compared
	// Against is the name of B's metric where that is another one than A's: the
	// ratio then says how many times as much A's samples are as B's, whichever is
	// better. Both are of one raw unit, and A may be B: how much longer a load
	// takes than the dump before it. Rounds are paired by their number. Those of
	// another group of metrics were taken at another time, which is good for what
	// hardly varies, such as bytes on disk, and for nothing else.
	Against string `json:"against,omitempty"`
	// Claim is what was published, of the roles Claim and CarryOver: a sentence
	// without its full stop, "A blob is written faster". Comparisons of one Claim
	// belong together.
	Claim string `json:"claim,omitempty"`
}
