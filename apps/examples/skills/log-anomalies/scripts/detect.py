#!/usr/bin/env python3
"""Finds bursts of server errors, probing clients, slow hours and robots in a web server access log. Usage: detect [--json] FILE"""

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from datetime import datetime, timedelta

WINDOW = timedelta(minutes=5)
BURST_ERRORS = 10  # server errors in a window
BURST_SHARE = 0.2  # of the window's requests
PROBE_PATHS = 5  # different paths that one client failed on
PROBE_SHARE = 0.8  # of its requests failed
SLOW_TIMES = 5  # as slow as the median hour
SLOW_REQUESTS = 20  # an hour with fewer says nothing

LINE = re.compile(
    r'^(?P<client>\S+) \S+ .*?\[(?P<time>[^\]]+)\] "(?P<request>.*?)(?<!\\)" (?P<status>[1-5]\d\d) (?:\d+|-)'
    r'(?: "(?:.*?)(?<!\\)" "(?P<agent>.*?)(?<!\\)"(?: (?P<seconds>\d+(?:\.\d+)?))?)?'
)
ROBOT = re.compile(r"bot\b|crawler|spider", re.IGNORECASE)


class Unreadable(Exception):
    pass


def parse(line):
    found = LINE.match(line)
    if not found:
        return None
    try:
        at = datetime.strptime(found["time"], "%d/%b/%Y:%H:%M:%S %z")
    except ValueError:
        return None
    words = found["request"].split(" ")
    path = words[1].split("?")[0] if len(words) == 3 else "(not an HTTP request)"
    seconds = float(found["seconds"]) if found["seconds"] else None
    return {
        "at": at,
        "client": found["client"],
        "path": path,
        "status": int(found["status"]),
        "agent": found["agent"] or "-",
        "seconds": seconds,
    }


def read(path):
    try:
        # Strangers choose what is in a log: a byte that is no text must not end the report.
        with open(path, encoding="utf-8", errors="replace") as file:
            requests = [request for request in map(parse, file) if request]
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror}") from None
    if not requests:
        raise Unreadable(f"no line of {path} is in the common or combined log format")
    return sorted(requests, key=lambda request: request["at"])


