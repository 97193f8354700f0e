/** As forms encode it: `-`, `.`, `_` and `*` stand for themselves. */
const formEncoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);

/**
 * `Authorization` of a client with a secret (RFC 6749, 2.3.1). Libraries encode `-` and `_` as
 * well, and servers that compare without decoding then know neither client nor secret.
 */
export const basicAuthorization = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64')}`;
