/** A word as a POSIX shell reads it back, whatever it holds: in single quotes, within which nothing means anything. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
