import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One place where somebody could find a secret. */
export interface Place {
  readonly name: string;
  readonly content: string | Buffer;
  /**
   * Harmless words that are surely there: a place that holds nothing proves nothing. null: this one
   * may hold anything.
   */
  readonly canary: string | null;
}

/** What is long enough that it cannot be there by chance. */
const HEAD_CHARS = 12;
const MIN_CODED_CHARS = 12;

/**
 * The spellings that are searched for, made here and not by kit: raw, its beginning, base64 at each
 * alignment, percent-encoded, in JSON.
 */
export function spellingsOf(secret: string): readonly string[] {
  const coded = [0, 1, 2].map((before) => {
    const text = Buffer.from(`${'x'.repeat(before)}${secret}`)
      .toString('base64')
      .replace(/=+$/, '');
    // Without the characters that the neighbours share.
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  return [
    secret,
    secret.slice(0, HEAD_CHARS),
    ...coded
      .filter(({ length }) => length >= MIN_CODED_CHARS)
      .flatMap((one) => [one, one.replaceAll('+', '-').replaceAll('/', '_')]),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** `<secret> in <place>` for each that is found. */
export function leaksIn(places: readonly Place[], secrets: Readonly<Record<string, string>>): readonly string[] {
  const searched = Object.entries(secrets).map(([name, secret]) => ({
    name,
    spellings: [...new Set(spellingsOf(secret))],
  }));
  return places.flatMap(({ name: place, content }) =>
    searched.flatMap(({ name, spellings }) => {
      const at = spellings.map((spelling) => content.indexOf(spelling)).find((found) => found >= 0);
      return at === undefined
        ? []
        : [`${name} in ${place}: ${content.toString().slice(Math.max(0, at - 60), at + 60)}`];
    }),
  );
}

/** Places whose canary is not found. */
export const blindIn = (places: readonly Place[]): readonly string[] =>
  places.flatMap(({ name, content, canary }) =>
    canary === null || content.includes(canary) ? [] : [`${name} lacks ${canary}`],
  );

/** Every file below a directory; `canaries`: by the end of the path. */
export function filesBelow(
  root: string,
  canaries: Readonly<Record<string, string>> = {},
  label = '',
): readonly Place[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git/') && statSync(join(root, path)).isFile())
    .map((path) => ({
      name: `${label}${path}`,
      content: readFileSync(join(root, path)),
      canary: Object.entries(canaries).find(([end]) => path.endsWith(end))?.[1] ?? null,
    }));
}

/** The command line of every process that can be seen. */
export function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return ''; // It ended.
      }
    })
    .join('\n');
}
