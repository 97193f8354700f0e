/** Logs in and consents in a browser's place; answers the address of the callback. */
export function browse(
  start: string,
  of?: { readonly user?: string; readonly decide?: 'consent' | 'deny' },
): Promise<string>;
