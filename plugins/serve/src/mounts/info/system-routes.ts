import { toWireStorage, toWireSystem } from '@kit-run/kit/command';
import type { FastifyInstance } from 'fastify';
import { answers, flag, list, maybeText, object, text, texts } from './schema-words.js';
import type { ServedInfo } from './used.js';

const GROWTH = object({
  retention_days: { type: 'integer' },
  decided_by: { type: 'string', description: '`storage.audit.retention_days` or `default`.' },
  prune_every_hours: {
    type: ['integer', 'null'],
    description: '`storage.audit.prune_every_hours`; null: no server removes anything.',
  },
  database_bytes: {
    type: ['integer', 'null'],
    description: 'Of the store of the runs, beside the blobs; null, like the rest: not known.',
  },
  oldest_run: { type: ['string', 'null'], description: 'When the oldest run was submitted.' },
  due: {
    type: ['object', 'null'],
    description: 'What the retention would remove now.',
    additionalProperties: false,
    required: ['runs', 'more', 'bytes'],
    properties: {
      runs: { type: 'integer', description: 'No more than 10,000 are counted.' },
      more: { type: 'boolean', description: 'There are more.' },
      bytes: { type: 'integer', description: 'About what these take of the database.' },
    },
  },
  error: { type: ['string', 'null'], description: 'Why the store cannot be asked.' },
});

const STORAGE = object({
  stores: list(
    object({
      store: {
        type: 'string',
        enum: ['runtime', 'audit', 'checkpoints', 'artifacts', 'memory', 'fleet', 'knowledge_bases'],
      },
      backend: { type: 'string', description: '`UNRESOLVED`: what the settings ask for cannot be had.' },
      location: { type: ['string', 'null'], description: '`workspace-local`, or a URL without its password.' },
      source: {
        type: 'string',
        description: 'What decided: `default`, `env`, `role`, `storage.runtime` or `storage.<store>`.',
      },
      setting: { type: ['string', 'null'], description: 'The variable or the key; null: nothing is written.' },
      error: maybeText,
    }),
  ),
  audit_copy: {
    type: ['object', 'null'],
    description:
      'How far the log is behind the runs where `storage.audit` names a database of its own; null: it lies with the runs.',
    additionalProperties: false,
    required: ['behind_events', 'behind_seconds', 'error'],
    properties: {
      behind_events: { type: ['integer', 'null'], description: 'Null: not known, the database has not answered yet.' },
      behind_seconds: { type: ['number', 'null'], description: 'Age of the oldest event that is missing there.' },
      error: { type: ['string', 'null'], description: 'Why it cannot be reached now; null: it can.' },
    },
  },
  warnings: texts,
  growth: GROWTH,
});

const SYSTEM = object({
  workspace: { type: ['string', 'null'], description: 'Null: the files have errors.' },
  workspace_name: maybeText,
  valid: flag,
  root: text,
  role: { type: ['string', 'null'], enum: ['all', 'api', null], description: '`api`: workers execute the runs.' },
  runtime_version: text,
  schema_version: text,
  node_version: text,
  webui_version: { type: 'null' },
  storage: STORAGE,
  properties: list(object({ name: text, value: text, sensitive: flag })),
  environment: list(
    object({ name: text, group: text, description: text, set: flag, value: maybeText, sensitive: flag }),
  ),
  plugins: list(
    object({
      name: text,
      version: text,
      origin: text,
      state: text,
      code: maybeText,
      message: maybeText,
      contributions: texts,
    }),
  ),
  launches: list(object({ kind: text, id: text, argv: texts })),
  knowledge_bases: list(object({ id: text, path: text, include: texts })),
});

/** Where everything lies, and what kit this is. */
export function systemRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get(
    '/storage',
    {
      schema: answers(
        'Where each store lies, which setting says so, how large the store of the runs is, and what is due in it.',
        STORAGE,
      ),
    },
    async () => toWireStorage(await app.info.storage(workspace), await app.info.growth(workspace)),
  );
  server.get(
    '/system',
    { schema: answers('Versions, storage, properties, environment, plugins and command lines. No secret.', SYSTEM) },
    async () => toWireSystem(await app.info.system(workspace)),
  );
}
