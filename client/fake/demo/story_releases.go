package demo

// releaseJobs are the stories of the relay that ships releases.
func releaseJobs() []Job {
	return []Job{
		{Title: "Release 2.4", By: Colleague, Scenes: []Scene{
			{Ask: Ask{Command: "git tag -s v2.4.0 -m 'Release 2.4'", Says: "Sign the tag of the release", Rule: "Bash(git tag:*)"},
				OnAllow: &Scene{Ask: Ask{Command: "git push origin v2.4.0", Says: "Push the tag, which starts the release"}},
				OnDeny:  &Scene{Ask: Ask{Command: "git log --oneline v2.3.0..HEAD", Says: "Only list what would be in it", Rule: "Bash(git log:*)"}}},
			{Ask: Ask{Questions: []Question{{Header: "Environment", Text: "Which environment gets it first?", Options: options("staging", "as always", "production", "one region only")}}},
				OnChoice: map[string]*Scene{"production": {Ask: Ask{Command: "./deploy.sh --region eu-1 v2.4.0", Says: "One region, and stop there"}}}},
			{Ask: Ask{Questions: []Question{
				{Header: "Notes", Text: "Which of these belong into the notes?", Several: true, Options: options("Faster start", "", "New export", "", "A fault in the cache", "nobody has noticed it")},
				{Header: "Tell", Text: "Who is told first?", Options: options("Support", "an hour before", "Everybody", "at once")},
			}}},
		}},
		{Title: "Mirror of the packages", Scenes: []Scene{
			{Ask: Ask{Command: "rm -rf /srv/mirror/old", Says: "Make room on the mirror"},
				OnDeny: &Scene{Ask: Ask{Command: "du -sh /srv/mirror/*", Says: "Show what takes the space", Rule: "Bash(du:*)"}}},
			{Ask: Ask{Edit: &Edit{Path: "mirror/sync.toml", Before: "interval = \"1h\"\n", After: "interval = \"15m\"\nverify = true\n"}}},
		}},
		{Title: "Licences of what is shipped", By: Agent, Scenes: []Scene{
			{Ask: Ask{Tool: "WebFetch", Input: struct {
				URL string `json:"url"`
			}{"https://spdx.example/licenses.json"}, Rule: "WebFetch(domain:spdx.example)"}},
			{Ask: Ask{Questions: []Question{{Header: "Licence", Text: "Two files say nothing about their licence. What now?", Options: options("Ask the authors", "", "Leave them out", "nothing needs them")}}}},
		}},
	}
}
