/**
 * The value is named nowhere: whoever reads what was said of a submit must not learn which secret
 * it is.
 */
const HOLDS_SECRET =
  'the input holds a value that is kept secret here, and an input is kept as it came: the store, the job and every report show it';

/**
 * Sentences about an input for whoever submits it, which refuse nothing. `holdsSecret`: whether a
 * text holds a value that kit masks elsewhere; absent: nobody is asked.
 */
export async function adviceOn(
  input: string,
  holdsSecret: ((text: string) => Promise<boolean>) | undefined,
): Promise<readonly string[]> {
  return (await holdsSecret?.(input)) === true ? [HOLDS_SECRET] : [];
}
