// 23: two robots review each other's work until nothing new comes.
import { hasConverged, Robot, similarity } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";

const writer = new Robot({
	name: "writer",
	model: new ScriptedModel([
		"Our teapots are the best there are, and everybody loves them.",
		"Our teapots hold a litre and are made of clay from the river.",
		"Our teapots hold one litre. They are made of clay from the river.",
	]),
});
const critic = new Robot({ name: "critic", model: new ScriptedModel(["Say what they are made of.", "Shorter sentences."]) });

const MOST_ROUNDS = 5; // two that never agree must come to an end, too

let draft = (await writer.run("Describe our teapots.")).lastTextContent ?? "";
console.log(`Draft:   ${draft}`);
for (let round = 1; round <= MOST_ROUNDS; round++) {
	const review = (await critic.run(`Review: ${draft}`)).lastTextContent ?? "";
	const revised = (await writer.run(review)).lastTextContent ?? "";
	console.log(`Review:  ${review}`);
	console.log(`Revised: ${revised} (${similarity(draft, revised).toFixed(2)} alike)`);
	const done = hasConverged(draft, revised); // 0.85 alike, or a `threshold` of yours
	draft = revised;
	if (done) {
		console.log(`Done after ${round} rounds.`);
		break;
	}
}

// The fast way of a reconciler: where two answers say the same already, nobody need be asked which one is right.
const [one, two] = ["The parcel comes on Friday with the green van.", "On Friday the parcel comes, with the green van."];
console.log(hasConverged(one, two) ? `No third opinion needed: ${one}` : "Ask a third robot.");
console.log(`Of another thing: ${similarity(one, "Sencha is brewed at seventy degrees for two minutes.").toFixed(2)}`);
