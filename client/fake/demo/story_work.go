package demo

// workJobs are the stories of the team's relay: a shop with a service for orders.
func workJobs() []Job {
	return []Job{flakyBuild(), flakyBuildDatabase(), splitImporter(), refunds(), paymentKeys(),
		dependencies(), reviewOfGrace(), slowSearch(), releaseNotes(), deploy()}
}

func flakyBuild() Job {
	return Job{Title: "Fix the flaky build", Scenes: []Scene{
		{Ask: Ask{Command: "rm -rf build", Says: "Start from a clean build folder", Rule: "Bash(rm -rf build)"},
			OnAllow: &Scene{Ask: Ask{Command: "go test -race -count=20 ./orders/...", Says: "Run the flaky tests twenty times", Rule: "Bash(go test:*)"}},
			OnDeny:  &Scene{Ask: Ask{Command: "go clean -testcache", Says: "Clear only the test cache instead", Rule: "Bash(go clean -testcache)"}}},
		{Ask: Ask{Edit: &Edit{Path: "orders/queue_test.go", Before: flakyBefore, After: flakyAfter}},
			OnDeny: &Scene{Ask: Ask{Questions: []Question{{Header: "Flaky test", Text: "Then what shall I do with TestQueueDrains?",
				Options: options("Skip it", "with a link to the issue", "Leave it", "and only report what I found")}}}}},
		{Ask: Ask{Command: "git commit -am 'Wait for the queue instead of sleeping'", Says: "Commit the fix", Rule: "Bash(git commit:*)"},
			OnAllow: &Scene{Ask: Ask{Command: "git push origin flaky-build", Says: "Push the branch for review"}}},
	}}
}

const flakyBefore = `	queue.Start()
	queue.Add(order)
	time.Sleep(50 * time.Millisecond)
	if queue.Len() != 0 {
		t.Fatal("queue is not empty")
	}`

const flakyAfter = `	queue.Start()
	defer queue.Stop()
	queue.Add(order)
	select {
	case <-queue.Drained():
	case <-t.Context().Done():
		t.Fatal("queue was never drained")
	}`

func flakyBuildDatabase() Job {
	return Job{Title: "Fix the flaky build", Scenes: []Scene{
		{Ask: Ask{Questions: []Question{{Header: "Database", Text: "The tests share one database, which makes them flaky. Which one shall they get?", Recommended: 1,
			Options: options("Postgres", "one schema for each test, as in production", "SQLite", "a file for each test; faster, but other SQL")}}},
			OnChoice: map[string]*Scene{
				"Postgres": {Ask: Ask{Command: "docker compose up -d postgres", Says: "Start Postgres for the tests", Rule: "Bash(docker compose up -d postgres)"}},
				"SQLite":   {Ask: Ask{Command: "go get modernc.org/sqlite", Says: "Add the driver", Rule: "Bash(go get:*)"}},
			}},
	}}
}

func splitImporter() Job {
	return Job{Title: "Split the importer", Scenes: []Scene{
		{Ask: Ask{Plan: importerPlan},
			OnAllow: &Scene{Ask: Ask{Edit: &Edit{Path: "importer/csv.go", After: importerFile}}},
			OnDeny: &Scene{Ask: Ask{Questions: []Question{{Header: "Plan", Text: "What shall I change in the plan?", Several: true,
				Options: options("Smaller steps", "one pull request for each reader", "Tests first", "pin what it does today", "Keep the old command", "as a thin wrapper")}}}}},
		{Ask: Ask{Command: "gofmt -w importer && go vet ./importer/...", Says: "Format and check what was split", Rule: "Bash(go vet:*)"}},
		{Ask: Ask{Questions: []Question{
			{Header: "Name", Text: "What shall the package be called?", Options: options("importer", "as today", "ingest", "as in the design notes")},
			{Header: "Formats", Text: "Which formats are still needed?", Several: true, Options: options("CSV", "", "Excel", "two customers", "XML", "nobody since spring")},
			{Header: "Switch", Text: "When shall the old importer go?", Options: options("With this change", "", "In a month", "behind a flag until then")},
		}}},
	}}
}

const importerPlan = `# Split the importer

1. Move the reading of CSV into importer/csv.go, with its own tests.
2. Move the checks of a row into importer/check.go. They return every
   fault of a row instead of the first one.
3. Let cmd/import call both, and delete importer/all.go.
4. Run the import of last Monday on the test data and compare the rows.

Nothing changes for the people who upload files, except that they see
all faults of a file at once.`

const importerFile = `package importer

import (
	"encoding/csv"
	"fmt"
	"io"
)

// Rows reads the rows of a file and tells each to yield, until it returns false.
func Rows(r io.Reader, yield func(line int, row []string) bool) error {
	reader := csv.NewReader(r)
	reader.ReuseRecord = true
	for {
		row, err := reader.Read()
		if err == io.EOF {
			return nil
		}
		line, _ := reader.FieldPos(0)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if !yield(line, row) {
			return nil
		}
	}
}
`

func refunds() Job {
	return Job{Title: "Refunds for cancelled orders", Scenes: []Scene{
		{Ask: Ask{Edit: &Edit{Path: "orders/refund.go", Before: refundBefore, After: refundAfter}},
			OnAllow: &Scene{Ask: Ask{Command: "go test ./orders -run Refund", Says: "Test the refunds", Rule: "Bash(go test:*)"}}},
		{Ask: Ask{Questions: []Question{{Header: "Rounding", Text: "A refund of a third of 10.00 is 3.333… Which way shall I round?",
			Options: options("Up", "in favour of the customer", "Down", "in favour of the shop", "To even", "as the accounts do")}}}},
		{Ask: Ask{Command: "psql \"$STAGING\" -c \"UPDATE orders SET refund_cents = 0 WHERE refund_cents IS NULL\"",
			Says: "Fill in the new column on staging", Urgent: true},
			OnDeny: &Scene{Ask: Ask{Command: "psql \"$STAGING\" -c \"SELECT count(*) FROM orders WHERE refund_cents IS NULL\"",
				Says: "Only count the rows that it would change"}}},
	}}
}

