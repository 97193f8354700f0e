import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';
import { vi } from 'vitest';
import { projectRoot } from '../../support/kit-process.js';

/** A real browser with a profile and a home of its own. */
export interface TestBrowser {
  /** A tab without anything of the others. */
  readonly page: () => Promise<Page>;
  readonly close: () => Promise<void>;
}

/**
 * The program, unpacked once for all test files: two seconds of processor time, and 200 MB.
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(
    await readFile(join(projectRoot, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  );
  // In the shared directory for temporary files anybody could put a program there.
  const cache = join(projectRoot, 'node_modules/.cache');
  const place = join(cache, `chromium-${version}`);
  if (!existsSync(place)) {
    await mkdir(cache, { recursive: true });
    // Whole or not at all: others may unpack it as well.
    const mine = await mkdtemp(`${place}-`);
    vi.stubEnv('TMPDIR', mine);
    await sparticuz.executablePath().finally(() => vi.unstubAllEnvs());
    await rename(mine, place).catch(() => rm(mine, { recursive: true, force: true }));
  }
  return join(place, 'chromium');
}

/**
 * Starts Chromium with its rules for pages as they are shipped. `names`: host names that mean this
 * machine, as a foreign page's own name server would say.
 */
export async function startBrowser(names: readonly string[] = []): Promise<TestBrowser> {
  const executablePath = await unpacked();
  const home = await mkdtemp(join(tmpdir(), 'kit-browser-'));
  vi.stubEnv('TMPDIR', home); // where its profile lies
  let browser: Browser;
  try {
    const rules = names.map((name) => `MAP ${name} 127.0.0.1`).join(',');
    browser = await chromium.launch({
      executablePath,
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
