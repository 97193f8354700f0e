import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../browser/browser.js';
import { type ServedConsole, serveConsole } from './served-console.js';
import { type Visits, visits } from './visit.js';

let served: ServedConsole;
let browser: TestBrowser;
let signedIn: Visits['signedIn'];
beforeAll(async () => {
  [served, browser] = await Promise.all([serveConsole(), startBrowser()]);
  ({ signedIn } = visits(browser, served));
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

describe('the page of a topology', () => {
  it('draws who asks whom, and which gate the answer must pass', async () => {
    const { page, faults } = await signedIn('dana', '/topologies/release');
    const graph = page.getByRole('region', { name: 'Graph of the agents' });
    await graph.waitFor();
    expect(await graph.locator('text.title').allTextContents()).toEqual(['writer', 'sign-off']);
    expect(await graph.locator('path.passes').count()).toBe(1);
    expect(faults).toEqual([]);
  });
});

describe('for somebody who writes the files', () => {
  it('says what is wrong with them until it is fixed, and nobody else asks for it', async () => {
    const { page } = await signedIn('dana', '/#dev');
    const { page: other } = await signedIn('qa-1');
    const asked: string[] = [];
    other.on('request', (request) => asked.push(request.url()));
    served.write('topologies/half.yaml', 'apiVersion: kit/v1\nkind: Topology\n');
    const problems = page.getByRole('alert', { name: 'Problems of the files' });
    await problems.waitFor();
    expect(await problems.textContent()).toContain('topologies/half.yaml');
    served.write(
      'topologies/half.yaml',
      `apiVersion: kit/v1
kind: Topology
metadata: { name: half, version: 1.0.0, description: Whole by now. }
agents:
  root: { id: talker, role: root, model: { provider: mock, name: m1 }, prompt: { system: You talk. } }
`,
    );
    await problems.waitFor({ state: 'detached' });
    expect(asked.filter((url) => url.endsWith('/validate'))).toEqual([]);
  });
});