const refundBefore = `func (o Order) Refund(part float64) int {
	return int(float64(o.Total) * part)
}`

const refundAfter = `// Refund returns what is given back for a part of the order, in cents.
func (o Order) Refund(part *big.Rat) int64 {
	cents := new(big.Rat).Mul(big.NewRat(o.Total, 1), part)
	return roundToEven(cents)
}`

func paymentKeys() Job {
	return Job{Title: "Move to the new payment API", By: Colleague, Scenes: []Scene{
		{Ask: Ask{Secret: "STRIPE_KEY", Says: "The key for the sandbox, to run the payment tests"}},
		{Ask: Ask{Command: "curl -sS https://api.payments.example/v2/health", Says: "See whether the sandbox answers", Rule: "Bash(curl -sS https://api.payments.example/*)"}},
		{Ask: Ask{Tool: "WebFetch", Input: struct {
			URL    string `json:"url"`
			Prompt string `json:"prompt"`
		}{"https://docs.payments.example/v2/migrate", "What changed for refunds?"}, Rule: "WebFetch(domain:docs.payments.example)"}},
	}}
}

func dependencies() Job {
	return Job{Title: "Update the dependencies", By: Agent, Scenes: []Scene{
		{Ask: Ask{Command: "go get -u ./... && go mod tidy", Says: "Take the newest minor versions", Rule: "Bash(go get:*)"},
			OnAllow: &Scene{Ask: Ask{Questions: []Question{{Header: "Major version", Text: "The router has a new major version. Shall I take it along?",
				Options: options("Yes", "eleven files change", "No", "open an issue for it")}}}}},
		{Ask: Ask{Command: "go test ./... 2>&1 | tail -n 40", Says: "Run all tests", Rule: "Bash(go test:*)"}},
	}}
}

func reviewOfGrace() Job {
	return Job{Title: "Review: shipping labels", By: Colleague, Scenes: []Scene{
		{Ask: Ask{Questions: []Question{{Header: "Review", Text: "I found three things in Grace's change. Which shall I comment on?", Several: true,
			Options: options("A label is printed twice", "when the printer times out", "The test needs the network", "", "A name", "parcel and package mean the same")}}}},
		{Ask: Ask{Command: "gh pr comment 482 --body-file review.md", Says: "Post the review"}},
	}}
}

func slowSearch() Job {
	return Job{Title: "Why is the search slow?", Scenes: []Scene{
		{Ask: Ask{Command: "kubectl -n shop port-forward svc/search 9200:9200", Says: "Look at the search of staging"},
			OnDeny: &Scene{Ask: Ask{Command: "grep -c 'took=[0-9]\\{4,\\}' logs/search.log", Says: "Count slow queries in the local log instead", Rule: "Bash(grep:*)"}}},
		{Ask: Ask{Questions: []Question{{Header: "Index", Text: "The index lacks the shop's number, so every query reads all shops. Build it anew?", Recommended: 2,
			Options: options("Now", "the search is slower for about 20 minutes", "Tonight", "at 03:00, as a job", "Not at all", "I only write it down")}}},
			OnChoice: map[string]*Scene{
				"Now":     {Ask: Ask{Command: "./bin/reindex --shop-number --confirm", Says: "Build the index anew", Urgent: true}},
				"Tonight": {Ask: Ask{Command: "kubectl -n shop create job reindex --from=cronjob/reindex", Says: "Plan the job for 03:00"}},
			}},
	}}
}

func releaseNotes() Job {
	return Job{Title: "Write the release notes", Parent: "Split the importer", By: Agent, Scenes: []Scene{
		{Ask: Ask{Questions: []Question{{Header: "Tone", Text: "Who reads these notes?", Options: options("Shop owners", "plain words, no numbers of issues", "Developers", "with links")}}}},
		{Ask: Ask{Edit: &Edit{Path: "CHANGELOG.md", Before: "## Unreleased\n", After: "## Unreleased\n\n- Files with faults show all of them at once.\n- Refunds are rounded as the accounts do.\n"}}},
	}}
}

func deploy() Job {
	return Job{Title: "Deploy 4.12 to production", By: Colleague, Scenes: []Scene{
		{Ask: Ask{Command: deployScript, Says: "Roll out step by step and stop on the first error", Urgent: true},
			OnDeny: &Scene{Ask: Ask{Questions: []Question{{Header: "Deploy", Text: "When shall I ask again?", Options: options("In an hour", "", "Tomorrow", "after the stand-up")}}}}},
		{Ask: Ask{Questions: []Question{{Header: "Errors", Text: "Errors went from 0.02 to 0.09 percent since the rollout. Go on?", Options: options("Go on", "", "Roll back", "takes about two minutes")}}, Urgent: true},
			OnChoice: map[string]*Scene{"Roll back": {Ask: Ask{Command: "kubectl -n shop rollout undo deployment/orders", Says: "Back to 4.11", Urgent: true}}}},
	}}
}

const deployScript = `set -eu
for part in orders search labels; do
  kubectl -n shop set image "deployment/$part" "$part=registry.shop.example/$part:4.12"
  kubectl -n shop rollout status "deployment/$part" --timeout=120s
done
kubectl -n shop annotate deployment --all deployed-by=agent --overwrite`
