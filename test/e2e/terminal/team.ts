import { type RecordedRequest, type Reply, startModelServer } from '../../support/model-server.js';
import { localProvider } from '../workspaces.js';

/**
 * A model server for `team`: the lead delegates to every member at once; members answer when the
 * test lets them.
 */
export interface TeamServer {
  readonly url: string;
  /** Members that have asked and wait. */
  waiting(): readonly string[];
  /** Lets one member answer. */
  release(member: string): void;
  releaseAll(): void;
  /** What the next questions of a member are answered with instead, one each. */
  reply(member: string, ...replies: readonly Reply[]): void;
  close(): Promise<void>;
}

const members = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `member-${index + 1}`);
const promptOf = (request: RecordedRequest): string => JSON.stringify(request.body.messages[0]?.content ?? '');

export async function startTeamServer(
  count: number,
  options: { readonly isHolding?: boolean } = {},
): Promise<TeamServer> {
  const gates = new Map(members(count).map((member) => [member, Promise.withResolvers<void>()]));
  const replies = new Map<string, Reply[]>();
  const waiting = new Set<string>();
  const server = await startModelServer((request) => {
    const member = /You are (member-\d+)\./.exec(promptOf(request))?.[1];
    if (member === undefined) {
      const hasResults = request.body.messages.at(-1)?.role === 'tool';
      if (hasResults) return { do: 'answer', text: 'the team is done' };
      return {
        do: 'answer',
        calls: members(count).map((name) => ({ name: `delegate_to_${name}`, arguments: { task: 'work' } })),
      };
    }
    const reply: Reply = replies.get(member)?.shift() ?? { do: 'answer', text: `${member} has worked` };
    const gate = gates.get(member);
    if (options.isHolding === false || gate === undefined) return reply;
    waiting.add(member);
    return { do: 'hold', until: gate.promise.then(() => waiting.delete(member)), reply };
  });
  return {
    url: server.url,
    waiting: () => [...waiting],
    release: (member) => gates.get(member)?.resolve(),
    releaseAll: () => {
      for (const gate of gates.values()) gate.resolve();
    },
    reply: (member, ...next) => void replies.set(member, [...next]),
    close: () => server.close(),
  };
}

/** A workspace with one topology `team`: `lead` and so many members. */
export const teamWorkspace = (count: number): Record<string, string> => ({
  'workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: team, name: Team }\nmemory: { enabled: false }\n',
  'providers/local.yaml': localProvider,
  'topologies/team.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: team, version: 1.0.0, description: A lead with members. }
agents:
  root:
    id: lead
    role: root
    model: { provider: local, name: m1 }
    prompt: { system: You lead. }
    children:
${members(count)
  .map(
    (member) => `      - id: ${member}
        role: worker
        model: { provider: local, name: m1 }
        prompt: { system: You are ${member}. }
`,
  )
  .join('')}`,
});
