import { type JobStatus, shellWord } from '@kit-run/kit/command';
import type { Json, JsonObject } from '@kit-run/kit/plugin';
import type { Rests } from '../../shared/people-elsewhere.js';
import type { MadeArtifact } from '../backend.js';
import { artifactUri } from '../resources.js';
import type { CallToolResult } from '../sdk/parts.js';

/** What an answer tells of a run. */
export interface AnsweredRun {
  readonly id: string;
  readonly status: JobStatus;
  readonly output: string | null;
  readonly error: string | null;
}

/** What is known beside its row. */
export interface Beside {
  /** Null: it waits for nobody, or no server is known. */
  readonly gateUrl: string | null;
  /** Where it rests while it waits for people of another kit. */
  readonly rests: Rests;
  /**
   * How the answer is told beside its text. `none`: it may not fit what the tool promises, for a
   * canary ran another version.
   */
  readonly output: 'text' | 'value' | 'none';
  /**
   * Absolute directory, for lines to paste: a client that starts this process does so anywhere.
   * Null = over HTTP, where nobody is told of directories.
   */
  readonly workspace: string | null;
  /** What it has made. */
  readonly artifacts: readonly MadeArtifact[];
}

/** Text as JSON; undefined = it is none. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function outputOf(output: string, how: Beside['output']): JsonObject {
  if (how === 'none') return {};
  const value = how === 'text' ? output : parsed(output);
  return value === undefined ? {} : { output: value };
}

const notDone = (id: string): string =>
  `Run ${id} is not done yet. Call kit_job with {"job_id": "${id}"} to wait for it.`;

/** For a model that holds a shell or a browser besides. */
const FOR_PEOPLE = 'Say so to your user, and decide nothing in their place.';

/** A sentence for whoever called, in place of an answer. */
function wordsOf({ id, status, error }: AnsweredRun, { gateUrl, rests, workspace }: Beside): string {
  const place = workspace === null ? '' : ` -w ${shellWord(workspace)}`;
  const why = error === null ? '' : `: ${error}`;
  switch (status) {
    case 'deferred':
      return `Run ${id} waits for people to decide${error === null ? '' : ` (${error})`}. They decide ${gateUrl === null ? `with kit review, and \`kit why ${id}${place}\` tells who can` : `at ${gateUrl}`}. It goes on once they have; kit_job with this job_id tells what comes of it. ${FOR_PEOPLE}`;
    case 'failed':
      return `Run ${id} failed${why}`;
    case 'stopped':
      // The error says by whom, where a person stopped it.
      return `Run ${id} is ${error?.startsWith('stopped') === true ? error : `stopped${why}`}`;
    case 'pending':
    case 'queued':
      // Over stdin and stdout a call carries its run out at once: this one is nobody's.
      if (rests === 'process')
        return `Run ${id} can go on, and this server does not execute it: \`kit resume ${id}${place}\` does, or a server of the workspace. kit_job with this job_id tells what comes of it.`;
      return notDone(id);
    case 'running':
      if (gateUrl !== null)
        return `Run ${id} waits for people of another system to decide. They decide at ${gateUrl}. It goes on once they have${rests === 'process' ? ', as long as this server runs' : ''}; kit_job with this job_id tells what comes of it. ${FOR_PEOPLE}`;
      return notDone(id);
    case 'completed':
      return '';
  }
}

const shownArtifact = ({ ref, name, mediaType }: MadeArtifact) => ({
  uri: artifactUri(ref),
  name,
  media_type: mediaType,
});

const isError = (status: JobStatus): boolean => status === 'failed' || status === 'stopped';

/** A run as a tool answers it: a run that waits for people has not gone wrong. */
export function envelopeOf(run: AnsweredRun, beside: Beside): CallToolResult {
  const { id, status, output, error } = run;
  const isDone = status === 'completed';
  return {
    content: [{ type: 'text', text: isDone ? (output ?? '') : wordsOf(run, beside) }],
    structuredContent: {
      job_id: id,
      status,
      ...(isDone ? outputOf(output ?? '', beside.output) : {}),
      ...(isDone || error === null ? {} : { error }),
      ...(beside.gateUrl === null ? {} : { gate_url: beside.gateUrl }),
      ...(beside.artifacts.length === 0 ? {} : { artifacts: beside.artifacts.map(shownArtifact) }),
    },
    ...(isError(status) ? { isError: true } : {}),
  };
}

/**
 * A call that came to no run. `code` is the stable name that HTTP answers too; it stands in `_meta`
 * for programs, because a model has no use for it.
 */
export const refusedCall = (refusal: { readonly code: string; readonly text: string }): CallToolResult => ({
  content: [{ type: 'text', text: refusal.text }],
  isError: true,
  _meta: { 'kit/code': refusal.code },
});
