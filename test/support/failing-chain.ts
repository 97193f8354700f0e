import { type ModelServer, type RecordedRequest, startModelServer } from './model-server.js';

/** A model server that refuses one agent until it is fixed, and counts what each agent asked. */
export interface FailingModel extends ModelServer {
  /** The answers of the refused agent are good from now on. */
  fix(): void;
  /** Agent -> how often it was answered. */
  answered(): Readonly<Record<string, number>>;
}

const WORKERS = 9;

/** A lead and nine workers in a row, on a provider of the workspace's own. */
export const chainFiles = (over: { readonly funnel?: string } = {}): Record<string, string> => ({
  'providers/local.yaml': `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: local, name: Local, description: A model server of this machine. }
spec: { extends: openai-compatible, base_url: "\${MODEL_URL}", models: { accept_any: true }, auth: { api_key_env: LOCAL_KEY } }
provenance: { authored_by: human, version: 1.0.0 }
`,
  'topologies/chain.yaml': JSON.stringify({
    apiVersion: 'kit/v1',
    kind: 'Topology',
    metadata: { name: 'chain', version: '1.0.0' },
    agents: {
      root: {
        id: 'lead',
        role: 'root',
        model: { provider: 'mock' },
        children: Array.from({ length: WORKERS }, (_, n) => ({
          id: `w${n + 1}`,
          role: 'worker',
          prompt: { system: `You are w${n + 1}.` },
          model: { provider: 'local', name: 'm' },
          ...(n === 0 ? {} : { depends_on: [`w${n}`] }),
          ...(n === 1 && over.funnel !== undefined ? { funnel: over.funnel } : {}),
        })),
      },
    },
  }),
});

const agentOf = ({ body }: RecordedRequest): string =>
  /You are (w\d+)\./.exec(JSON.stringify(body.messages))?.[1] ?? 'unknown';

/** Refuses `failing` with a status that no retry of the call helps. */
export async function startFailingModel(failing: string): Promise<FailingModel> {
  const answered: Record<string, number> = {};
  let isMended = false;
  const server = await startModelServer((request) => {
    const agent = agentOf(request);
    if (agent === failing && !isMended) return { do: 'status', status: 400, message: 'no such thing' };
    answered[agent] = (answered[agent] ?? 0) + 1;
    return { do: 'answer', text: `${agent} is done` };
  });
  return {
    ...server,
    fix: () => {
      isMended = true;
    },
    answered: () => ({ ...answered }),
  };
}
