// Package notebook reads, runs and renders Jupyter notebooks in Go, with a
// GoNB kernel that it builds and speaks to itself.
//
// # Goals
//
// It needs Go and nothing else: no Python, no Jupyter, no browser. A run never
// hangs, keeps everything that a failed notebook put out, names the cell that
// failed, and leaves nothing behind: no process, no lock, no file outside the
// cache folder. What it writes is what Jupyter writes. The HTML is evidence: one
// file that runs nothing, loads nothing and reads the same in ten years.
//
// # Non-goals
//
// It is no front end: nobody can type into a cell, and widgets stay still. It
// knows one kernel. It does not interpret parameters; they reach the cells as
// environment variables. It reads nbformat 4 and converts nothing older.
//
// # The way of a run
//
//  1. [Read] parses the notebook; what it does not know it keeps.
//  2. [Setup] builds the kernel from the module's own go.mod, once, and
//     compiles the packages that the notebook imports ([Notebook.Imports]).
//  3. [Run] starts the kernel in a private folder and executes cell by cell.
//     Each cell becomes a Go program; its outputs come back over the Jupyter
//     protocol and are kept in order. An update of a display changes the cell
//     that shows it, also an earlier one.
//  4. The first cell that fails ends the run with a [CellError]; so do a time
//     limit, the end of the context, and a kernel that dies. A cell is first
//     interrupted, so that it can note that it is incomplete, then killed with
//     all that it started.
//  5. [Notebook.Write] saves the executed notebook, [Notebook.HTML] the page;
//     [ReadAttachments] reads back what a page carries.
//
// # Processes
//
// The kernel, the compilers and the cell programs form one process group in a
// session of their own. A Ctrl-C in the terminal therefore reaches only the
// program that runs the notebook, which ends its context. Should that program
// be killed outright, a guard process ends the group and removes its folder.
//
// Unix only, as GoNB is.
package notebook
