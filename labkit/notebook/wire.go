package notebook

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"github.com/go-zeromq/zmq4"
)

// connection is the file that tells a kernel where to listen. The transport is
// a Unix socket in the session's private folder: no port to race for, and
// nobody else on the machine can reach it.
type connection struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       int    `json:"shell_port"`
	ControlPort     int    `json:"control_port"`
	StdinPort       int    `json:"stdin_port"`
	IOPubPort       int    `json:"iopub_port"`
	HBPort          int    `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
}

func newConnection(socketBase string) connection {
	return connection{
		Transport: "ipc", IP: socketBase,
		ShellPort: 1, ControlPort: 2, StdinPort: 3, IOPubPort: 4, HBPort: 5,
		Key: randomHex(), SignatureScheme: "hmac-sha256",
	}
}

func (c connection) endpoint(port int) string {
	return fmt.Sprintf("%s://%s-%d", c.Transport, c.IP, port)
}

type header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// message is what came from the kernel, its signature checked.
type message struct {
	header  header
	parent  header
	content json.RawMessage
}

// wire speaks the Jupyter messaging protocol 5.4 over three sockets: requests
// and replies on shell, what a cell prints on iopub, a cell's questions on
// stdin. The control channel is not used: an interrupt is a signal and the end
// is a kill.
type wire struct {
	key     []byte
	session string
	shell   zmq4.Socket
	stdin   zmq4.Socket
	iopub   zmq4.Socket
}

// dial connects to a kernel that is about to listen; it retries until ctx ends.
func dial(ctx context.Context, conn connection) (*wire, error) {
	id := randomHex()
	opts := []zmq4.Option{
		// The kernel finds the stdin socket of a request by its shell identity.
		zmq4.WithID(zmq4.SocketIdentity(id)),
		zmq4.WithDialerRetry(5 * time.Millisecond),
		zmq4.WithDialerMaxRetries(-1),
		zmq4.WithLogger(log.New(io.Discard, "", 0)),
	}
	w := &wire{
		key: []byte(conn.Key), session: id,
		shell: zmq4.NewDealer(ctx, opts...),
		stdin: zmq4.NewDealer(ctx, opts...),
		iopub: zmq4.NewSub(ctx, opts...),
	}
	err := errors.Join(
		w.iopub.Dial(conn.endpoint(conn.IOPubPort)),
		w.shell.Dial(conn.endpoint(conn.ShellPort)),
		w.stdin.Dial(conn.endpoint(conn.StdinPort)),
	)
	if err == nil {
		err = w.iopub.SetOption(zmq4.OptionSubscribe, "")
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *wire) close() {
	// Errors of closing say only that the kernel went first.
	_ = w.shell.Close()
	_ = w.stdin.Close()
	_ = w.iopub.Close()
}

const delimiter = "<IDS|MSG>"

// request sends a message on the shell channel and returns its id, by which
// replies and outputs refer to it.
func (w *wire) request(msgType string, content any) (string, error) {
	h := header{
		ID: randomHex(), Session: w.session, Username: "lab",
		Date: time.Now().UTC().Format(time.RFC3339Nano), Type: msgType, Version: "5.4",
	}
	parts := make([][]byte, 4)
	for i, v := range []any{h, struct{}{}, struct{}{}, content} {
		p, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		parts[i] = p
	}
	frames := append([][]byte{[]byte(delimiter), []byte(w.sign(parts))}, parts...)
	return h.ID, w.shell.SendMulti(zmq4.NewMsgFrom(frames...))
}

// receive returns the next message of the socket, or an error when the socket
// is closed. Messages that nobody could have signed with the key are dropped.
func (w *wire) receive(s zmq4.Socket) (message, error) {
	for {
		raw, err := s.Recv()
		if err != nil {
			return message{}, err
		}
		if m, ok := w.parse(raw.Frames); ok {
			return m, nil
		}
	}
}

func (w *wire) parse(frames [][]byte) (m message, ok bool) {
	for len(frames) > 0 && string(frames[0]) != delimiter {
		frames = frames[1:]
	}
	if len(frames) < 6 {
		return m, false
	}
	parts := frames[2:6]
	if !hmac.Equal([]byte(w.sign(parts)), frames[1]) {
		return m, false
	}
	if json.Unmarshal(parts[0], &m.header) != nil || json.Unmarshal(parts[1], &m.parent) != nil {
		return m, false
	}
	m.content = parts[3]
	return m, true
}

func (w *wire) sign(parts [][]byte) string {
	mac := hmac.New(sha256.New, w.key)
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

func randomHex() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	return hex.EncodeToString(b[:])
}
