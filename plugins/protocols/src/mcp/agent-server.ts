import { isKitError, isObject, type Json } from '@kit-run/kit/plugin';
import type { Backend, FoundJob } from './backend.js';
import { answerOf } from './call/answer-of.js';
import { callTool } from './call/call-tool.js';
import { TASKS_EXTENSION } from './call/client-capabilities.js';
import { listResources } from './resource-pages.js';
import { ARTIFACT_TEMPLATE, RUN_TEMPLATE, readResource } from './resources.js';
import { ProtocolError, ProtocolErrorCode, Server } from './sdk/parts.js';
import { detailedTask } from './tasks/task-of.js';
import { jobTool } from './tools/job-tool.js';

/** The library wants to know how parameters are checked; each method looks at its own. */
const ANY_PARAMS = {
  params: { '~standard': { version: 1, vendor: 'kit', validate: (value: unknown) => ({ value }) } },
} as const;

async function found(backend: Backend, params: Json | undefined): Promise<FoundJob> {
  const id = isObject(params) ? params.taskId : undefined;
  if (typeof id !== 'string') throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'taskId is not text');
  try {
    return await backend.find(id);
  } catch (error) {
    if (!isKitError(error)) backend.onDefect(error);
    const isUnknown = isKitError(error) && error.code === 'KIT_JOB_UNKNOWN';
    const words = isKitError(error) ? backend.wordsOf(error) : 'the server failed to answer';
    throw new ProtocolError(isUnknown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, words);
  }
}

const NO_DECISIONS =
  'a task takes no input here: people decide at the address of its gate, and the run goes on by itself once they have';

/**
 * The methods of the tasks extension. A task is a run, whoever asks for it and however it began.
 */
function addTaskHandlers(server: Server, backend: Backend): void {
  server.setRequestHandler('tasks/get', ANY_PARAMS, async (params) => {
    const of = await found(backend, params as Json);
    return detailedTask(of.job, { result: await answerOf(backend, of), gateUrl: await backend.gateUrl(of) });
  });
  server.setRequestHandler('tasks/cancel', ANY_PARAMS, async (params) => {
    await backend.stop(await found(backend, params as Json));
    return {};
  });
  server.setRequestHandler('tasks/update', ANY_PARAMS, async (params) => {
    await found(backend, params as Json);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_DECISIONS);
  });
}

/** What a server says of itself. */
export interface ServerIdentity {
  /** Of kit. */
  readonly version: string;
  /** Name of the workspace; null = there are several. */
  readonly title: string | null;
  /** Revision of the protocol that is spoken: tasks are part of the newer one. */
  readonly era: 'legacy' | 'modern';
}

const INSTRUCTIONS =
  'Each run_ tool runs a topology: a team of agents. A run can take long, and it can wait for people to decide; the answer then says so, and kit_job tells later what came of it. People decide, never you: say to your user what waits, and do not approve it by any other way, such as kit review in a shell.';

/** What becomes of runs when their client is gone. */
const WHEN_GONE: Readonly<Record<Backend['onCallEnded'], string>> = {
  leave: 'A run goes on when its client is gone.',
  stop: 'A run that works stops when its client is gone, and can be resumed; one that waits for people here stays.',
};

/** A server of MCP over a backend, for one request or one connection. */
export function agentServer(backend: Backend, { version, title, era }: ServerIdentity): Server {
  const server = new Server(
    { name: 'kit', version, ...(title === null ? {} : { title }) },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: {},
        ...(era === 'modern' ? { extensions: { [TASKS_EXTENSION]: {} } } : {}),
      },
      instructions: `${INSTRUCTIONS} ${WHEN_GONE[backend.onCallEnded]}`,
    },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: [...(await backend.tools()).map(({ definition }) => definition), jobTool],
  }));
  server.setRequestHandler('tools/call', (request, ctx) => callTool(backend, request, ctx));
  server.setRequestHandler('resources/list', ({ params }) => listResources(backend, params?.cursor));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [ARTIFACT_TEMPLATE, RUN_TEMPLATE],
  }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(backend, params.uri));
  if (era === 'modern') addTaskHandlers(server, backend);
  return server;
}
