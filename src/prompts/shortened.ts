/** `context_retrieve {"ref": "..."}`: how a call stands in a text. */
const call = (tool: string, ref: string, offset?: number): string =>
  `${tool} {"ref": "${ref}"${offset === undefined ? '' : `, "offset": ${offset}`}}`;

interface Retrieved {
  /** The tool that gives back what is left out. */
  readonly tool: string;
  readonly ref: string;
}

/** Stands where the middle of a result was left out; `offset`: where it begins, in the original. */
export const middleLeftOut = (
  { tool, ref }: Retrieved,
  of: { readonly missing: number; readonly length: number; readonly offset?: number },
): string =>
  `... (${of.missing} of ${of.length} characters are left out here; ${call(tool, ref, of.offset)} gives them) ...`;

/** The same for a run without `context_retrieve`. */
export const middleGone = (length: number): string => `... (${length} characters in all, the middle is left out) ...`;

/** Stands at the end of a text that only has its beginning. */
export const endGone = (length: number): string => `... (${length} characters in all)`;

/** Stands in place of a result of many turns ago. */
export const resultLeftOut = ({ tool, ref }: Retrieved, length: number): string =>
  `(${length} characters, left out to save room; ${call(tool, ref)} gives them)`;

/** Stands below a result that a compressor made shorter. */
export const compressed = ({ tool, ref }: Retrieved, length: number): string =>
  `... (shortened from ${length} characters; ${call(tool, ref)} gives the original) ...`;

/** The first line of what `context_retrieve` gives. */
export const partOf = (ref: string, from: number, to: number, length: number): string =>
  `${ref}: characters ${from} to ${to} of ${length}`;

/** The last one, where there is more. */
export const moreOf = (missing: number, offset: number): string =>
  `... (${missing} more characters; go on with "offset": ${offset}) ...`;

/** In place of an answer of a tool without any content. */
export const NOTHING = '(the tool answered nothing)';

/** Of an answer of pictures and documents alone, which stand in a message of their own. */
export function besideTexts(types: readonly ('image' | 'document')[]): string {
  const documents = types.filter((type) => type === 'document').length;
  const images = types.length - documents;
  return [...(images > 0 ? [`${images} image(s)`] : []), ...(documents > 0 ? [`${documents} document(s)`] : [])].join(
    ', ',
  );
}

/** In place of a document, told to a model whose provider takes none. */
export const documentNotShown = (of: {
  readonly name: string;
  readonly provider: string;
  readonly bytes: number;
}): string => `(${of.name}, a PDF of ${of.bytes} bytes, is not shown: the provider ${of.provider} takes no PDFs)`;

/** Answers a call of `context_retrieve` for what there is not. */
export const unknownRef = (ref: string): string =>
  `no result of this agent has the reference ${ref}; copy it from where something was left out`;
