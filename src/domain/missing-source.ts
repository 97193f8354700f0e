/** What to do about a credential whose source nothing here brings. */
export const hintForSource = (source: string): string =>
  `Install a plugin that contributes the credential source ${source}, or use the source env or file.`;
