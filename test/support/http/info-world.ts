import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { contribution } from '../../../plugins/serve/src/mounts/info/mount.js';
import { narrowApp } from '../../../src/app/serve/narrow-app.js';
import type { Job } from '../../../src/domain/job.js';
import { projectRoot } from '../kit-process.js';
import { type AppWorld, openApp } from './open-app.js';
import { groupOf, serveParts } from './serve-group.js';

const ID = 'kit.http-info';

/** What the manifest says of the group: the routes get these use cases and no other. */
function manifest(): { readonly uses: readonly string[]; readonly tier: 'read' } {
  const { kit } = JSON.parse(readFileSync(`${projectRoot}/plugins/serve/package.json`, 'utf8'));
  return kit.contributes.httpMounts.find(({ id }: { readonly id: string }) => id === ID);
}

/** The group of information routes over the real composition. */
export async function serveInfo(
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<AppWorld & { readonly server: FastifyInstance }> {
  const world = await openApp(files, variables);
  const { uses, tier } = manifest();
  const group = await groupOf(contribution, narrowApp(world.app, { id: ID, uses }), { id: ID, tier });
  return { ...world, server: await serveParts({ groups: [group], workspace: world.workspace }) };
}

/** Runs a topology to its end, as `kit run` would. */
export async function runHere({ app, workspace }: AppWorld, topology: string): Promise<Job> {
  const handle = await app.runs.start({
    workspace,
    topology,
    input: 'hello',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'tester', assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  });
  return handle.done;
}
