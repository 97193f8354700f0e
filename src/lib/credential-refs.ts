/** `{credential.<ref>}`; not after a `$`: `${credential.x}` is a variable of that name. */
export const CREDENTIAL_REFERENCE = /(?<!\$)\{credential\.([A-Za-z0-9_][A-Za-z0-9_.-]*)\}/g;

/** Names of the credentials that a text refers to, in order, each once. */
export function credentialRefs(text: string): readonly string[] {
  return [...new Set([...text.matchAll(CREDENTIAL_REFERENCE)].map((match) => match[1] ?? ''))];
}
