import {
  type App,
  toWireMemory,
  toWireMemoryChange,
  toWireMemoryConfig,
  toWireMemoryWritten,
  toWireQuarantine,
} from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount, type Served } from '@kit-run/kit/plugin';
import {
  MEMORIES,
  MEMORY_CONFIG,
  MEMORY_ITEM,
  MEMORY_WRITTEN,
  QUARANTINE,
  QUARANTINE_RESOLVED,
} from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import {
  ADD_BODY,
  type AddBody,
  DECIDE_BODY,
  ID_PARAM,
  ITEM_QUERY,
  LIST_QUERY,
  QUARANTINE_QUERY,
  RESOLVE_BODY,
  type ResolveBody,
} from './schemas.js';

const tags = ['memory'];
const DECIDING = { summary: 'Accepts or rejects a contradiction.', tags, response: { 200: QUARANTINE_RESOLVED } };

/** Who asks is who was authenticated; a name in a query or a body counts for nothing. */
const mount: HttpMount<Pick<App, 'memory'>> = {
  register(server, served) {
    entryRoutes(server, served);
    quarantineRoutes(server, served);
  },
};

type ServedMemory = Served<Pick<App, 'memory'>>;

/** What is remembered, and what people add. */
function entryRoutes(server: FastifyInstance, { app: { memory }, workspace }: ServedMemory): void {
  server.get<{ Querystring: { query: string; type?: string; limit: number } }>(
    '/memory',
    {
      config: { tier: 'read' },
      schema: {
        summary: "The caller's memory and what people wrote.",
        tags,
        querystring: LIST_QUERY,
        response: { 200: MEMORIES },
      },
    },
    async ({ query: { query, type, limit }, caller }) => ({
      memories: (await memory.list({ workspace, reader: caller.clientId, query, type: type ?? null, limit })).map(
        toWireMemory,
      ),
    }),
  );
  server.get<{ Querystring: { subject: string; attribute: string } }>(
    '/memory/item',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'One entry with its history.',
        tags,
        querystring: ITEM_QUERY,
        response: { 200: MEMORY_ITEM },
      },
    },
    async ({ query: { subject, attribute }, caller }) => {
      const [found] = await memory.item({ workspace, reader: caller.clientId, subject, attribute });
      return {
        current: found === undefined ? null : toWireMemory(found.memory),
        history: (found?.history ?? []).map(toWireMemoryChange),
      };
    },
  );
  server.get(
    '/memory/config',
    {
      config: { tier: 'read' },
      schema: { summary: 'The settings of memory that are in force.', tags, response: { 200: MEMORY_CONFIG } },
    },
    async () => toWireMemoryConfig(await memory.config({ workspace })),
  );
  server.post<{ Body: AddBody }>(
    '/memory',
    {
      config: { tier: 'run' },
      schema: {
        summary: 'Remembers one thing, for everybody.',
        tags,
        body: ADD_BODY,
        response: { 200: MEMORY_WRITTEN },
      },
    },
    async ({ body, caller }) => {
      const { subject, attribute, value, type, confidence, source } = body;
      const memories = [{ subject, attribute, value, type, confidence, source }];
      const [written] = await memory.add({ workspace, by: caller.clientId, memories });
      if (written === undefined) throw new Error('what was to be remembered was not written');
      return toWireMemoryWritten(written);
    },
  );
}

/** What contradicts it, and what people say of that. */
function quarantineRoutes(server: FastifyInstance, { app: { memory }, workspace }: ServedMemory): void {
  server.get<{ Querystring: { status: 'pending' | 'accepted' | 'rejected' | 'all'; limit: number } }>(
    '/memory/quarantine',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'What contradicts what is known.',
        tags,
        querystring: QUARANTINE_QUERY,
        response: { 200: QUARANTINE },
      },
    },
    async ({ query: { status, limit }, caller }) => {
      const found = await memory.quarantine({
        workspace,
        reader: caller.clientId,
        status: status === 'all' ? null : status,
        limit,
      });
      return { quarantine: found.map(toWireQuarantine) };
    },
  );
  const decide = async (id: string, { accept, comment = '' }: ResolveBody, by: string) => {
    const { candidate } = await memory.resolve({
      workspace,
      id,
      accept,
      by,
      comment: comment === '' ? null : comment,
    });
    return { resolved: true, accepted: accept, outcome: accept ? { op: 'update', value: candidate.value } : null };
  };
  server.post<{ Body: ResolveBody & { id: string } }>(
    '/memory/quarantine',
    {
      config: { tier: 'run', mayAnswer: [409] },
      schema: { ...DECIDING, body: DECIDE_BODY },
    },
    async ({ body, caller }) => decide(body.id, body, caller.clientId),
  );
  server.post<{ Params: { id: string }; Body: ResolveBody }>(
    '/memory/quarantine/:id/resolve',
    {
      config: { tier: 'run', mayAnswer: [409] },
      schema: { ...DECIDING, params: ID_PARAM, body: RESOLVE_BODY },
    },
    async ({ params, body, caller }) => decide(params.id, body, caller.clientId),
  );
}

/** What is remembered. */
export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
