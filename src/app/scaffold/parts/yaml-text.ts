/** A value as a YAML scalar: plain where that says the same, else quoted as JSON, which is YAML. */
export const scalar = (text: string): string =>
  /^[A-Za-z][A-Za-z0-9/_. -]*[A-Za-z0-9]$/.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text);

const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i;

/** Texts as a list on one line. */
export const list = (texts: readonly string[]): string => `[${texts.map(scalar).join(', ')}]`;

/** `release-notes` -> `Release notes`. */
export function titleOf(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Ends every artifact whose author is a person. */
export const BY_A_PERSON = `provenance:
  authored_by: human
  version: 1.0.0
`;
