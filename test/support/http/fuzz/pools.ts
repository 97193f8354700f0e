import { below, oneOf, type Random } from '../../fuzz-mutations.js';

const KEPT = 60;

/** Members of answers that a later request can name, and under which name it asks. */
const MEMBERS: Readonly<Record<string, string>> = {
  job_id: 'jobs',
  run_id: 'jobs',
  gate_id: 'gates',
  item_id: 'review',
  ref: 'artifacts',
  artifact_ref: 'artifacts',
  cursor: 'cursors',
  next_cursor: 'cursors',
  correlation_id: 'correlations',
};

const FIRST: Readonly<Record<string, readonly string[]>> = {
  run: ['idle', 'idle@1.0.0', 'release', 'shaped', 'noting', 'asking', 'failing'],
  canary: ['idle', 'release'],
  hooks: ['idle', 'shaped', 'noting'],
  triggers: ['pr', 'plain', 'night', 'hand', 'lost'],
  topologies: ['idle', 'release', 'scratch', 'noting'],
  skills: ['note', 'scratch'],
  archetypes: ['writer', 'scratch'],
  funnels: ['sign-off', 'scratch'],
  contracts: ['scratch'],
  roles: ['people', 'scratch'],
  section: ['credentials', 'mcp_servers', 'events', 'server'],
  entry: ['vault', 'hook', 'scratch'],
  schema: ['workspace', 'topology', 'role-registry', 'ModelProvider'],
  correlations: ['order-7'],
  subject: ['billing'],
  attribute: ['currency'],
};

/** What earlier answers named: later requests are about real things as often as about none. */
export interface Pools {
  pick(pool: string, random: Random): string | null;
  /** Reads an answer of a path of the document. */
  harvest(path: string, body: unknown): void;
}

export function createPools(): Pools {
  const pools = new Map<string, string[]>(Object.entries(FIRST).map(([name, values]) => [name, [...values]]));
  const add = (name: string, value: string): void => {
    const pool = pools.get(name) ?? [];
    pools.set(name, pool);
    if (value === '' || pool.includes(value)) return;
    if (pool.length < KEPT) pool.push(value);
    // What a topology is called is known from the start; ids make room for newer ones.
    else pool[below(() => pool.length / (pool.length + KEPT), KEPT)] = value;
  };
  const walk = (value: unknown, segment: string): void => {
    if (Array.isArray(value)) for (const one of value.slice(0, 20)) walk(one, segment);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) {
        if (typeof one !== 'string') walk(one, segment);
        else if (name === 'id' && segment !== 'api') add(segment, one);
        else if (MEMBERS[name] !== undefined) add(MEMBERS[name], one);
      }
  };
  return {
    pick: (name, random) => {
      const pool = pools.get(name) ?? [];
      return pool.length === 0 ? null : oneOf(random, pool);
    },
    harvest: (path, body) => walk(body, path.split('/')[1] ?? ''),
  };
}

/** Under which name things of a parameter are kept. */
export function poolOf(path: string, name: string): string {
  const [, first = '', second = ''] = path.split('/');
  if (name === 'section') return 'section';
  if (name === 'entry_id') return 'entry';
  if (name === 'subject' || name === 'attribute') return name;
  if (['run_id', 'job_id', 'before', 'supersedes', 'parent_job_id'].includes(name)) return 'jobs';
  if (name === 'gate_id') return 'gates';
  if (name === 'correlation_id') return 'correlations';
  if (name === 'after') return first === 'events' ? 'cursors' : 'review';
  if (name === 'topology') return 'run';
  return first === 'api' ? second : first;
}
