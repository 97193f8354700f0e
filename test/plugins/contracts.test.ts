import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contribution, LivePointId } from '../../src/domain/extension-points.js';
import { type ContractCase, readFixtures } from '../../src/sdk/testing.js';
import { CONFORMANCE } from '../../src/testing/contract/suites.js';
import { projectRoot } from '../support/kit-process.js';

interface Bundled {
  readonly point: string;
  readonly id: string;
  readonly effects: readonly string[];
  readonly root: string;
  /** The source behind the module of the manifest: what is tested is what lies in the tree. */
  readonly source: string;
}

/** The only case that a contribution which asks a server may have nothing for. */
const OPTIONAL = ['can be disposed twice'];

/**
 * Its `resolve` reads what a login has kept and asks nobody; how it logs in, refreshes and fails is
 * tried with a real provider in test/plugins/oauth.
 */
const ASKS_NOBODY = ['kit.oauth'];

const manifests = (await readdir(join(projectRoot, 'plugins'))).sort().map((name) => `plugins/${name}/package.json`);

async function contributionsOf(manifest: string): Promise<readonly Bundled[]> {
  const root = join(projectRoot, dirname(manifest));
  const { kit } = JSON.parse(await readFile(join(projectRoot, manifest), 'utf8'));
  const points = Object.entries(
    (kit?.contributes ?? {}) as Readonly<Record<string, readonly { id: string; module: string; effects: string[] }[]>>,
  );
  return points.flatMap(([point, list]) =>
    list.map(({ id, module, effects }) => ({
      point,
      id,
      effects,
      root,
      source: join(root, module.replace('./dist/', 'src/').replace(/\.js$/, '.ts')),
    })),
  );
}

let scratches: string;
beforeAll(async () => {
  scratches = await mkdtemp(join(tmpdir(), 'kit-contracts-'));
});
afterAll(() => rm(scratches, { recursive: true, force: true }));

const bundled = (await Promise.all(manifests.map(contributionsOf))).flat();

const isLive = (point: string): point is LivePointId => Object.hasOwn(CONFORMANCE, point);

async function casesOf<P extends LivePointId>(
  point: P,
  { id, root, source }: Bundled,
  scratch: string,
): Promise<readonly ContractCase[]> {
  const { contribution } = (await import(pathToFileURL(source).href)) as { readonly contribution: Contribution<P> };
  const fixtures = (await readFixtures(root, scratch))[point]?.[id];
  expect(fixtures, `plugins/*/test/contract.json has an entry for ${point} ${id}`).toBeDefined();
  return CONFORMANCE[point](contribution, fixtures);
}

describe('the bundled contributions', () => {
  it('are found by their manifests', () => {
    expect(bundled.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['kit.harness', 'kit.mock', 'kit.rules', 'kit.governance-mock']),
    );
  });

  it.each(bundled)('$point $id is of a point that has a suite', ({ point }) => {
    expect(isLive(point)).toBe(true);
  });

  it.each(bundled)('$point $id keeps the contract of its point', async (one) => {
    if (!isLive(one.point)) throw new Error(`${one.point} has no suite`);
    const failed: Record<string, string> = {};
    const notExercised: string[] = [];
    for (const { name, run } of await casesOf(one.point, one, await mkdtemp(join(scratches, 'one-')))) {
      const outcome = await run().catch((error: unknown) => {
        failed[name] = String(error);
        return null;
      });
      if (outcome !== null) notExercised.push(name);
    }

    expect(failed).toEqual({});
    if (one.effects.includes('network') && !ASKS_NOBODY.includes(one.id))
      expect(notExercised.filter((name) => !OPTIONAL.includes(name))).toEqual([]);
  });
});
