package jupyterlab

import (
	"debug/buildinfo"
	_ "embed"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"shelflab/labkit/notebook"
)

// files is what one start of a server needs, in its private folder: everything
// of Jupyter's that could otherwise lie in the user's home or in the system.
type files struct {
	tmp   string // goes with the server
	state string // stays
}

// kernelName is the one that the notebooks name.
const kernelName = "gonb"

var (
	//go:embed hover/package.json
	hoverPackage []byte
	//go:embed hover/hover.js
	hoverJS []byte
	//go:embed config.py
	configPy []byte
	//go:embed custom.css
	customCSS []byte
)

// share is where Jupyter looks for kernels and extensions first.
func (f files) share() string { return filepath.Join(f.tmp, "share") }

// config is where Jupyter looks for settings.
func (f files) config() string { return filepath.Join(f.tmp, "config") }

func (f files) tokenFile() string { return filepath.Join(f.tmp, "token") }

// write writes everything.
func (f files) write(opt Options, token string) error {
	for _, dir := range []string{"tmp", "runtime", "checkpoints"} {
		if err := os.Mkdir(filepath.Join(f.tmp, dir), 0o700); err != nil {
			return notebook.FolderError(err)
		}
	}
	for _, dir := range []string{"config", "data"} {
		if err := os.MkdirAll(filepath.Join(f.state, dir), 0o700); err != nil {
			return notebook.FolderError(err)
		}
	}
	hover := filepath.Join(f.share(), "labextensions", "shelflab-hover")
	all := map[string][]byte{
		f.tokenFile(): []byte(token),
		filepath.Join(f.share(), "kernels", kernelName, "kernel.json"):           encoded(kernelSpec(opt)),
		filepath.Join(f.config(), "jupyter_server_config.py"):                    configPy,
		filepath.Join(f.config(), "lab.json"):                                    encoded(forConfig(opt)),
		filepath.Join(f.config(), "jupyter_server_config.json"):                  encoded(f.settings()),
		filepath.Join(hover, "package.json"):                                     hoverPackage,
		filepath.Join(hover, "static", "hover.js"):                               hoverJS,
		filepath.Join(f.config(), "labconfig", "default_setting_overrides.json"): encoded(interfaceSettings),
	}
	// What the user has made of it stays.
	custom := filepath.Join(f.state, "config", "custom", "custom.css")
	if _, err := os.Stat(custom); errors.Is(err, fs.ErrNotExist) {
		all[custom] = customCSS
	}
	for path, data := range all {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return notebook.FolderError(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return notebook.FolderError(err)
		}
	}
	return nil
}

// encoded is a value of this package's own as JSON.
func encoded(v any) []byte {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // maps, texts and numbers alone
	}
	return data
}

type object = map[string]any

// kernelSpec describes the kernel to Jupyter. Interrupts go by message, as GoNB
// installs itself.
func kernelSpec(opt Options) object {
	env := object{}
	for _, kv := range opt.Kernel.Env() {
		name, value, _ := strings.Cut(kv, "=")
		env[name] = value
	}
	path := []string{filepath.Dir(opt.Kernel.Gonb), os.Getenv("PATH")}
	if opt.Gopls != "" {
		path = append([]string{opt.Gopls}, path...)
	}
	env["PATH"] = strings.Join(path, string(os.PathListSeparator))
	return object{
		"argv":           opt.Kernel.Args("{connection_file}"),
		"display_name":   "Go (gonb)",
		"language":       "go",
		"interrupt_mode": "message",
		"env":            env,
	}
}

// forConfig is what config.py reads.
func forConfig(opt Options) object {
	version := runtime.Version()
	if built, err := buildinfo.ReadFile(opt.Kernel.Gonb); err == nil {
		version = built.GoVersion
	}
	return object{
		"export":        opt.Export,
		"language_info": notebook.New().Metadata["language_info"],
		// As GoNB answers when it is asked what it is.
		"kernel_language": object{
			"name": "go", "version": version, "mimetype": "text/x-go", "file_extension": ".go",
			"pygments_lexer": "", "codemirror_mode": "", "nbconvert_exporter": "",
		},
	}
}

// settings are those of the server. Checkpoints, which Jupyter would put beside
// each notebook, go with it.
func (f files) settings() object {
	return object{
		"FileCheckpoints":   object{"root_dir": filepath.Join(f.tmp, "checkpoints")},
		"KernelSpecManager": object{"allowed_kernelspecs": []string{kernelName}, "ensure_native_kernel": false},
		"LabApp":            object{"extension_manager": "readonly", "news_url": nil, "check_for_updates_class": "jupyterlab.NeverCheckForUpdate", "custom_css": true},
		"ServerApp":         object{"port_retries": 0, "terminals_enabled": true},
	}
}

// interfaceSettings are the defaults of the interface, which the user can
// change: nothing is fetched, Go is indented by tabs, gopls gets its time, and
// the theme is the system's.
var interfaceSettings = object{
	"@jupyterlab/apputils-extension:notification": object{"fetchNews": "false", "checkForUpdates": false},
	"@jupyterlab/apputils-extension:themes":       object{"adaptive-theme": true},
	"@jupyterlab/completer-extension:manager":     object{"providerTimeout": 5000, "showDocumentationPanel": true},
	"@jupyterlab/notebook-extension:tracker": object{
		"codeCellConfig": object{"lineNumbers": false, "lineWrap": false, "indentUnit": "Tab", "tabSize": 4},
	},
}

// flags are those that must not be changed by any setting.
func (f files) flags(opt Options, port int) []string {
	flags := []string{
		"--no-browser",
		"--ServerApp.ip=127.0.0.1",
		"--ServerApp.port=" + strconv.Itoa(port),
		"--ServerApp.root_dir=" + opt.Dir,
	}
	if opt.Root {
		flags = append(flags, "--allow-root")
	}
	return flags
}

// environ is the user's environment with Jupyter's folders in place of the
// user's and the system's.
func (f files) environ(user []string) []string {
	var env []string
	for _, kv := range user {
		if !isPrivate(kv) {
			env = append(env, kv)
		}
	}
	return append(env,
		"JUPYTER_CONFIG_DIR="+filepath.Join(f.state, "config"),
		"JUPYTER_CONFIG_PATH="+f.config(),
		"JUPYTER_DATA_DIR="+filepath.Join(f.state, "data"),
		"JUPYTER_PATH="+f.share(),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(f.tmp, "runtime"),
		"JUPYTER_TOKEN_FILE="+f.tokenFile(),
		"JUPYTER_PLATFORM_DIRS=0",
		"TMPDIR="+filepath.Join(f.tmp, "tmp"),
	)
}
