import { createHmac } from 'node:crypto';
import { compileDirectory } from '../../../../src/app/load-workspace.js';
import { defineTrigger } from '../../../../src/domain/define.js';
import { isKitError } from '../../../../src/domain/errors.js';
import { deps } from '../../../support/compile.js';
import type { Documents } from '../../../support/shows-effect.js';
import { openTriggerTest } from '../../../support/triggers/trigger-world.js';

const head = (kind: string) => ({ apiVersion: 'kit/v1', kind });
const topology = (name: string) => ({
  ...head('Topology'),
  metadata: { name, version: '1.0.0' },
  agents: { root: { id: 'root', role: 'root', children: [] } },
});

/** A trigger that starts `main`, between two topologies. */
export const TRIGGER_DOCUMENTS: Documents = {
  'workspace.json': { ...head('Workspace'), metadata: { id: 'w', name: 'W' } },
  'topologies/main.json': topology('main'),
  'topologies/second.json': topology('second'),
  'triggers/hand.json': {
    ...head('Trigger'),
    metadata: { id: 'hand', name: 'Hand' },
    type: 'manual',
    targets: ['main'],
  },
};

const WORKSPACE = '/workspace';
const DAY_MS = 24 * 3_600_000;
const BODY = Buffer.from(JSON.stringify({ input: 'x', correlation_id: 'c', first: '1', second: '2' }));
const SECRETS = { ONE: 'the-first-secret', TWO: 'the-other-secret' };

/** Every proof that a sender may have, by header and secret. */
const SENDERS = Object.entries(SECRETS).flatMap(([name, secret]) =>
  ['x-hub-signature-256', 'x-api-key', 'x-first', 'x-second'].map((header) => {
    const value = header === 'x-api-key' ? secret : `sha256=${createHmac('sha256', secret).update(BODY).digest('hex')}`;
    return { name: `${header} with ${name}`, headers: { [header]: value } };
  }),
);

const acme = defineTrigger({ create: () => ({ ready: async () => null }) });

/**
 * What operators and senders see of the triggers of a directory: the list, a day on a server, and
 * who may deliver what.
 */
export async function observeTriggers(directory: string): Promise<unknown> {
  const { workspace, diagnostics } = await compileDirectory(directory, deps());
  if (workspace === null) return diagnostics.map(({ code, message }) => `${code} ${message}`);
  const { app, clock, submitted, emitted } = await openTriggerTest({
    triggers: {},
    workspace,
    env: SECRETS,
    types: { 'acme-queue': acme },
  });
  const listed = await app.list({ workspace: WORKSPACE });
  await app.start({ workspace: WORKSPACE });
  await clock.advance(DAY_MS);
  await app.stop();
  const fired = submitted.splice(0).map(({ topology: name, source }) => `${name} by ${source}`);
  const hooks: Record<string, unknown> = {};
  for (const name of ['main', 'hand']) {
    hooks[`${name} asks for`] = await app.hookTier({ workspace: WORKSPACE, name });
    for (const { name: sender, headers } of [...SENDERS, { name: 'nothing', headers: {} }]) {
      const caller = { identity: 'bob', assurance: 'authenticated' } as const;
      const answer = app.deliver({ workspace: WORKSPACE, name, delivery: { headers, body: BODY }, caller });
      hooks[`${name} with ${sender}`] = await answer.then(
        ({ kind }) => kind,
        (error: unknown) => (isKitError(error) ? error.code : String(error)),
      );
    }
  }
  return { listed, fired, hooks, started: submitted.map(({ source }) => source), emitted };
}
