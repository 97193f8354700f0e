/** A word of a command line to paste: quoted where a POSIX shell would split or expand it. */
export const shellWord = (word: string): string =>
  /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** An address in place of a directory names a server, which knows by itself who asks. */
export const isServerAddress = (word: string): boolean => /^https?:\/\//i.test(word);
