import type { TriggerReport } from '@kit-run/kit/command';
import type { RunningServer } from './run-server.js';

type StartedServer = Pick<RunningServer, 'url' | 'prepared' | 'facts' | 'failed'>;

const warningsOf = ({ prepared, facts, failed }: StartedServer): readonly string[] => [
  ...prepared.warnings,
  ...facts.notes,
  ...failed.map(({ id, plugin, reason }) => `the routes of ${id} (${plugin}) are not mounted: ${reason}`),
];

/** Names of a line; the others are counted. */
const MAX_NAMES = 8;

const listed = (names: readonly string[]): string =>
  names.length <= MAX_NAMES
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;

const triggerText = ({ id, type, active, nextFireAt }: TriggerReport): string => {
  const when = active ? (nextFireAt === null ? '' : `, next ${nextFireAt}`) : ', off';
  return `${id} (${type}${when})`;
};

/**
 * The first request, as one pastes it. Quotes of the shell stand around nothing that a file says.
 */
function tryIt({ url, prepared, facts }: StartedServer): readonly string[] {
  const [first] = facts.topologies;
  if (first === undefined) return [];
  const proof = prepared.auth.info().mode === 'none' ? '' : ` -H "Authorization: Bearer $KIT_TOKEN"`;
  return [`try: curl -X POST ${url}/run/${first} -H 'Content-Type: application/json'${proof} -d '{"input": "hello"}'`];
}

/** What an operator reads when the server takes requests. */
export const startLines = (server: StartedServer, triggers: readonly TriggerReport[] = []): readonly string[] => [
  `listening on ${server.url}`,
  ...(server.facts.hasConsole ? [`console: ${server.url}/console`] : []),
  ...(server.facts.topologies.length === 0 ? [] : [`topologies: ${listed(server.facts.topologies)}`]),
  ...(triggers.length === 0 ? [] : [`triggers: ${listed(triggers.map(triggerText))}`]),
  `auth: ${server.prepared.auth.info().mode}`,
  ...(server.prepared.role === 'api'
    ? [
        `storage: ${server.facts.storage}, the journal of runs beside them (role api)`,
        `role: api, runs are left to workers; max_queue_depth: ${server.prepared.maxQueued ?? 'unbounded'}`,
      ]
    : [`storage: ${server.facts.storage}`, `max_concurrent: ${server.facts.maxConcurrent}`]),
  ...warningsOf(server).map((warning) => `warning: ${warning}`),
  ...tryIt(server),
];

/** The same for programs; the line of the address is the first. */
export const startValues = (server: StartedServer): readonly object[] => [
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
