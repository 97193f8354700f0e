import { own } from '../../lib/own.js';
import type { SchemaKind } from './schema-kind.js';

/** Fields that older revisions of the format had: what to use instead. */
const REMOVED: Readonly<Partial<Record<SchemaKind, Readonly<Record<string, string>>>>> = {
  Workspace: {
    channels: 'chat channels are gone; follow `events` with a webhook sink, or read the event log',
    notifications: 'notification providers are gone; follow `events` with a webhook sink, or read the event log',
    authoring: 'remove it: a workspace has no authoring settings',
    pipelines:
      'pipelines are gone; the calling application sequences runs and ties them together with a correlation id',
  },
  Topology: {
    stages: 'stage graphs are gone; the calling application sequences runs, a `funnel` on an agent gates its output',
    pipeline: 'pipelines are gone; the calling application sequences runs',
  },
  Skill: { requires_credentials: 'name the credential where it is used: on the server, the pack or the agent skill' },
};

const LITERAL_SECRET = 'name the place of the secret instead of the secret: `source: env` with `config: { env: NAME }`';

/**
 * Help for an unknown field of which more is known than its spelling, or undefined. `pointer` = the
 * mapping that holds it.
 */
export function removedFieldHelp(kind: SchemaKind, pointer: string, field: string): string | undefined {
  if (kind === 'Workspace' && pointer.startsWith('/credentials/') && field === 'value') return LITERAL_SECRET;
  const removed = REMOVED[kind];
  return pointer === '' && removed !== undefined ? own(removed, field) : undefined;
}
