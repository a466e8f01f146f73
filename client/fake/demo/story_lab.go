package demo

// labJobs are the stories of the opencode server: small programs of one person.
func labJobs() []Job {
	const garden, weather = "/srv/lab/garden", "/srv/lab/weather"
	return []Job{
		{Title: "Garden planner: newer packages", Folder: garden, Scenes: []Scene{
			{Ask: Ask{Command: "npm update && npm run build", Says: "Take newer packages and build"},
				OnAllow: &Scene{Ask: Ask{Command: "npx playwright test --reporter line", Says: "See whether the pages still work"}},
				OnDeny:  &Scene{Ask: Ask{Command: "npm outdated", Says: "Only list what is old"}}},
			{Ask: Ask{Edit: &Edit{Path: "src/beds.ts", Before: "const rows = bed.width / plant.space;\n", After: "const rows = Math.floor(bed.width / plant.space);\n"}}},
			{Ask: Ask{Questions: []Question{{Header: "Frost", Text: "Where shall the dates of the last frost come from?",
				Options: options("A table", "made by hand, for three towns", "The weather service", "one call a day")}}},
				OnChoice: map[string]*Scene{"The weather service": {Ask: Ask{Tool: "webfetch", Rule: "https://weather.example/api/frost", Input: struct {
					URL     string `json:"url"`
					Format  string `json:"format"`
					Timeout int    `json:"timeout"`
				}{"https://weather.example/api/frost", "text", 30}}}}},
		}},
		{Title: "Look for unused files (@general subagent)", By: Agent, Parent: "Garden planner: newer packages", Folder: garden, Scenes: []Scene{
			{Ask: Ask{Command: "git ls-files | xargs -n 1 basename | sort | uniq -c", Says: "Count the names of files"}},
			{Ask: Ask{Command: "rm -r src/old src/legacy.css", Says: "Nothing imports these any more"}},
		}},
		{Title: "Weather station: fewer gaps", Folder: weather, Scenes: []Scene{
			{Ask: Ask{Questions: []Question{
				{Header: "Gaps", Text: "What shall stand where the sensor was silent?", Options: options("Nothing", "the line breaks", "The mean", "of the values around it")},
				{Header: "Rooms", Text: "Which rooms shall be on the page?", Several: true, Options: options("Kitchen", "", "Cellar", "damp since March", "Attic", "")},
			}}},
			{Ask: Ask{Edit: &Edit{Path: "station.toml", Before: "interval = 60\nretries = 0\n", After: "interval = 60\nretries = 3\nbackoff = \"2s\"\n"}}},
			{Ask: Ask{Command: "ssh pi@station 'sudo systemctl restart station'", Says: "Start the station with the new settings"}},
		}},
	}
}
