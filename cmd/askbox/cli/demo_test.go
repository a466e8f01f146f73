package cli

import (
	"context"
	"testing"

	"askbox/client/fake/demo"
)

func TestTheDemoIsConfiguredLikeAnyRelay(t *testing.T) {
	world, err := demo.Start(context.Background(), demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer world.Close()
	cfg, err := demoConfig(t.TempDir(), world.Relays)
	if err != nil {
		t.Fatal(err)
	}
	for i, relay := range cfg.Relays {
		token, err := relay.Token(context.Background(), false)
		if want := world.Relays[i]; relay.Name != want.Name || relay.URL.String() != want.URL || token.Reveal() != want.Token || err != nil {
			t.Errorf("%s is configured as %s at %s, %v", want.Name, relay.Name, relay.URL, err)
		}
		if relay.Insecure {
			t.Errorf("%s is said to be insecure", relay.Name)
		}
	}
	if len(cfg.Relays) != len(world.Relays) || len(cfg.Relays) < 4 {
		t.Errorf("%d of %d relays", len(cfg.Relays), len(world.Relays))
	}
}
