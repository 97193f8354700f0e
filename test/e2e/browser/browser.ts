import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';
import { vi } from 'vitest';

/** A real browser with a profile and a home of its own. */
export interface TestBrowser {
  /** A tab without anything of the others. */
  readonly page: () => Promise<Page>;
  readonly close: () => Promise<void>;
}

/**
 * Starts Chromium with its rules for pages as they are shipped. `names`: host names that mean this
 * machine, as a foreign page's own name server would say.
 */
export async function startBrowser(names: readonly string[] = []): Promise<TestBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'kit-browser-'));
  vi.stubEnv('TMPDIR', home); // where the program is unpacked
  let browser: Browser;
  try {
    const rules = names.map((name) => `MAP ${name} 127.0.0.1`).join(',');
    browser = await chromium.launch({
      executablePath: await sparticuz.executablePath(),
      args: rules === '' ? [] : [`--host-resolver-rules=${rules}`],
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home },
    });
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  } finally {
    vi.unstubAllEnvs();
  }
  return {
    page: async () => (await browser.newContext({ acceptDownloads: false })).newPage(),
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
