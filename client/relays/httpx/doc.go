// Package httpx is how adapters talk to their relays: JSON over HTTP, and
// streams of events, on one send path.
//
// What holds for every request: the token goes to the configured origin and
// nowhere else; redirects are not followed; there is no cookie jar; one deadline
// covers the whole call with its body; what is read is bounded after
// decompression; every error is one of package client, and no text of it holds
// the token, user names of a URL or a query.
//
// A relay that wants to be left alone is, by requests and streams alike ([Hold]). A
// connection that is silent may have died without a word: what does not count is sent on
// a new one as well, and the old ones are dropped together, with their streams ([Client.Do]).
//
// A relay's JSON is taken apart in two steps. [Split] and [List] cut a page into
// raw items and are lenient about what is inside of them, so that one bad item
// costs that item only. [Decode] then reads one item strictly: exact names, no
// key twice, valid Unicode, bounded depth.
package httpx
