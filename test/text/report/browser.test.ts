import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportHtml } from '../../../src/text/report-html.js';
import { busyRun, HOSTILE, observe } from '../../support/observed-run.js';

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

function browserOnPath(): string | null {
  const places = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => BROWSERS.map((name) => join(folder, name)));
  return places.find((path) => isExecutable(path)) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const browser = browserOnPath();
if (browser === null) console.log(`skipped: none of ${BROWSERS.join(', ')} is on PATH`);

/** The page as a real browser takes it: opened from disk, its script run under its own policy. */
describe.skipIf(browser === null)('the page about a run in a browser', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'kit-browser-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  /** What the document is after its scripts have run. */
  async function opened(page: string): Promise<string> {
    const file = join(home, 'report.html');
    await writeFile(file, page);
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      `--user-data-dir=${home}/profile`,
      '--dump-dom',
    ];
    const { stdout } = await promisify(execFile)(browser ?? '', [...flags, `file://${file}`], {
      env: { PATH: process.env.PATH ?? '', HOME: home },
      maxBuffer: 1 << 26,
    });
    return stdout;
  }

  it('opens from disk, shows its filter, and nothing of a hostile run acts', async () => {
    const world = await busyRun();
    try {
      const page = reportHtml(await observe(world).report({ workspace: '', run: world.job.id }));
      const count = (await world.events()).length;
      const seen = await opened(page);
      const added = "<script>document.title = 'owned'</script>";
      const broken = await opened(page.replace('<main>', `<main>${HOSTILE}${added}`));
      const unguarded = await opened(page.replace(/<meta http-equiv[^>]*>/, '').replace('<main>', `<main>${added}`));

      expect(seen).toContain(`>${count} of ${count}<`);
      expect(seen).toContain('id="filter">');
      // Even markup that got in would not run: the policy admits one script by its digest.
      expect(broken).toContain("document.title = 'owned'");
      expect(broken).not.toContain('<title>owned');
      expect(unguarded).toContain('<title>owned');
      expect(broken).toContain(`>${count} of ${count}<`);
    } finally {
      await world.close();
    }
  }, 120_000);
});
