import type { Page } from 'playwright-core';
import type { TestOidc } from '../../support/components/oidc.js';
import { gated } from '../review/gated-workspace.js';

/** The gated release, behind an issuer at which people sign in. */
export const signingIn = (oidc: TestOidc): Record<string, string> =>
  gated({
    workspace: `server:
  auth:
    provider: jwt
    config: { issuer: "${oidc.issuer}", client_id: page, scope: openid profile serve:read serve:run }
`,
  });

/** Types a name at the issuer, and consents. */
export async function atIssuer(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('x');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** All that a page keeps in the browser. */
export const kept = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])');
