import type { JobStatus } from '@kit-run/kit/command';
import type { Backend, FoundJob } from '../backend.js';
import type { CallToolResult } from '../sdk/parts.js';
import type { TopologyTool } from '../tools/topology-tools.js';
import { type Beside, envelopeOf } from './envelope.js';

/** Of a run that made more, the newest are told; `kit artifacts list` has all. */
const MAX_ARTIFACTS = 20;

/** What goes on is asked about again. */
const RESTS: ReadonlySet<JobStatus> = new Set(['completed', 'failed', 'stopped', 'deferred']);

/** How the answer of a run is told by the tool that began it. */
export const outputOf = ({ isStructured, version }: TopologyTool, { job }: FoundJob): Beside['output'] =>
  !isStructured ? 'text' : job.version === version ? 'value' : 'none';

/** A run as a tool answers it. */
export async function answer(backend: Backend, of: FoundJob, output: Beside['output']): Promise<CallToolResult> {
  const [gateUrl, artifacts] = await Promise.all([
    backend.gateUrl(of),
    RESTS.has(of.job.status) ? backend.artifacts(of, MAX_ARTIFACTS) : [],
  ]);
  const workspace = backend.rests === 'process' ? of.workspace : null;
  return envelopeOf(of.job, { gateUrl, output, artifacts, rests: backend.rests, workspace });
}

/** The same where no tool promised anything: as a value where its topology answers one. */
export async function answerOf(backend: Backend, of: FoundJob): Promise<CallToolResult> {
  const tool = (await backend.tools()).find(
    ({ topology, workspace }) => topology === of.job.topology && workspace === of.workspace,
  );
  return answer(backend, of, tool !== undefined && outputOf(tool, of) === 'value' ? 'value' : 'text');
}
