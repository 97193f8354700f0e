import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import { gated, PEOPLE, roleFile } from '../../e2e/review/gated-workspace.js';
import { type AppWorld, openApp } from '../http/open-app.js';
import { type A2aWorld, serveA2a } from './a2a-world.js';

const CALL = JSON.stringify([
  { tool_calls: [{ name: 'desk', input: { input: 'Release it' } }] },
  { text: 'passed on' },
]);

/** A workspace whose `front` asks the agent of this card. */
/** YAML behind the effects of the skill of a caller, and what its model says. */
export interface CallerText {
  readonly more?: string;
  readonly script?: readonly unknown[];
  /** YAML below the top level of workspace.yaml. */
  readonly workspace?: string;
}

export const caller = (
  card: string,
  skill: string,
  { more = '', script, workspace = '' }: CallerText = {},
): Record<string, string> => ({
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: caller, name: Caller }
memory: { enabled: false }
credentials: { peer: { source: env, config: { env: PEER_TOKEN } } }
${workspace}`,
  'roles/people.yaml': roleFile(PEOPLE),
  'topologies/front.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: front, version: 1.0.0 }
agents:
  root:
    id: boss
    role: root
    model: { provider: mock, name: m1, options: { script: ${script === undefined ? CALL : JSON.stringify(script)} } }
    prompt: { system: You lead. }
    skills: [desk]
`,
  'skills/desk.yaml': `apiVersion: kit/v1
kind: Skill
metadata: { id: desk, name: Desk, description: Asks the desk. }
category: capability
implementation: { type: agent, card_url: '${card}', skill_id: ${skill}, credentials_ref: peer, permission: open, effects: read${more} }
provenance: { authored_by: human, version: 1.0.0 }
`,
});

export const PEER = { PEER_TOKEN: 'run:kit-a' };
export const asker = { identity: 'qa-1', assurance: 'asserted' } as const;

export async function ask(card: string, skill = 'plain', env: Readonly<Record<string, string>> = {}) {
  const world = await openApp(caller(card, skill), { ...PEER, ...env });
  const handle = await world.app.runs.start({
    ...{ workspace: world.workspace, topology: 'front', input: 'hello', attachments: [], correlationId: null },
    ...{ labels: {}, supersedes: null, submittedBy: asker, timeoutMs: null, trust: [] },
  });
  return { ...world, handle };
}

/** Each event of a run in words. */
export async function linesOf(
  { app, workspace }: Pick<AppWorld, 'app' | 'workspace'>,
  job: string,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(10_000);
  const lines: string[] = [];
  for await (const item of await app.jobs.stream({ workspace, job, afterSeq: 0, signal }))
    if (item.kind === 'line') lines.push(item.text);
  return lines;
}

export const desk = () => serveA2a(gated({ workspace: 'server: { a2a: { enabled: true } }\n' }));
export const cardOf = ({ url }: A2aWorld): string => `${url}/.well-known/agent-card.json`;

/** A peer that answers its card and its calls as it likes. */
export async function peer(
  answer: (url: string, body: string, origin: string) => { type?: string; body: string; status?: number },
) {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { port } = server.address() as AddressInfo;
      const {
        type = 'application/json',
        status = 200,
        ...said
      } = answer(request.url ?? '', body, `http://127.0.0.1:${port}`);
      response.writeHead(status, { 'content-type': type }).end(said.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const CARD = { name: 'Peer', skills: [{ id: 'plain', name: 'plain' }], capabilities: {} };
export const withUrl = (url: string) => ({
  ...CARD,
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});
export const rpc = (body: string, result: unknown, id?: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? JSON.parse(body).id, result });
export const task = (state: string, over: object = {}) => ({
  task: { id: 't1', contextId: 'c', status: { state }, ...over },
});

/** A caller that serves: its runs wait without a process. */
export async function askServed(card: string, skill: string, text: CallerText = {}) {
  const world = await openApp(caller(card, skill, text), PEER);
  await world.app.serve.start({ workspace: world.workspace });
  onTestFinished(() => world.app.serve.drain(0));
  const { job } = await world.app.serve.submit(frontOf(world));
  return { ...world, job, now: () => world.app.jobs.get({ workspace: world.workspace, job: job.id }) };
}

/** A run of `front`, asked for over HTTP. */
export const frontOf = ({ workspace }: Pick<AppWorld, 'workspace'>) =>
  ({
    ...{ workspace, topology: 'front', input: 'hello', attachments: [], correlationId: null },
    ...{ labels: {}, supersedes: null, submittedBy: asker, source: 'serve' as const, once: null },
  }) as const;

/** The only run of a kit that is asked. */
export async function onlyRun({ app, workspace }: Pick<AppWorld, 'app' | 'workspace'>): Promise<Job | undefined> {
  const [run, ...others] = await app.jobs.list({ workspace });
  if (others.length > 0) throw new Error(`${others.length + 1} runs`);
  return run;
}

/** Signs what the only gate of `release` asks, as both roles. */
export async function sign({ app, workspace }: Pick<AppWorld, 'app' | 'workspace'>): Promise<void> {
  const pending = { kind: null, gate: null, show: 'pending', limit: 10, afterId: null } as const;
  const { items } = await app.review.list({ workspace, ...pending });
  for (const { id } of items)
    for (const identity of ['qa-2', 'ops-1'])
      await app.review
        .resolve({ workspace, item: id, identity, auth: LOCAL_AUTH, outcome: 'approve', comment: '' })
        .catch(() => null); // the item of the other role
}
