package kill

import "shelflab/labkit/arms/live"

// Found is what a writer has left.
type Found struct {
	Lost    int // acknowledged writes that are not there, nor a later one in their place
	Torn    int // items that are neither the old nor a new one, or cannot be read
	Partial int // items of a write of all that was not acknowledged, there without the rest
}

// look opens a store after a kill. One that cannot be opened has torn all items.
func (s Subject) look(path string, n, acknowledged int) Found {
	get, closes, err := s.Look(path)
	if err != nil {
		get = func(string) (live.Item, error) { return live.Item{}, err }
	} else {
		defer closes()
	}
	versions := make([]int, n)
	for i := range versions {
		versions[i] = torn
		if item, err := get(live.Key(i)); err == nil && item.Whole() && item.Version >= 0 {
			versions[i] = item.Version
		}
	}
	if s.Whole {
		return judgeWhole(versions, acknowledged)
	}
	return judge(versions, acknowledged)
}

// torn stands for a version where there is no whole item.
const torn = -1

// judge looks at the versions of items that were written one by one, in turns: the
// i-th write was of item i modulo their number.
func judge(versions []int, acknowledged int) (f Found) {
	n := len(versions)
	for key, version := range versions {
		last := lastOf(key, n, acknowledged)
		// The next write may be there, acknowledged or not; one that was never
		// made, or of another item, cannot.
		next := lastOf(key, n, acknowledged+1)
		if version == torn || version > next || version > 0 && version%n != key {
			f.Torn++
			if last > 0 {
				f.Lost++ // the one that should be there; those before it are replaced
			}
			continue
		}
		for version < last {
			f.Lost++
			last -= n
		}
	}
	return f
}

// lastOf is the last write of an item among the first so many, 0 if there is none.
func lastOf(key, n, writes int) int {
	last := writes - (writes-key+n)%n
	return max(last, 0)
}

// judgeWhole looks at the versions of items that were all written each time.
func judgeWhole(versions []int, acknowledged int) (f Found) {
	oldest, newer := acknowledged, 0
	for _, version := range versions {
		switch {
		case version == torn || version > acknowledged+1:
			f.Torn++
		case version > acknowledged:
			newer++
		default:
			oldest = min(oldest, version)
		}
	}
	f.Lost = acknowledged - oldest
	if f.Torn > 0 && acknowledged > 0 {
		f.Lost = max(f.Lost, 1)
	}
	if newer < len(versions) {
		f.Partial = newer
	}
	return f
}
