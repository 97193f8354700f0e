/** The pattern of ids in the schemas. */
export const ID_PATTERN = '^[a-z][a-z0-9-]*$';

/** Longer words are nobody's id. */
const MAX_CHARS = 256;

/** The path of an artifact, written where its id belongs: `funnels/sign-off.yaml`. */
const PATH = /^(?:.*[/\\])?([^/\\]+)\.(?:ya?ml|json)$/i;

/**
 * The legal spelling of an id with capitals, blanks or underscores: `ReleaseNotes 2` becomes
 * `release-notes-2`, and of a path the name of its file. Null: it is legal, or nothing of it could
 * stay.
 */
export function legalId(word: string): string | null {
  if (word.length > MAX_CHARS) return null;
  const legal = (PATH.exec(word)?.[1] ?? word)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '');
  return legal === '' || legal === word ? null : legal;
}
