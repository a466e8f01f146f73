package opencode

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

var _ client.RuleKeeper = (*Relay)(nil)

// wireRule is what the second engine stored for one project. The first engine keeps what
// it always allows in memory, and tells nobody.
type wireRule struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectID"`
	Action    string `json:"action"`
	Resource  string `json:"resource"`
}

// Rules reads what was always allowed and is stored. There is a list for each project,
// and one of those that belong to none.
func (r *Relay) Rules(ctx context.Context) ([]client.Rule, error) {
	projects, err := r.projects(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := r.stored(ctx, "")
	if err != nil {
		return nil, err
	}
	for id := range projects {
		some, err := r.stored(ctx, id)
		if err != nil {
			return nil, err
		}
		stored = append(stored, some...)
	}
	slices.SortFunc(stored, func(a, b wireRule) int { return cmp.Compare(a.ID, b.ID) })
	var rules []client.Rule
	for _, w := range slices.CompactFunc(stored, func(a, b wireRule) bool { return a.ID == b.ID }) {
		rules = append(rules, client.Rule{ID: w.ID, Permission: text.New(w.Action), Pattern: text.New(w.Resource),
			Project: text.New(cmp.Or(projects[w.ProjectID], w.ProjectID))})
	}
	return rules, nil
}

// projects returns the folders of all projects, by their ids.
func (r *Relay) projects(ctx context.Context) (map[string]string, error) {
	reply, err := r.get(ctx, httpx.Path("project"), nil)
	if err != nil {
		return nil, r.stranger.Name(ctx, err)
	}
	raws, err := httpx.List(reply.Body)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, raw := range raws {
		var project struct {
			ID       string `json:"id"`
			Worktree string `json:"worktree"`
		}
		if httpx.Decode(raw, &project) != nil || project.ID == "" {
			return nil, &client.NotRelay{What: "a project that cannot be read"}
		}
		all[project.ID] = project.Worktree
	}
	return all, nil
}

// stored reads the list of a project.
func (r *Relay) stored(ctx context.Context, project string) (rules []wireRule, err error) {
	var query url.Values
	if project != "" {
		query = url.Values{"projectID": {project}}
	}
	reply, err := r.get(ctx, httpx.Path("api", "permission", "saved"), query)
	switch {
	case missing(err), reply != nil && reply.Status == 500:
		// Kilo has the route and nothing behind it.
		return nil, &client.NotAllowed{Why: "this server stores no rules, or does not list them"}
	case err != nil:
		return nil, err
	}
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return nil, err
	}
	raws, err := httpx.List(o.Get("data"))
	if err != nil {
		return nil, &client.NotRelay{What: "JSON without a list of rules"}
	}
	for _, raw := range raws {
		var w wireRule
		if httpx.Decode(raw, &w) != nil || !httpx.Segment(w.ID) {
			return nil, &client.NotRelay{What: "a rule that cannot be read"}
		}
		rules = append(rules, w)
	}
	return rules, nil
}

// Revoke takes a stored rule back. The server says the same of one that it does not
// know, so that it is looked for afterwards.
func (r *Relay) Revoke(ctx context.Context, id string) error {
	reply, err := r.http.Do(ctx, httpx.Request{Method: "DELETE", Path: httpx.Path("api", "permission", "saved", id), Counts: true, Bare: true})
	if err = r.meaning(reply, err); err != nil {
		return err
	}
	rules, err := r.Rules(ctx)
	if err != nil {
		return &client.Uncertain{Err: err}
	}
	if slices.ContainsFunc(rules, func(rule client.Rule) bool { return rule.ID == id }) {
		return &client.Failed{Why: "it still lists the rule"}
	}
	return nil
}
