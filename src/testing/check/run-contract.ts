import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKitError, messageOf } from '../../domain/errors.js';
import type { Contribution, LivePointId } from '../../domain/extension-points.js';
import { fileInside } from '../../host/package-files.js';
import { CONFORMANCE } from '../contract/suites.js';
import type { ContractFixtures } from '../contract/world.js';
import { readFixtures } from '../read-fixtures.js';
import { createTestHost, type TestHost } from '../test-host.js';

/**
 * What the process of a contract tells its parent, in order: `created` or `refused`, then one
 * `case` each, then `done`.
 */
export type ContractMessage =
  | { readonly type: 'created'; readonly ms: number }
  | { readonly type: 'refused'; readonly code: string; readonly message: string }
  | {
      readonly type: 'case';
      readonly name: string;
      readonly violation: string | null;
      readonly notExercised: string | null;
    }
  | { readonly type: 'done' };

/** The plugin's code runs in the process that tells: what arrives may be its own message. */
export function isContractMessage(value: unknown): value is ContractMessage {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  switch (fields.type) {
    case 'created':
      return typeof fields.ms === 'number';
    case 'refused':
      return typeof fields.code === 'string' && typeof fields.message === 'string';
    case 'case':
      return (
        typeof fields.name === 'string' &&
        [fields.violation, fields.notExercised].every((text) => text === null || typeof text === 'string')
      );
    default:
      return fields.type === 'done';
  }
}

type Send = (message: ContractMessage) => Promise<void>;

/** Which contribution of which package. */
export interface ContractTarget {
  readonly root: string;
  readonly point: string;
  readonly id: string;
}

interface ScratchTarget extends ContractTarget {
  /** A private directory, for as long as the contract runs. */
  readonly scratch: string;
}

const isLive = (point: string): point is LivePointId => Object.hasOwn(CONFORMANCE, point);

async function create<P extends LivePointId>(testHost: TestHost, point: P, target: ScratchTarget): Promise<number> {
  const fixtures: ContractFixtures | undefined = (await readFixtures(target.root, target.scratch))[point]?.[target.id];
  const startedMs = performance.now();
  await testHost.host.resolve(point, target.id, fixtures?.config ?? {});
  return performance.now() - startedMs;
}

async function moduleOf(root: string, point: string, id: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const { kit } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));
  // the manifest was checked before
  const declared: readonly { readonly id: string; readonly module: string }[] = kit.contributes[point];
  return fileInside(root, declared.find((one) => one.id === id)?.module ?? '');
}

async function runCases<P extends LivePointId>(point: P, target: ScratchTarget, send: Send): Promise<void> {
  const { pathToFileURL } = await import('node:url');
  const url = pathToFileURL(await moduleOf(target.root, point, target.id)).href;
  // its tag was checked by the host
  const { contribution } = (await import(url)) as { readonly contribution: Contribution<P> };
  const fixtures = (await readFixtures(target.root, target.scratch))[point]?.[target.id];
  for (const { name, run } of CONFORMANCE[point](contribution, fixtures)) {
    const outcome = await run().then(
      (notExercised) => ({ violation: null, notExercised }),
      (error: unknown) => ({ violation: messageOf(error), notExercised: null }),
    );
    await send({ type: 'case', name, ...outcome });
  }
}

/**
 * Creates the contribution as kit would, then runs every case of its suite, and tells of each when
 * it has ended.
 */
export async function runContract(target: ContractTarget, send: Send): Promise<void> {
  const { point } = target;
  if (!isLive(point)) return send({ type: 'refused', code: 'KIT_NOT_YET', message: `nothing uses ${point} yet` });
  const scratch = await mkdtemp(join(tmpdir(), 'kit-contract-'));
  try {
    await runLive({ ...target, point, scratch }, send);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function runLive(target: ScratchTarget & { readonly point: LivePointId }, send: Send): Promise<void> {
  const { point } = target;
  const testHost = await createTestHost({ plugin: target.root });
  try {
    await send({ type: 'created', ms: await create(testHost, point, target) });
  } catch (error) {
    return send({
      type: 'refused',
      code: isKitError(error) ? error.code : 'KIT_PLUGIN_LOAD_FAILED',
      message: messageOf(error),
    });
  } finally {
    await testHost.dispose();
  }
  await runCases(point, target, send);
  await send({ type: 'done' });
}
