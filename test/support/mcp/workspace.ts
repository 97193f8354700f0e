import { idleTopology } from '../http/idle-workspace.js';
import { stepWorkspace } from '../http/step-workspace.js';

const funnel = JSON.stringify({
  apiVersion: 'kit/v1',
  kind: 'Funnel',
  metadata: { id: 'sign-off', name: 'Sign-off', description: 'One role signs.' },
  approve: { rules: [{ scope: 'release:sign', roles: ['qa'], quorum: 'all' }] },
  provenance: { authored_by: 'human', version: '1.0.0' },
});
const roles = JSON.stringify({
  apiVersion: 'kit/v1',
  kind: 'RoleRegistry',
  metadata: { id: 'people', name: 'People' },
  roles: [{ id: 'qa', members: ['qa-1'], scopes: ['release:sign'] }],
});

/** The root of an idle topology with more keys. */
function rooted(name: string, root: Readonly<Record<string, unknown>>, over: Parameters<typeof idleTopology>[1] = {}) {
  const topology = JSON.parse(idleTopology(name, over));
  return JSON.stringify({ ...topology, agents: { root: { ...topology.agents.root, ...root } } });
}

const ANSWER = {
  type: 'object',
  required: ['points'],
  properties: { points: { type: 'array', items: { $ref: '#/$defs/point' } } },
  $defs: { point: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
};

/**
 * Topologies of every kind of input and every end: `idle` echoes, `steps` waits for the file `go`,
 * `release` is gated by `qa`, `failing` fails, `points` answers a value.
 */
export const mcpWorkspace = (
  of: {
    readonly server?: Readonly<Record<string, unknown>>;
    readonly workspace?: Readonly<Record<string, unknown>>;
  } = {},
): Record<string, string> =>
  stepWorkspace({
    ...of,
    files: {
      'topologies/texts.yaml': idleTopology('texts', { input_schema: { type: 'string', minLength: 2 } }),
      'topologies/lists.yaml': idleTopology('lists', { input_schema: { type: 'array', items: { type: 'integer' } } }),
      'topologies/either.yaml': idleTopology('either', {
        input_schema: {
          oneOf: [{ $ref: '#/$defs/one' }, { type: 'integer' }],
          $defs: { one: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
        },
      }),
      'topologies/shaped.yaml': idleTopology('shaped', {
        input_schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          required: ['n'],
          additionalProperties: false,
          properties: { n: { type: 'integer' } },
        },
      }),
      'topologies/held.yaml': idleTopology('held', {
        input_schema: { type: 'object', required: ['attachments'], properties: { attachments: { type: 'integer' } } },
      }),
      'topologies/points.yaml': rooted(
        'points',
        { output_schema: ANSWER },
        { options: { script: [{ json: { points: [{ n: 1 }] } }] } },
      ),
      'topologies/failing.yaml': idleTopology('failing', {
        options: { script: [{ fail: { kind: 'bad_request', message: 'no such model' } }] },
      }),
      'topologies/release.yaml': rooted('release', { funnel: 'sign-off' }),
      'topologies/older.yaml': idleTopology('versioned'),
      'topologies/newer.yaml': idleTopology('versioned', { version: '1.2.0' }),
      'funnels/sign-off.yaml': funnel,
      'roles/people.yaml': roles,
    },
  }) as Record<string, string>; // every file of it is text