def windows(requests, length):
    """The requests by the window they fall in, windows counted from midnight of the first day."""
    midnight = requests[0]["at"].replace(hour=0, minute=0, second=0)
    grouped = defaultdict(list)
    for request in requests:
        grouped[midnight + (request["at"] - midnight) // length * length].append(request)
    return sorted(grouped.items())


def bursts(requests):
    runs = []
    for start, inside in windows(requests, WINDOW):
        errors = [request for request in inside if request["status"] >= 500]
        if len(errors) < BURST_ERRORS or len(errors) < BURST_SHARE * len(inside):
            continue
        if runs and runs[-1]["until"] == start:
            runs[-1]["errors"] += errors
            runs[-1]["requests"] += len(inside)
            runs[-1]["until"] = start + WINDOW
        else:
            runs.append({"errors": errors, "requests": len(inside), "until": start + WINDOW})
    return [burst_finding(run) for run in runs]


def burst_finding(run):
    paths = Counter(error["path"] for error in run["errors"])
    path, on_path = paths.most_common(1)[0]
    return {
        "from": run["errors"][0]["at"].isoformat(),
        "to": run["errors"][-1]["at"].isoformat(),
        "errors": len(run["errors"]),
        "requests": run["requests"],
        "path": path,
        "on_path": on_path,
    }


def probes(requests):
    by_client = defaultdict(list)
    for request in requests:
        by_client[request["client"]].append(request)
    findings = []
    for client, sent in by_client.items():
        refused = [request for request in sent if 400 <= request["status"] < 500]
        paths = Counter(request["path"] for request in refused)
        if len(paths) < PROBE_PATHS or len(refused) < PROBE_SHARE * len(sent):
            continue
        findings.append(
            {
                "client": client,
                "from": refused[0]["at"].isoformat(),
                "to": refused[-1]["at"].isoformat(),
                "requests": len(refused),
                "paths": len(paths),
                "examples": [path for path, _ in paths.most_common(3)],
            }
        )
    return sorted(findings, key=lambda finding: (-finding["requests"], finding["client"]))


def ninetieth(values):
    return sorted(values)[int(0.9 * (len(values) - 1))]


def slow_hours(requests):
    """None when the log has no request times."""
    timed = [request for request in requests if request["seconds"] is not None and request["status"] < 500]
    if not timed:
        return None
    hours = [(start, [request["seconds"] for request in inside]) for start, inside in windows(timed, timedelta(hours=1))]
    typical = {start: ninetieth(times) for start, times in hours if len(times) >= SLOW_REQUESTS}
    if not typical:
        return []
    median = sorted(typical.values())[len(typical) // 2]
    return [
        {"from": start.isoformat(), "seconds": round(value, 3), "median_hour_seconds": round(median, 3), "requests": len(times)}
        for start, times in hours
        for value in [typical.get(start, 0)]
        if value > SLOW_TIMES * median
    ]


def robots(requests):
    counts = Counter((request["client"], request["agent"]) for request in requests if ROBOT.search(request["agent"]))
    return [{"client": client, "agent": agent, "requests": count} for (client, agent), count in counts.most_common(5)]


def clock(text):
    return text[:19].replace("T", " ")


def lines(report):
    yield f"{report['requests']:,} requests, from {clock(report['from'])} to {clock(report['to'])}"
    yield ""
    yield f"Bursts of server errors (5 minutes with {BURST_ERRORS} or more, {BURST_SHARE:.0%} of the requests)"
    for one in report["bursts"]:
        yield f"  {clock(one['from'])} to {clock(one['to'])[11:]}: {one['errors']:,} of {one['requests']:,} requests failed, {one['on_path']:,} on {one['path']}"
    if not report["bursts"]:
        yield "  none"
    yield ""
    yield f"Clients that probe ({PROBE_PATHS} or more failing paths, {PROBE_SHARE:.0%} of what they sent)"
    for one in report["probes"]:
        yield f"  {one['client']}, {clock(one['from'])} to {clock(one['to'])[11:]}: {one['requests']:,} requests for {one['paths']:,} paths, e.g. {', '.join(one['examples'])}"
    if not report["probes"]:
        yield "  none"
    yield ""
    yield f"Slow hours (the slowest tenth took more than {SLOW_TIMES} times as long as in the median hour)"
    if report["slow_hours"] is None:
        yield "  not looked at: the log has no request times"
    elif not report["slow_hours"]:
        yield "  none"
    for one in report["slow_hours"] or []:
        yield f"  {clock(one['from'])}: one request in ten took {one['seconds']:.1f} s or more, in the median hour {one['median_hour_seconds']:.2f} s"
    yield ""
    yield "Robots that say so"
    for one in report["robots"]:
        yield f"  {one['client']}: {one['requests']:,} requests as {one['agent']}"
    if not report["robots"]:
        yield "  none"


def main():
    parser = argparse.ArgumentParser(prog="detect.py", description=__doc__, epilog="Exit codes: 0 done, 1 the file cannot be read or holds no request, 2 wrong usage.")
    parser.add_argument("file", metavar="FILE", help="an access log in the common or combined format")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    options = parser.parse_args()
    try:
        requests = read(options.file)
    except Unreadable as error:
        print(f"detect: {error}", file=sys.stderr)
        return 1
    report = {
        "requests": len(requests),
        "from": requests[0]["at"].isoformat(),
        "to": requests[-1]["at"].isoformat(),
        "bursts": bursts(requests),
        "probes": probes(requests),
        "slow_hours": slow_hours(requests),
        "robots": robots(requests),
    }
    print(json.dumps(report, indent=2) if options.json else "\n".join(lines(report)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
