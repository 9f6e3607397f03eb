package notebook_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"shelflab/labkit/notebook"
)

// A notebook from its cells to its page.
func Example() {
	nb := notebook.New(
		&notebook.Cell{Kind: notebook.Markdown, Source: "# The answer"},
		&notebook.Cell{Kind: notebook.Code, Source: "import \"fmt\"\n\n%%\nfmt.Println(6 * 7)"},
		&notebook.Cell{Kind: notebook.Code, Source: "// The question\n%%\npanic(\"nobody knows\")"},
	)
	cache, err := os.UserCacheDir()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	kernel, err := notebook.Setup(ctx, "../..", filepath.Join(cache, "shelflab-test"), nb.Imports(), nil)
	if err != nil {
		log.Fatal(err)
	}
	out, err := notebook.Run(ctx, kernel, nb, notebook.Options{})
	fmt.Print(out.Cells[1].Outputs[0].Text)
	fmt.Println(err)
	fmt.Println(out.HTML(io.Discard, notebook.Page{}))
	// Output:
	// 42
	// cell [2] "The question": line 3: panic: nobody knows (exit status 2)
	// <nil>
}
