import { describePage } from "./page-code.js";

describePage("streaming.md", {
	Listen: {
		prints: /^1 run\.started\nrun_start running\n[\s\S]*text\.delta\nagent_message_chunk\n[\s\S]*run_complete idle\n\d+ stream\.ended\n$/,
	},
	"A small user interface": {
		prints: /offline/,
		behind: 'if (view.problems.length > 0 || !view.answer.includes("offline")) throw new Error(JSON.stringify(view));',
	},
	"Read a run as a stream": { prints: /offline[\s\S]*stop\n$/ },
	"Send it to a browser": {
		prints: /^200 text\/event-stream.* (\d+) of \1\n$/,
		behind: `
			import { once } from "node:events";
			if (!server.listening) await once(server, "listening");
			await stream.result;
			const response = await fetch(\`http://127.0.0.1:\${(server.address() as { port: number }).port}\`);
			const events = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ""));
			let last = 0;
			for (const { firstSequenceNumber, sequenceNumber } of events) {
				if ((firstSequenceNumber ?? sequenceNumber) !== last + 1) throw new Error("a gap behind " + last);
				last = sequenceNumber;
			}
			console.log(response.status, response.headers.get("content-type"), \`\${last} of \${stream.log.lastSequenceNumber}\`);
			server.close();`,
	},
	"Keep it, and replay it": { prints: /^[1-9]\d* \{.*\}\n$/ },
	"From inside a tool": { prints: /^anything\n$/ },
	"The toolkit alone": { prints: /^true 1\n$/ },
});
