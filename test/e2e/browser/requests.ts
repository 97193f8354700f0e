import { MATRIX } from '../../plugins/serve/matrix.js';

/** One request that means something: real ids, a body that its route would take. */
export interface PageRequest {
  readonly method: string;
  readonly pattern: string;
  readonly path: string;
  readonly body: string;
  /** A route takes it; what none takes is tried in fewer ways. */
  readonly isRouted: boolean;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What a name stands for in a pattern; else the id of the route's first part, else `x`. */
const NAMED: Readonly<Record<string, string>> = {
  topology: 'idle',
  section: 'credentials',
  entry_id: 'vault',
  type: 'topology',
  name: 'plain',
};
const FIRST: Readonly<Record<string, string>> = {
  triggers: 'hand',
  topologies: 'idle@1.0.0',
  skills: 'note',
  archetypes: 'writer',
  funnels: 'sign-off',
  contracts: 'x',
  roles: 'people',
};

const BODIES: Readonly<Record<string, object>> = {
  '/run/:topology': { input: 'x' },
  '/hooks/:name': { n: 1 },
  '/conversations': { topology: 'idle' },
  '/conversations/:id/messages': { message: 'x' },
  '/events/signal': { correlation_id: 'order-7', event: 'x' },
  '/canary/:topology/promote': { version: '2.0.0' },
  '/memory': { subject: 's', attribute: 'a', value: 'v' },
  '/memory/quarantine': { id: 'ffff', accept: true },
  '/memory/quarantine/:id/resolve': { accept: true },
  '/review/:id/answer': { answer: 'x' },
  '/review/:id/resolve': { outcome: 'approve' },
  '/api/workspace/config/:section/:entry_id': { source: 'env', config: { env: 'OTHER' } },
};

function pathOf(pattern: string, ids: Readonly<Record<string, string>>): string {
  const [, first = '', second = ''] = pattern.split('/');
  const id = ids[first] ?? FIRST[first === 'api' ? second : first] ?? 'x';
  return pattern.replaceAll(/:(\w+)/g, (_all, name: string) => NAMED[name] ?? id).replace('*', id);
}

/** The methods of every pattern of the full server, registered or not. */
export function everyRequest(ids: Readonly<Record<string, string>>): readonly PageRequest[] {
  const patterns = [...new Set(Object.keys(MATRIX).map((key) => key.split(' ')[1] ?? ''))];
  return patterns.flatMap((pattern) =>
    METHODS.map((method) => ({
      method,
      pattern,
      path: pathOf(pattern, ids),
      body: JSON.stringify(BODIES[pattern] ?? {}),
      isRouted: `${method} ${pattern}` in MATRIX,
    })),
  );
}
