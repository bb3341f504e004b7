import { describePage } from "./page-code.js";

describePage("message-bus.md", {
	"Send, handle, answer": { prints: /^bob Why did the robot cross the road\? replied\n$/ },
	"Robots that come when they are needed": { prints: /^2 \[ 'Water it less\.', 'Give it light\.' \]\n$/ },
	"When a message is handled": { prints: /^lie for me nacked 2 I do not do that\.\n4 1 3 1\n$/ },
	"What a channel takes": { prints: /^report\.pdf 1\ninvalid_content\n$/ },
	"In the log": {
		prints: /^sequenceDiagram\n {2}participant p0 as alice\n {2}participant p1 as bob\n {2}p0->>p1: How are you\?\n {2}p1-->>p0: Fine\.\n$/,
	},
	"Across threads": { prints: /^Bonjour\.\nMerci\.\n$/ },
});
