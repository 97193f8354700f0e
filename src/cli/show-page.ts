import type { App } from '../app/app.js';
import type { Links } from '../view/base-url.js';
import type { Browser } from './cli-host.js';
import { Flags } from './flags.js';

/** `--web`: the page in place of the text. `without`: flags that would say nothing beside it. */
export const webFlag = (without: string[]) =>
  Flags.boolean({ description: 'Open it in a browser, in the console of the server.', exclusive: without });

export interface PageAsk {
  readonly workspace: string;
  /** Which page. */
  readonly page: (links: Links) => string;
  /** False: its address is printed, and nothing is opened. */
  readonly opens: boolean;
}

/** What of a command a page is shown with. */
export interface PageParts {
  readonly kit: Pick<App, 'info'>;
  readonly browser: Browser;
  /** Lines for people on stdout and on stderr. */
  readonly out: { log(line: string): void; logToStderr(line: string): void };
}

/** Says who answers where it is not kit. False: nothing is to be opened. */
async function looked(
  { browser, out }: Pick<PageParts, 'browser' | 'out'>,
  base: string,
  opens: boolean,
): Promise<boolean> {
  const who = await browser.whoAnswers(base);
  switch (who) {
    case 'kit':
      return opens;
    case 'other':
      out.logToStderr(`what answers at ${base} does not say that it is kit`);
      return opens;
    case 'nobody':
      out.logToStderr(`nothing answers at ${base}: start the server with \`kit serve\``);
      return false;
  }
}

/**
 * Shows a page of the server of a workspace to whoever types, and prints its address on stdout: a
 * machine without a browser has that alone. Where nobody answers nothing is opened. Gives what
 * `--json` tells. Throws what `InfoApp.address` throws.
 */
export async function showPage(
  { kit, browser, out }: PageParts,
  { workspace, page, opens }: PageAsk,
): Promise<{ readonly url: string; readonly opened: boolean }> {
  const [base, { linksBelow }] = await Promise.all([kit.info.address(workspace), import('../view/base-url.js')]);
  const url = page(linksBelow(base));
  const isOpening = await looked({ browser, out }, base, opens);
  const opened = isOpening && (await browser.open(new URL(url)));
  if (isOpening && !opened) out.logToStderr('no browser could be opened: open this address');
  out.log(url);
  return { url, opened };
}
