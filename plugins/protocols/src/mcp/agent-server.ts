import type { Backend } from './backend.js';
import { callTool } from './call/call-tool.js';
import { TASKS_EXTENSION } from './call/client-capabilities.js';
import { listResources } from './resource-pages.js';
import { ARTIFACT_TEMPLATE, RUN_TEMPLATE, readResource } from './resources.js';
import { Server } from './sdk/parts.js';
import { addTaskHandlers } from './tasks/task-handlers.js';
import { jobTool } from './tools/job-tool.js';

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
  'Each run_ tool runs a topology: a team of agents. A run can take long, and it can wait for people to decide; the answer then says so, and kit_job tells later what came of it.';

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
