import type { BrowserLogin } from '../../app/logins/logins-app.js';
import { openLoopback } from '../../system/loopback/loopback.js';
import { loginPage, openBrowser } from '../../system/open-browser.js';

/** As long as a login waits for its answer (docs/auth.md#sign-in). */
const PATIENCE_MS = 600_000;

/** See `LoginsApp.inBrowser`. */
export async function inBrowser<T>(
  { port, begin, says, print, signal }: BrowserLogin<T>,
  env: NodeJS.ProcessEnv,
): Promise<T> {
  const loopback = await openLoopback(port);
  try {
    const { authorizationUrl, state, finish } = await begin(loopback.redirectUri);
    const waiting = loopback.answer({ state, timeoutMs: PATIENCE_MS, signal, finish, says });
    // Whoever comes first, a failure here included, is waited for below.
    waiting.catch(() => undefined);
    const isOpen = await openBrowser(loginPage(authorizationUrl), { env, platform: process.platform });
    print(`${isOpen ? 'a browser was opened; if it shows nothing,' : 'no browser could be opened:'} open this address`);
    print(authorizationUrl);
    return await waiting;
  } finally {
    await loopback.close();
  }
}
