/** A secret by reference, as `key_ref` of `server.auth` writes it: never the value itself. */
export type SecretReference =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'credential'; readonly ref: string };

/**
 * `env:NAME`, `file:PATH` or `credentials:NAME`; null for any other text, which may be a secret and
 * is not repeated.
 */
export function parseSecretReference(text: string): SecretReference | null {
  const [, scheme, rest = ''] = /^(env|file|credentials):(.+)$/s.exec(text.trim()) ?? [];
  const name = rest.trim();
  if (scheme === undefined || name === '') return null;
  if (scheme === 'env') return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? { kind: 'env', name } : null;
  return scheme === 'file' ? { kind: 'file', path: name } : { kind: 'credential', ref: name };
}
