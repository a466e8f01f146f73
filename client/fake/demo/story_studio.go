package demo

// studioJobs are the stories of the relay in the studio: a podcast and its site.
func studioJobs() []Job {
	return []Job{
		{Title: "Cut episode 41", Scenes: []Scene{
			{Ask: Ask{Command: "ffmpeg -i raw/41.wav -af loudnorm=I=-16 out/41.mp3", Says: "Bring the episode to the usual loudness"},
				OnAllow: &Scene{Ask: Ask{Questions: []Question{{Header: "Cut", Text: "At 12:40 the guest is silent for nine seconds. What shall I do?",
					Options: options("Shorten it", "to two seconds", "Leave it", "it fits what she says before")}}}},
				OnDeny: &Scene{Ask: Ask{Command: "ffmpeg -i raw/41.wav -af loudnorm=print_format=summary -f null -", Says: "Only measure how loud it is"}}},
			{Ask: Ask{Questions: []Question{{Header: "Chapters", Text: "Which of these shall become chapters?", Several: true,
				Options: options("The first job", "", "Moving to Lisbon", "", "Questions of listeners", "the last ten minutes")}}}},
			{Ask: Ask{Form: episodeForm, Says: "I need a few facts for the page of episode 41."}},
		}},
		{Title: "New page for subscribers", Scenes: []Scene{
			{Ask: Ask{Plan: "1. Move the prices into one file.\n2. Build the page from it, with a test for each currency.\n3. Keep the old address as a redirect."},
				OnAllow: &Scene{Ask: Ask{Command: "npm run build && npm test", Says: "Build the page and test it"}}},
			{Ask: Ask{Edit: &Edit{Path: "content/prices.json", After: "{\n  \"month\": {\"EUR\": 5, \"USD\": 6},\n  \"year\": {\"EUR\": 50, \"USD\": 60}\n}\n"}, Says: "Write the prices down once"}},
		}},
		{Title: "Newsletter for December", By: Agent, Scenes: []Scene{
			{Ask: Ask{GoesOn: true, Urgent: true, Detail: "The draft is done and was read twice.\nTwo links lead to episodes that are only out on Thursday.",
				Questions: []Question{{Header: "Newsletter", Text: "Send the newsletter today?", Recommended: 2, Options: options("Today", "", "On Thursday", "")}}}},
			{Ask: Ask{GoesOn: true, Questions: []Question{{Header: "Subject", Text: "Which subject line?",
				Options: options("What we heard this year", "", "Eleven voices", "", "Before the year ends", "")}}}},
		}},
	}
}

const episodeForm = `{"type":"object","required":["title","number"],"properties":{
	"title":{"type":"string","title":"Title","description":"as it stands in the feed","maxLength":80},
	"number":{"type":"integer","title":"Number","default":41},
	"language":{"type":"string","title":"Language","enum":["English","German","Portuguese"],"default":"English"},
	"explicit":{"type":"boolean","title":"Strong language","default":false},
	"topics":{"type":"array","title":"Topics","items":{"type":"string","enum":["work","travel","music"]}}}}`

// buildBoxJobs are the stories of the relay that is reached through the studio's.
func buildBoxJobs() []Job {
	return []Job{
		{Title: "Nightly build", By: Agent, Scenes: []Scene{
			{Ask: Ask{GoesOn: true, Detail: "Free: 3.1 GB of 120 GB.\nThe archive of old builds takes 71 GB.",
				Questions: []Question{{Header: "Disk", Text: "The disk is nearly full. Which old builds may go?", Recommended: 1,
					Options: options("Older than a month", "", "All but the last ten", "", "None of them", "")}}}},
			{Ask: Ask{GoesOn: true, Urgent: true, Questions: []Question{{Header: "Build", Text: "The build on ARM fails since this morning. Build without it tonight?",
				Options: options("Yes", "", "No, wait for me", "")}}}},
		}},
	}
}
