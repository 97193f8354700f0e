/**
 * Shorter values are words like `v1` or `true`: masking them would blot out half of every message.
 */
const MIN_SECRET_CHARS = 6;

/** Longest message of a failure: a server may answer with a whole page. */
const MAX_MESSAGE_CHARS = 500;

/**
 * Removes every given value from a text, also in its base64 and URL form, and bounds its length.
 */
export function maskText(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .flatMap((secret) => secret.split(/\r?\n/))
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .flatMap((secret) => [
      secret,
      Buffer.from(secret).toString('base64'),
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
    ])
    .sort((a, b) => b.length - a.length);
  const masked = forms.reduce((result, form) => result.replaceAll(form, '***'), text);
  return masked.length > MAX_MESSAGE_CHARS ? `${masked.slice(0, MAX_MESSAGE_CHARS)}...` : masked;
}
