import { KitError, toWireReachability, toWireVerification, type WorkspaceReport } from '@kit-run/kit/command';
import { REACHABILITY, SKILL_NAMES, STRINGS, VALIDATION, VERIFICATION, type WireValidation } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { answers } from './schema-words.js';
import type { ServedInfo } from './used.js';

const TOPOLOGIES = answers(
  'The topologies that can be run.',
  STRINGS,
  '`name@version`, and the bare name, which is the highest version.',
);
const SKILLS = answers('The skills, with what they are for.', SKILL_NAMES);
const VALIDATED = answers('What `kit validate` says of the files as they are now.', VALIDATION);
const REACHED = answers('Which declarations a code path reaches.', REACHABILITY);
const VERIFIED = answers('What checks the output of each agent.', VERIFICATION);

/** What is in the workspace, and what the compiler says of it. */
export function workspaceRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get('/topologies', { schema: TOPOLOGIES }, async () => (await app.info.inventory(workspace)).topologies);
  server.get('/skills', { schema: SKILLS }, async () => (await app.info.inventory(workspace)).skills);
  for (const kind of ['archetypes', 'funnels', 'contracts'] as const) {
    server.get(
      `/${kind}`,
      { schema: answers(`The ${kind} by their ids.`, STRINGS) },
      async () => (await app.info.inventory(workspace))[kind],
    );
  }
  // Who a client is stands in their key; the user that the server runs as submits nothing.
  const asClient = { submitter: null };
  server.get('/validate', { schema: VALIDATED }, async () =>
    toWireValidation(await app.validateWorkspace(workspace, asClient)),
  );
  server.get('/workspace/reachability', { schema: REACHED }, async () =>
    toWireReachability((await valid(app, workspace)).reachability),
  );
  server.get('/workspace/verification', { schema: VERIFIED }, async () =>
    toWireVerification((await valid(app, workspace)).verification),
  );
}

function toWireValidation({ workspace, ids, diagnostics }: WorkspaceReport): WireValidation {
  return {
    valid: workspace !== null,
    workspace_id: workspace?.id ?? null,
    topologies: ids.topologies,
    skills: ids.skills,
    archetypes: ids.archetypes,
    diagnostics: diagnostics.map(({ severity, code, message, path, pointer, help }) => ({
      severity,
      code,
      message,
      path,
      pointer,
      help: help ?? null,
    })),
  };
}

/**
 * Of a workspace with errors nothing is known to be wired or checked: that must not look like "all
 * of it".
 */
async function valid(app: ServedInfo['app'], workspace: string): Promise<WorkspaceReport> {
  const report = await app.validateWorkspace(workspace);
  if (report.workspace !== null) return report;
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error').length;
  throw new KitError(
    'KIT_WORKSPACE_INVALID',
    `the files of the workspace have ${errors} ${errors === 1 ? 'error' : 'errors'}; GET /validate lists them`,
  );
}
