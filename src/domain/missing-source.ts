/** What to do about a credential whose source nothing here brings. */
export const hintForSource = (source: string): string =>
  source === 'oauth'
    ? 'OAuth credentials come with a later release of kit; use the source env or file until then.'
    : `Install a plugin that contributes the credential source ${source}, or use the source env or file.`;
