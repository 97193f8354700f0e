import { KitError, shellWord } from '@kit-run/kit/command';

/** Names that are listed. */
const SHOWN = 30;

/**
 * Which topology whoever names none means. `topologies`: bare names and `name@version`; `shown`:
 * how
 * the workspace was named, to paste. The refusal lists the names and the line for the first one.
 */
export function onlyTopologyOf(
  topologies: readonly string[],
  shown: string,
): { readonly only: string; readonly refusal: null } | { readonly only: null; readonly refusal: KitError } {
  const names = topologies.filter((name) => !name.includes('@'));
  const [first, second] = names;
  if (first !== undefined && second === undefined) return { only: first, refusal: null };
  const place = shown === '' ? '' : `${shellWord(shown)} `;
  const refusal =
    first === undefined
      ? new KitError('KIT_USAGE', 'the workspace has no topology', { hint: 'Make one: kit new topology NAME' })
      : new KitError(
          'KIT_USAGE',
          `name a topology: ${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ', ...' : ''}`,
          { hint: `For example: kit run ${place}${shellWord(first)} --input TEXT`, data: { topologies: names } },
        );
  return { only: null, refusal };
}
