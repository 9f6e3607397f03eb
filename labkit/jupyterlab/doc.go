// Package jupyterlab gives a notebook to a person: a private JupyterLab with the
// lab's own Go kernel, in which cells complete and explain what stands in them,
// and whose own export to HTML gives the page that the lab writes.
//
// # Goals
//
// On a machine with Go and Python one command ends in an open notebook, and the
// second time in a few seconds. Nothing outside the cache folder is written but
// the notebooks that the user saves: no global kernel specification, no global
// pip, no file beside a notebook. When it ends, nothing of it runs on.
//
// # Non-goals
//
// It serves one person on this machine: it listens on the loopback interface
// alone. It is not needed for measuring: package notebook runs notebooks with Go
// and nothing else.
//
// # The way
//
//  1. [Setup] finds a Python and makes a virtual environment from
//     requirements.txt, in which every package is pinned with its hash; an
//     environment is made once for each Python and list. [SetupGopls] builds the
//     language server that the kernel asks for completions and help.
//  2. [Start] writes what this start needs into a private folder (kernel
//     specification, settings, what makes the page of an export) and starts the server.
//  3. [Server.URL] is what a browser opens; [OpenBrowser] opens one.
//  4. [Server.Close] ends the server, its kernels, and all that they started.
//
// How long each cell of notebook 01 takes here from run to output, beside a cell
// that only says hello, is measured by
//
//	go test -run '^$' -bench Cells -benchtime 1x ./labkit/jupyterlab
//
// Of the rooms that people use, this one alone knows Python.
//
// Unix only, as GoNB is.
package jupyterlab
