import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { defineHttpMount, type HttpMount } from '../../src/sdk/plugin.js';
import { httpMountConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const SCHEMA = {
  summary: 'Says hello.',
  response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } },
};
const hello = async () => ({ hello: 'you' });

const good: HttpMount['register'] = (server) => void server.get('/hello', { schema: SCHEMA }, hello);
const define = (register: HttpMount['register']) => defineHttpMount({ create: () => ({ register }) });

const NAMES = {
  fresh: 'gives a new instance each time it is created',
  quiet: 'registers without listening, asking the network or starting a process',
  described: 'describes each of its routes and what it answers',
  tier: 'asks callers for a tier that kit knows',
  alone: 'leaves no hook and no decorator outside its scope',
  alike: 'registers the same routes on another server',
} as const;

const ALL = [NAMES.quiet, NAMES.described, NAMES.tier, NAMES.alone, NAMES.alike];

/** Where an encapsulated scope comes from. */
const outside = (scope: FastifyInstance): FastifyInstance => Object.getPrototypeOf(scope) as FastifyInstance;

const shared: HttpMount = { register: good };
let registered = 0;

const MUTANTS = [
  { name: 'is one for all', made: defineHttpMount({ create: () => shared }), caught: [NAMES.fresh] },
  {
    name: 'listens by itself',
    made: define(async (server) => void server.server.listen(0, '127.0.0.1')),
    caught: [NAMES.quiet, NAMES.described],
  },
  {
    name: 'asks the network while it registers',
    made: define(async (server, served) => {
      await fetch('http://127.0.0.1:60999/').catch(() => undefined);
      return good(server, served);
    }),
    caught: [NAMES.quiet],
  },
  { name: 'has no routes', made: define(() => {}), caught: [NAMES.described] },
  {
    name: 'says nothing of its answers',
    made: define((server) => void server.get('/hello', { schema: { summary: 'Hello.' } }, hello)),
    caught: [NAMES.described],
  },
  {
    name: 'has no summary',
    made: define((server) => void server.get('/hello', { schema: { response: SCHEMA.response } }, hello)),
    caught: [NAMES.described],
  },
  {
    name: 'asks for a tier that nobody has',
    made: define((server) => void server.get('/hello', { schema: SCHEMA, config: { tier: 'owner' as never } }, hello)),
    caught: [NAMES.tier],
  },
  {
    name: 'decorates the server outside',
    made: define((server, served) => {
      Object.assign(outside(server), { acme: true });
      return good(server, served);
    }),
    caught: [NAMES.alone],
  },
  {
    name: 'registers once',
    made: define((server, served) => {
      registered += 1;
      server.get(`/hello-${registered}`, { schema: SCHEMA }, hello);
      return good(server, served);
    }),
    caught: [NAMES.alike],
  },
  { name: 'throws', made: define(() => Promise.reject(new Error('no database'))), caught: ALL },
  { name: 'never ends', made: define(() => new Promise(() => {})), caught: ALL },
  {
    name: 'has a schema that is none',
    made: define(
      (server) => void server.get('/hello', { schema: { ...SCHEMA, querystring: { type: 'nonsense' } } }, hello),
    ),
    caught: ALL,
  },
];

describe('the contract of httpMounts', () => {
  it('holds for a mount that keeps it, whatever it takes of the use cases while it registers', async () => {
    const made = define((server, served) => {
      const { serve } = served.app as { readonly serve: { onReload(listener: () => void): unknown } };
      serve.onReload(() => {});
      return good(server, served);
    });
    expect((await runCases(httpMountConformance(made))).failed).toEqual({});
  });

  it.each(MUTANTS)('finds one that $name', async ({ made, caught }) => {
    const { failed } = await runCases(httpMountConformance(made, { deadlineMs: DEADLINE_MS }));
    expect(Object.keys(failed).sort()).toEqual([...caught].sort());
  });
});
