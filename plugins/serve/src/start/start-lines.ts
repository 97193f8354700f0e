import type { RunningServer } from './run-server.js';

type Told = Pick<RunningServer, 'url' | 'prepared' | 'facts' | 'failed'>;

const warningsOf = ({ prepared, facts, failed }: Told): readonly string[] => [
  ...prepared.warnings,
  ...facts.notes,
  ...failed.map(({ id, plugin, reason }) => `the routes of ${id} (${plugin}) are not mounted: ${reason}`),
];

/** What an operator reads when the server takes requests. */
export const startLines = (server: Told): readonly string[] => [
  `listening on ${server.url}`,
  `auth: ${server.prepared.auth.info().mode}`,
  ...(server.prepared.role === 'api'
    ? [
        `storage: ${server.facts.storage}, the journal of runs beside them (role api)`,
        `role: api, runs are left to workers; max_queue_depth: ${server.prepared.maxQueued ?? 'unbounded'}`,
      ]
    : [`storage: ${server.facts.storage}`, `max_concurrent: ${server.facts.maxConcurrent}`]),
  ...warningsOf(server).map((warning) => `warning: ${warning}`),
];

/** The same for programs; the line of the address is the first. */
export const startValues = (server: Told): readonly object[] => [
  {
    type: 'listening',
    url: server.url,
    auth: server.prepared.auth.info().mode,
    storage: server.facts.storage,
    role: server.prepared.role,
    ...(server.prepared.role === 'api'
      ? { max_queue_depth: server.prepared.maxQueued }
      : { max_concurrent: server.facts.maxConcurrent }),
  },
  ...warningsOf(server).map((message) => ({ type: 'warning', message })),
];
