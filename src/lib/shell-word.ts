/** A word of a command line to paste: quoted where a POSIX shell would split or expand it. */
export const shellWord = (word: string): string =>
  /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** An address in place of a directory names a server. */
export const isServerAddress = (word: string): boolean => /^https?:\/\//i.test(word);

/**
 * How a command to paste names its workspace: as the user did; '' = not at all, it is pasted in the
 * directory; null = not at all, the environment names a server.
 */
export type PastePlace = string | null;

/** A server knows by itself who asks, and refuses `--as` of anybody else. */
export const isServerPlace = (place: PastePlace): boolean => place === null || isServerAddress(place);

/** The word that names the place, with what comes before it; '' where it is not named. */
export const placeWord = (place: PastePlace, before = ' '): string =>
  place === null || place === '' ? '' : `${before}${shellWord(place)}`;

/** ` --as NAME`; '' at a server. The one place that decides it for every command to paste. */
export const asWord = (identity: string, place: PastePlace): string =>
  isServerPlace(place) ? '' : ` --as ${shellWord(identity)}`;
