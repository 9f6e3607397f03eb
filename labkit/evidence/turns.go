package evidence

import (
	"fmt"

	"shelflab/labkit"
)

// turn is a place in a round of one group of metrics at one n.
type turn struct {
	n     int
	group labkit.Group
	round int
	place int
}

// turnFaults says where the places in the rounds do not hang together: in each
// round every arm has a place of its own, the same for all of its metrics. The
// series have no other faults.
func (r *Run) turnFaults() []string {
	var list []string
	taken := map[turn]string{}
	type seat struct {
		turn
		arm string
	}
	places := map[seat]int{}
	for i, s := range r.Series {
		m, _ := r.Metric(s.Metric)
		for round, place := range s.Turns {
			at := turn{s.N, m.Group, round, place}
			where := fmt.Sprintf("series[%d] (%s, n = %d, %s): in round %d", i, s.Arm, s.N, s.Metric, round+1)
			if other, ok := taken[at]; ok && other != s.Arm {
				list = append(list, fmt.Sprintf("%s it has place %d, and so has %s", where, place, other))
			}
			taken[at] = s.Arm
			at.place = 0
			before, ok := places[seat{at, s.Arm}]
			if ok && before != place {
				list = append(list, fmt.Sprintf("%s it has place %d, but %d for another metric", where, place, before))
			}
			places[seat{at, s.Arm}] = place
		}
	}
	return list
}
