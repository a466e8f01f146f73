package demo

// homeJobs are the stories of the relay at home.
func homeJobs() []Job {
	return []Job{
		{Title: "Blog: move to static pages", Scenes: []Scene{
			{Ask: Ask{Questions: []Question{
				{Header: "Ship", Text: "Everything is converted. Ship today?", Options: options("Today", "", "On Sunday", "when few people read")},
				{Header: "Links", Text: "What shall become of old links?", Options: options("Redirect them", "one rule for each of the 87 posts", "Let them go", "")},
			}, Urgent: true}},
			{Ask: Ask{Edit: &Edit{Path: "templates/post.html", Before: "<article>\n  {{ .Body }}\n</article>", After: "<article lang=\"{{ .Language }}\">\n  <h1>{{ .Title }}</h1>\n  {{ .Body }}\n</article>"}}},
			{Ask: Ask{Command: "hugo --minify && rsync -a public/ web:/srv/blog/", Says: "Build and publish"},
				OnDeny: &Scene{Ask: Ask{Command: "hugo server --port 1314", Says: "Serve it here for a look first", Rule: "Bash(hugo server:*)"}}},
		}},
		{Title: "Energy dashboard", By: Agent, Scenes: []Scene{
			{Ask: Ask{Secret: "METER_TOKEN", Says: "To read the electricity meter"}},
			{Ask: Ask{Edit: &Edit{Path: "dashboard/config.yaml", Before: "interval: 60s\nretain: 30d\n", After: "interval: 10s\nretain: 365d\ncompact: true\n"}}},
		}},
		{Title: "Translate the choir's page", By: Colleague, Scenes: []Scene{
			{Ask: Ask{Questions: []Question{{Header: "Language", Text: "Which languages?", Several: true, Options: options("German", "", "French", "", "Polish", "asked for twice")}}}},
			{Ask: Ask{Command: "git add site/i18n && git commit -m 'Add translations'", Says: "Keep the translations", Rule: "Bash(git commit:*)"}},
		}},
		{Title: "Photo backup", Scenes: []Scene{
			{Ask: Ask{Command: "rsync -av --dry-run ~/Pictures/ nas:/photos/", Says: "See what the backup would copy", Rule: "Bash(rsync -av --dry-run:*)"},
				OnAllow: &Scene{Ask: Ask{Questions: []Question{{Header: "Doubles", Text: "412 photos are there twice. What shall I do with them?", Recommended: 1,
					Options: options("Keep the older", "and list the others", "Keep both", "", "Show me first", "a page with both side by side")}}}}},
			{Ask: Ask{Command: "rsync -av --delete ~/Pictures/ nas:/photos/", Says: "Copy, and delete on the NAS what is gone here"},
				OnDeny: &Scene{Ask: Ask{Command: "rsync -av ~/Pictures/ nas:/photos/", Says: "Copy only, delete nothing", Rule: "Bash(rsync -av:*)"}}},
			{Ask: Ask{Secret: "NAS_PASSWORD", Says: "To check the backup from the other side"}},
		}},
		{Title: "Naming in the recipe app", Scenes: []Scene{
			{Ask: Ask{Questions: []Question{{Header: "Style", Text: "Which naming style for the database columns?", Options: options("snake_case", "as the tables of today", "camelCase", "as the code")}}},
				OnChoice: map[string]*Scene{
					"camelCase":  {Ask: Ask{Plan: "1. Rename 23 columns in one migration.\n2. Change the queries.\n3. Keep views under the old names for a week."}},
					"snake_case": {Ask: Ask{Command: "npm run lint -- --fix", Says: "Bring the rest in line", Rule: "Bash(npm run lint:*)"}},
				}},
			{Ask: Ask{Command: "npm test", Says: "Run the tests", Rule: "Bash(npm test)"}},
		}},
		{Title: "Tidy the home server", By: Agent, Scenes: []Scene{
			{Ask: Ask{Command: "docker image prune --all --filter until=720h", Says: "Remove images older than a month"},
				OnDeny: &Scene{Ask: Ask{Command: "docker system df -v", Says: "Only show what takes the space", Rule: "Bash(docker system df:*)"}}},
			{Ask: Ask{Command: "sudo apt-get -y dist-upgrade", Says: "Install 31 updates"}},
			{Ask: Ask{Questions: []Question{{Header: "Restart", Text: "The new kernel wants a restart. When?", Options: options("Now", "", "At 04:00", "", "Never by yourself", "I do it")}}}},
		}},
	}
}

// laptopJobs are the stories of the relay that comes and goes.
func laptopJobs() []Job {
	return []Job{
		{Title: "Notes: search by tag", Scenes: []Scene{
			{Ask: Ask{Command: "cargo test --quiet", Says: "Run the tests of the notes app", Rule: "Bash(cargo test:*)"}},
			{Ask: Ask{Questions: []Question{{Header: "Tags", Text: "Shall #Work and #work be the same tag?", Options: options("Yes", "", "No", "as in the files")}}}},
			{Ask: Ask{Edit: &Edit{Path: "src/tag.rs", Before: "    tags.contains(tag)", After: "    let tag = tag.to_lowercase();\n    tags.iter().any(|t| t.to_lowercase() == tag)"}}},
		}},
		{Title: "Clean up the dotfiles", Scenes: []Scene{
			{Ask: Ask{Plan: "1. Put the settings of the shell into one file.\n2. Delete what no program reads any more.\n3. Write down what is left, and why."}},
			{Ask: Ask{Command: "rm ~/.config/old-editor -r", Says: "Nothing has read this folder for two years"}},
		}},
	}
}
