// Package shelf is a persistent dictionary: string keys, values of one Go type.
package shelf
