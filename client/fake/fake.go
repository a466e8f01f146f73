// Package fake runs relays to test and to try askbox against: strict servers
// over real HTTP on loopback, written from the wire pages and not from the
// adapters, with faults on request.
package fake
