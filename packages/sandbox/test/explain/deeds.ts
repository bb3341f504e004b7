/**
 * What a script does to find out whether it may, by one process for all questions: a process for each would take most of a test's time.
 * Each deed leaves things as they were. Without single quotes, as it stands between them in a shell's line.
 */
const DEEDS = (execve: number): string => String.raw`
use strict;
use Errno;
use IO::Socket::INET;
use IO::Socket::UNIX;
open(my $answers, ">&", \*STDOUT) or die;
open(STDIN, "<", "/dev/null") or die;
open(STDOUT, ">", "/dev/null") or die;
open(STDERR, ">", "/dev/null") or die;

# 2048 is O_NONBLOCK: a terminal or a pipe that nobody writes to would be waited for. A directory is read by listing it.
sub can_read {
	my ($path) = @_;
	if (-d $path) { return can_list($path) }
	sysopen(my $file, $path, 2048) or return 0;
	return defined sysread($file, my $text, 4096) || $!{EAGAIN};
}

sub can_list {
	opendir(my $directory, $_[0]) or return 0;
	$! = 0;
	while (defined readdir $directory) { $! = 0 }
	return !$!;
}

# 1025 is O_WRONLY and O_APPEND, 577 is O_WRONLY, O_CREAT and O_TRUNC.
sub can_write {
	my ($path) = @_;
	if (-d $path) { return sysopen(my $file, "$path/new-entry", 577) && unlink "$path/new-entry" }
	if (-e $path) { return sysopen(my $file, $path, 1025) }
	return can_make($path);
}

# With the directories it needs. What was made is taken away again, and nothing else.
sub can_make {
	my ($path) = @_;
	while ($path =~ m{/\.\.(?=/|\z)}g) { return 0 if !-e substr($path, 0, $-[0]) }
	open(my $real, "-|", "realpath", "-m", "--", $path) or die;
	chomp(my $end = <$real> // "");
	if ($end eq "" || -e $end || -l $end) { return sysopen(my $file, $path, 65) }
	my $is_directory = $path =~ m{/\.?/*\z};
	(my $parent = $end) =~ s{/[^/]*$}{};
	my ($made, $at) = ($end, $parent);
	while ($at ne "" && !-e $at && !-l $at) { $made = $at; $at =~ s{/[^/]*$}{} }
	my $is_made = system("mkdir", "-p", $is_directory ? $end : $parent) == 0 && sysopen(my $file, $is_directory ? "$path/new-entry" : $path, 577);
	system("rm", "-rf", $made);
	return $is_made;
}

# By a name that is no longer, and back by the real directory: the way to it may go through what is gone meanwhile.
sub can_delete {
	my ($path) = @_;
	my $here = readlink "/proc/self/cwd";
	my ($parent, $name) = $path =~ m{^(.*/|)([^/]+)/*$}s;
	my $real = chdir($parent eq "" ? "." : $parent) ? readlink "/proc/self/cwd" : "/nowhere";
	chdir $here;
	return rename($path, "$real/z") && rename("$real/z", "$real/$name");
}

# By the call itself: functions of libc and shells start a shell for what the kernel takes for no program.
sub can_run {
	my ($program) = @_;
	for my $path ($program =~ m{/} ? $program : map { "$_/$program" } split /:/, $ENV{PATH}) {
		my ($arguments, $environment) = (pack("p", $path) . pack("J", 0), pack("J", 0));
		my $child = fork // die;
		if ($child == 0) { syscall(${execve}, $path, $arguments, $environment); kill 9, $$ }
		waitpid $child, 0;
		return 1 if $? != 9;
	}
	return 0;
}

sub can_connect {
	my ($to) = @_;
	return defined IO::Socket::UNIX->new(Peer => $to) if $to =~ m{^/};
	return defined IO::Socket::INET->new(PeerAddr => $to, Timeout => 3);
}

my %deeds = (
	read => \&can_read,
	list => \&can_list,
	write => \&can_write,
	delete => \&can_delete,
	run => \&can_run,
	connect => \&can_connect,
	listen => sub { defined IO::Socket::INET->new(LocalPort => $_[0], Listen => 1, ReuseAddr => 1) },
	resolve => sub { system("getent", "hosts", $_[0]) == 0 },
	env => sub { exists $ENV{$_[0]} },
);
for my $index (0 .. $#ARGV) {
	my ($verb, $operand) = split / /, $ARGV[$index], 2;
	$operand =~ s{^~(?=/|\z)}{$ENV{HOME}};
	syswrite $answers, "$index=" . ($deeds{$verb}->($operand) ? "yes" : "no") . "\n";
}
`;

const EXECVE = process.arch === "arm64" ? 221 : 59;

/** A script that does all of it and prints a line for each: its number, and whether it succeeded. */
export const scriptOf = (questions: readonly string[]): string => `perl -e '${DEEDS(EXECVE)}' -- ${questions.map(quoted).join(" ")}`;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The questions that such a script answered with yes. */
export function done(questions: readonly string[], output: string): ReadonlySet<string> {
	const lines = new Set(output.split("\n"));
	const unanswered = questions.filter((_, index) => !lines.has(`${index}=yes`) && !lines.has(`${index}=no`));
	if (unanswered.length > 0) throw new Error(`the script did not come to ${unanswered.join(", ")}: ${output.slice(0, 500)}`);
	return new Set(questions.filter((_, index) => lines.has(`${index}=yes`)));
}
