import type { Change, EditableKind, Edited, EditingApp } from '@kit-run/kit/command';
import { ARTIFACT_ROWS, EDIT_REPORT, FILE_DELETED, FILE_TEXT, type TypeOf } from '@kit-run/kit/wire';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CHANGE_BODY, DETAILS, idParams, PRECONDITIONS, tagged } from './schemas.js';
import { toWireDetail, toWireRow } from './wire.js';

/** What the handlers of one workspace need. */
export interface Desk {
  readonly editing: EditingApp;
  readonly workspace: string;
}

interface ChangeBody {
  readonly yaml?: string;
  readonly content?: Extract<Change, { kind: 'content' }>['content'];
  readonly dry_run: boolean;
}

type ById = { Params: { id: string } };
type WithChange = { Body: ChangeBody };

/** The schema has seen to it that one of the two is there. */
const changeOf = ({ yaml, content }: ChangeBody): Change =>
  content === undefined ? { kind: 'text', text: yaml ?? '' } : { kind: 'content', content };

export const preconditionsOf = ({ headers }: FastifyRequest) => ({
  ifMatch: headers['if-match'] ?? null,
  ifNoneMatch: headers['if-none-match'] ?? null,
});

export function sendTagged<T>(reply: FastifyReply, etag: string | null, body: T): FastifyReply {
  return (etag === null ? reply : reply.header('etag', etag)).send(body);
}

const sendEdited = (reply: FastifyReply, { etag, report }: Edited): FastifyReply => sendTagged(reply, etag, report);

const READ = { tier: 'read' } as const;
const WRITE = { tier: 'admin', mayAnswer: [409, 412, 503] } as const;

const ONE: Readonly<Record<EditableKind, string>> = {
  topologies: 'a topology',
  skills: 'a skill',
  archetypes: 'an archetype',
  funnels: 'a funnel',
  contracts: 'a contract',
  roles: 'a role registry',
};

/** What every kind has: its text, and a way to change it. */
export function textRoutes(server: FastifyInstance, kind: EditableKind, { editing, workspace }: Desk): void {
  const params = idParams(kind);
  server.get<ById>(
    `/api/${kind}/:id/yaml`,
    { config: READ, schema: { summary: `The file of ${ONE[kind]}`, params, response: { 200: tagged(FILE_TEXT) } } },
    async ({ params: { id } }, reply) => {
      const { text, etag } = await editing.text({ workspace, kind, id });
      return sendTagged<TypeOf<typeof FILE_TEXT>>(reply, etag, { yaml: text });
    },
  );
  server.put<ById & WithChange>(
    `/api/${kind}/:id`,
    {
      config: WRITE,
      schema: {
        summary: `Changes ${ONE[kind]}, or makes it`,
        params,
        headers: PRECONDITIONS,
        body: CHANGE_BODY,
        response: { 200: EDIT_REPORT },
      },
    },
    async (request, reply) => {
      const { body, params } = request;
      const ask = { workspace, kind, id: params.id, change: changeOf(body), dryRun: body.dry_run };
      return sendEdited(reply, await editing.change({ ...ask, ...preconditionsOf(request) }));
    },
  );
}

/** What topologies, skills and archetypes have beside that. */
export function artifactRoutes(
  server: FastifyInstance,
  kind: 'topologies' | 'skills' | 'archetypes',
  desk: Desk,
): void {
  const { editing, workspace } = desk;
  const params = idParams(kind);
  server.get(
    `/api/${kind}`,
    { config: READ, schema: { summary: `Lists the ${kind}`, response: { 200: ARTIFACT_ROWS } } },
    async () => (await editing.list({ workspace, kind })).map(toWireRow),
  );
  server.post<WithChange>(
    `/api/${kind}`,
    {
      config: WRITE,
      schema: { summary: `Makes ${ONE[kind]}`, body: CHANGE_BODY, response: { 200: tagged(EDIT_REPORT) } },
    },
    async ({ body }, reply) => {
      const edited = await editing.create({ workspace, kind, change: changeOf(body), dryRun: body.dry_run });
      if (edited.report.valid && edited.report.written) reply.header('location', `/api/${kind}/${edited.id}`);
      return sendEdited(reply, edited);
    },
  );
  server.get<ById>(
    `/api/${kind}/:id`,
    { config: READ, schema: { summary: `Shows ${ONE[kind]}`, params, response: { 200: tagged(DETAILS[kind]) } } },
    async ({ params: { id } }, reply) => {
      const { detail, etag } = await editing.show({ workspace, kind, id });
      return sendTagged(reply, etag, toWireDetail(detail));
    },
  );
  server.delete<ById>(
    `/api/${kind}/:id`,
    {
      config: WRITE,
      schema: { summary: `Removes ${ONE[kind]}`, params, headers: PRECONDITIONS, response: { 200: FILE_DELETED } },
    },
    async (request): Promise<TypeOf<typeof FILE_DELETED>> => {
      const { id, reloaded } = await editing.remove({
        workspace,
        kind,
        id: request.params.id,
        ...preconditionsOf(request),
      });
      return { deleted: true, id, reloaded };
    },
  );
  textRoutes(server, kind, desk);
}
