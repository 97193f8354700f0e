import { KitError, toWireReachability, toWireVerification, type WorkspaceReport } from '@kit-run/kit/command';
import type { FastifyInstance } from 'fastify';
import { answers, count, flag, list, maybeText, object, text, texts } from './schema-words.js';
import type { ServedInfo } from './used.js';

const TOPOLOGIES = answers(
  'The topologies that can be run.',
  list(text),
  '`name@version`, and the bare name, which is the highest version.',
);
const SKILLS = answers('The skills, with what they are for.', list(object({ id: text, category: text })));

const VALIDATION = answers(
  'What `kit validate` says of the files as they are now.',
  object({
    valid: flag,
    workspace_id: maybeText,
    topologies: texts,
    skills: texts,
    archetypes: texts,
    diagnostics: list(
      object({ severity: text, code: text, message: text, path: text, pointer: text, help: maybeText }),
    ),
  }),
);

const DECLARATION = object({ kind: text, key: text, declared_on: text, required: flag, detail: text, message: text });
const REACHABILITY = answers(
  'Which declarations a code path reaches.',
  object({ ok: flag, reachable: list(DECLARATION), unreachable: list(DECLARATION) }),
);

const VERIFICATION = answers(
  'What checks the output of each agent.',
  object({
    ok: flag,
    agents: list(
      object({
        topology_id: text,
        agent_id: text,
        is_root: flag,
        funnel_id: maybeText,
        layers: texts,
        declared: texts,
        inert: texts,
        strength: { ...count, description: 'How many layers are wired.' },
        verified: flag,
      }),
    ),
    unverified_roots: texts,
  }),
);

/** What is in the workspace, and what the compiler says of it. */
export function workspaceRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get('/topologies', { schema: TOPOLOGIES }, async () => (await app.info.inventory(workspace)).topologies);
  server.get('/skills', { schema: SKILLS }, async () => (await app.info.inventory(workspace)).skills);
  for (const kind of ['archetypes', 'funnels', 'contracts'] as const) {
    server.get(
      `/${kind}`,
      { schema: answers(`The ${kind} by their ids.`, list(text)) },
      async () => (await app.info.inventory(workspace))[kind],
    );
  }
  // Who a client is stands in their key; the user that the server runs as submits nothing.
  const asClient = { submitter: null };
  server.get('/validate', { schema: VALIDATION }, async () =>
    toWireValidation(await app.validateWorkspace(workspace, asClient)),
  );
  server.get('/workspace/reachability', { schema: REACHABILITY }, async () =>
    toWireReachability((await valid(app, workspace)).reachability),
  );
  server.get('/workspace/verification', { schema: VERIFICATION }, async () =>
    toWireVerification((await valid(app, workspace)).verification),
  );
}

function toWireValidation({ workspace, ids, diagnostics }: WorkspaceReport) {
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
