import type { App } from '@kit-run/kit/command';
import { arrayOf, BOOLEAN, closed, INTEGER, nullable, STRING, STRINGS } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { JOB_PARAMS } from './job-schemas.js';

interface ChangesRoute {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly agent?: string };
}

const FILE = closed({
  path: STRING,
  old_path: nullable(STRING),
  change: STRING,
  binary: BOOLEAN,
  added: INTEGER,
  removed: INTEGER,
});
const SIGNED = closed({
  gate_id: STRING,
  round: INTEGER,
  status: STRING,
  by: STRINGS,
  artifact_sha256: STRING,
  same_bytes: BOOLEAN,
});
const CHANGES = closed({
  run_id: STRING,
  changes: arrayOf(
    closed({
      agent_id: STRING,
      activation: STRING,
      state: STRING,
      reason: nullable(STRING),
      base_commit: nullable(STRING),
      sha256: STRING,
      files: arrayOf(FILE),
      signed: nullable(SIGNED),
      diff: STRING,
    }),
  ),
});

/** What harnesses changed, file by file, and who signed it. */
export function addChangeRoute(
  server: FastifyInstance,
  { changes, workspace }: { readonly changes: Pick<App['changes'], 'read'>; readonly workspace: string },
): void {
  server.get<ChangesRoute>(
    '/jobs/:id/changes',
    {
      config: { tier: 'read', mayAnswer: [409, 503] },
      schema: {
        summary: 'Reads what each harness of a run changed, and who signed it. Takes a unique prefix.',
        params: JOB_PARAMS,
        querystring: { type: 'object', properties: { agent: { type: 'string', minLength: 1 } } },
        response: { 200: CHANGES },
      },
    },
    async ({ params, query }) => {
      const found = await changes.read({ workspace, run: params.id, agent: query.agent ?? null });
      return {
        run_id: found.job.id,
        changes: found.changes.map(({ files, signed, ...change }) => ({
          agent_id: change.agentId,
          activation: change.activation,
          state: change.state,
          reason: change.reason,
          base_commit: change.baseCommit,
          sha256: change.sha256,
          files: files.map(({ path, oldPath, change: kind, isBinary, added, removed }) => ({
            path,
            old_path: oldPath,
            change: kind,
            binary: isBinary,
            added,
            removed,
          })),
          signed:
            signed === null
              ? null
              : {
                  gate_id: signed.gateId,
                  round: signed.round,
                  status: signed.status,
                  by: [...signed.by],
                  artifact_sha256: signed.artifactSha256,
                  same_bytes: signed.isSame,
                },
          diff: change.diff,
        })),
      };
    },
  );
}
