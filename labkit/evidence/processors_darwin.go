package evidence

// spentSoFar: this system tells what its processors do only through a library
// of C, so a run is judged by the load.
func spentSoFar() (spent, bool) { return spent{}, false }
