/** What a script does to find out whether it may: bash that succeeds when it may, for one question. */
export function deedFor(question: string): string {
	const [verb = "", ...rest] = question.split(" ");
	const operand = rest.join(" ");
	const path = quoted(operand);
	switch (verb) {
		case "read":
			// O_NONBLOCK: a terminal or a pipe that nobody writes to would be waited for.
			return `perl -e 'sysopen(F, $ARGV[0], 2048) or exit 1' ${path}`;
		case "list":
			return `ls -A -- ${path}/.`;
		case "write":
			return `write_to ${path}`;
		case "delete":
			return `perl -e '$p = $ARGV[0]; rename($p, "$p.gone") and rename("$p.gone", $p) or exit 1' ${path}`;
		case "run":
			return `timeout 5 ${path} </dev/null; [ $? -lt 126 ]`;
		case "connect":
			return operand.startsWith("/")
				? perlSocket(`UNIX->new(Peer => ${perlText(operand)})`)
				: perlSocket(`INET->new(PeerAddr => ${perlText(operand)}, Timeout => 3)`);
		case "listen":
			return perlSocket(`INET->new(LocalPort => ${operand}, Listen => 1, ReuseAddr => 1)`);
		case "resolve":
			return `getent hosts ${path}`;
		case "env":
			return `[ -n "\${${operand}+set}" ]`;
		default:
			throw new Error(`nobody said what a script does for ${question}`);
	}
}

const quoted = (word: string): string => (word.startsWith("~") ? word : `'${word}'`);
const perlText = (text: string): string => `q{${text}}`;
const perlSocket = (call: string): string => `perl -MIO::Socket::${call.slice(0, 4)} -e '${`exit(IO::Socket::${call} ? 0 : 1)`}'`;

/** Changes what is there or makes it, with the directories it needs; what was made is taken away again, so that the next question finds things as they were. */
const WRITE_TO = `write_to() {
  if [ -d "$1" ]; then : > "$1/new-entry" && rm "$1/new-entry"; return; fi
  if [ -e "$1" ]; then : >> "$1"; return; fi
  local end made at; end=$(realpath -m -- "$1"); made=$end; at=$(dirname "$end")
  while [ ! -e "$at" ]; do made=$at; at=$(dirname "$at"); done
  mkdir -p "$(dirname "$end")" && : > "$1"
  local status=$?; rm -rf "$made"; return $status
}`;

/** A script that does all of it and prints a line for each: its number, and whether it succeeded. */
export const scriptOf = (questions: readonly string[]): string =>
	[
		WRITE_TO,
		...questions.map((question, index) => `( ${deedFor(question)} ) >/dev/null 2>&1 && echo ${index}=yes || echo ${index}=no`),
	].join("\n");

/** The questions that such a script answered with yes. */
export function done(questions: readonly string[], output: string): ReadonlySet<string> {
	const lines = new Set(output.split("\n"));
	const unanswered = questions.filter((_, index) => !lines.has(`${index}=yes`) && !lines.has(`${index}=no`));
	if (unanswered.length > 0) throw new Error(`the script did not come to ${unanswered.join(", ")}: ${output.slice(0, 500)}`);
	return new Set(questions.filter((_, index) => lines.has(`${index}=yes`)));
}
