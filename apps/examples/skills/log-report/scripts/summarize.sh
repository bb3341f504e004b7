#!/usr/bin/env bash
# Summarises a web server access log: requests, status classes, failing and busiest paths, clients, errors by hour. Usage: summarize [--top N] FILE...
set -euo pipefail

usage() {
	cat <<'TEXT'
Usage: summarize.sh [--top N] FILE...

Summarises web server access logs in the common or combined format. Fields after those of the format are ignored.
FILE - reads standard input.

  --top N   how many lines each list has, 1 to 100 (default 5)
  --help    this text

Exit codes: 0 done, 1 a file cannot be read or holds no request, 2 wrong usage.
TEXT
}

fail() {
	printf 'summarize: %s\n' "$2" >&2
	exit "$1"
}

top=5
files=()
while (($#)); do
	case $1 in
	--help | -h) usage && exit 0 ;;
	--top) top=${2-} && shift ;;
	--top=*) top=${1#--top=} ;;
	-) files+=("$1") ;;
	--) shift && files+=("$@") && break ;;
	-*) fail 2 "there is no option $1; --help lists them" ;;
	*) files+=("$1") ;;
	esac
	shift || break
done

[[ $top =~ ^[1-9][0-9]?$|^100$ ]] || fail 2 "--top takes a whole number from 1 to 100, not '$top'"
((${#files[@]})) || fail 2 "name the access log to summarise, e.g. summarize.sh access.log"
for file in "${files[@]}"; do
	[[ $file == - ]] && continue
	[[ -e $file ]] || fail 1 "there is no file $file"
	[[ ! -d $file ]] || fail 1 "$file is a directory; name the log file in it"
	[[ -r $file ]] || fail 1 "$file may not be read by this user"
done

title=${files[0]}
((${#files[@]} == 1)) || title="${#files[@]} files"

# Bytes, not characters: a log holds whatever strangers send.
export LC_ALL=C
cat -- "${files[@]}" | awk -v top="$top" '
	function grouped(number,   digits, text) {
		digits = sprintf("%.0f", number)
		while (length(digits) > 3) {
			text = "," substr(digits, length(digits) - 2) text
			digits = substr(digits, 1, length(digits) - 3)
		}
		return digits text
	}
	function size(bytes) {
		if (bytes >= 1e9) return sprintf("%.1f GB", bytes / 1e9)
		if (bytes >= 1e6) return sprintf("%.1f MB", bytes / 1e6)
		return sprintf("%.1f kB", bytes / 1e3)
	}
	function share(part) { return sprintf("%.1f %%", 100 * part / requests) }
	# The key with the largest count that was not taken yet; the first in the alphabet among equals.
	function best(counts, taken,   key, found, chosen) {
		found = ""
		for (key in counts) {
			if (key in taken) continue
			if (found == "" || counts[key] > counts[chosen] || (counts[key] == counts[chosen] && key < chosen)) { chosen = key; found = 1 }
		}
		if (found == "") return ""
		taken[chosen] = 1
		return chosen
	}
	function shortened(text) { return length(text) > 44 ? substr(text, 1, 41) "..." : text }
	function bar(count, most,   text, width) {
		for (width = int(24 * count / most + 0.5); width > 0; width--) text = text "#"
		return text == "" ? "." : text
	}
	# The status is the first number behind the quoted request, which itself may hold anything.
	{
		if (!match($0, /" [1-5][0-9][0-9] ([0-9]+|-)/) || !index($0, "[")) { unreadable++; next }
		split(substr($0, RSTART + 2, RLENGTH - 2), answer, " ")
		quote = index($0, "\"")
		request = substr($0, quote + 1, RSTART - quote - 1)
		path = split(request, words, " ") == 3 ? words[2] : "(not an HTTP request)"
		sub(/[?#].*/, "", path)
		time = substr($0, index($0, "[") + 1, 20)
		hour = substr(time, 1, 14) ":00"
		sub(/:/, " ", hour)

		requests++
		if (first == "") first = time
		last = time
		bytes += answer[2]
		class[substr(answer[1], 1, 1)]++
		client = $1
		by_path[path]++
		by_client[client]++
		if (answer[1] >= 400) {
			failed[path]++
			failed_by[client]++
			errors[hour]++
			key = path SUBSEP answer[1]
			if (!(key in with_status)) statuses[path] = statuses[path] " " answer[1]
			with_status[key]++
		}
	}
	END {
		if (!requests) exit 3
		sub(/:/, " ", first)
		sub(/:/, " ", last)
		printf "%s requests, %s sent, from %s to %s\n", grouped(requests), size(bytes), first, last
		for (digit = 1; digit <= 5; digit++)
			if (class[digit]) line = line sprintf("   %dxx %s (%s)", digit, grouped(class[digit]), share(class[digit]))
		print "status" line

		print "\nPaths that fail most"
		for (rank = 1; rank <= top && (path = best(failed, failing)) != ""; rank++) {
			list = ""
			count = split(statuses[path], codes, " ")
			for (position = 1; position <= count; position++) list = list "  " codes[position] " x " grouped(with_status[path SUBSEP codes[position]])
			printf "  %-44s %6s of %-6s%s\n", shortened(path), grouped(failed[path]), grouped(by_path[path]), list
		}
		if (rank == 1) print "  none"

		print "\nBusiest paths"
		for (rank = 1; rank <= top && (path = best(by_path, busy)) != ""; rank++)
			printf "  %-44s %6s   %s\n", shortened(path), grouped(by_path[path]), share(by_path[path])

		print "\nBusiest clients"
		for (rank = 1; rank <= top && (client = best(by_client, seen)) != ""; rank++)
			printf "  %-44s %6s   %s failed\n", shortened(client), grouped(by_client[client]), grouped(failed_by[client])

		print "\nHours with most errors"
		for (rank = 1; rank <= top && (hour = best(errors, worst)) != ""; rank++) {
			if (rank == 1) most = errors[hour]
			printf "  %-18s %6s  %s\n", hour, grouped(errors[hour]), bar(errors[hour], most)
		}
		if (rank == 1) print "  none"
		if (unreadable) printf "\n%s lines are no access log lines and were left out.\n", grouped(unreadable)
	}
' || {
	status=$?
	((status == 3)) || exit "$status"
	fail 1 "no line of $title is in the common or combined log format"
}
