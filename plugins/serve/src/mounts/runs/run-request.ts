import type { ServerRun } from '@kit-run/kit/command';
import { type Json, KitError, submitterOf } from '@kit-run/kit/plugin';
import type { FastifyRequest } from 'fastify';
import { traceOf } from '../shared/trace-of.js';

/** Three attachments of 20 MiB in base64 fit (docs/design/decisions.md#bodies). */
export const RUN_BODY_BYTES = 64 * 1024 * 1024;

/** PostgreSQL keeps no NUL in a text, so no store is asked to. */
const NO_NUL = '^[^\\u0000]*$';
const shortText = (maxLength: number) => ({ type: ['string', 'null'], maxLength, pattern: NO_NUL }) as const;

/**
 * `POST /run/{topology}`: members that are not named here are ignored, but for those of
 * attachments.
 */
export const RUN_REQUEST = {
  type: 'object',
  required: ['input'],
  properties: {
    input: { description: "Text or any JSON; checked against the topology's input_schema." },
    attachments: {
      type: ['array', 'null'],
      maxItems: 16,
      items: {
        type: 'object',
        description:
          'Exactly one of path and data. The media type is read from the content: any other member is refused.',
        properties: {
          path: { type: 'string', description: 'Relative to the workspace.' },
          data: { type: 'string', description: 'Base64.' },
          name: { type: 'string' },
          handling: { type: 'string', enum: ['preprocess', 'native'] },
        },
      },
    },
    correlation_id: shortText(1024),
    labels: {
      type: ['object', 'null'],
      maxProperties: 64,
      propertyNames: { minLength: 1, maxLength: 128, pattern: NO_NUL },
      additionalProperties: { type: 'string', maxLength: 1024, pattern: NO_NUL },
    },
    supersedes: { ...shortText(128), description: 'The job that this one replaces.' },
    parent_job_id: { ...shortText(128), description: 'Older name of supersedes, which wins.' },
    max_steps: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 1_000_000,
      description: "Never more than the workspace's own limit.",
    },
  },
} as const;

/** The body after its schema. */
export interface RunBody {
  readonly input: Json;
  readonly attachments?: ServerRun['attachments'] | null;
  readonly correlation_id?: string | null;
  readonly labels?: Readonly<Record<string, string>> | null;
  readonly supersedes?: string | null;
  readonly parent_job_id?: string | null;
  readonly max_steps?: number | null;
}

export interface RunRoute {
  readonly Params: { readonly topology: string };
  readonly Body: RunBody;
}

/** An empty text names nothing. */
const named = (text: string | null | undefined): string | null => (text === '' ? null : (text ?? null));

const KEY = /^[\x21-\x7e]{1,255}$/;

/** What a request asks, in the words of the one submit. Throws KIT_REQUEST_INVALID. */
export function serverRunOf(request: FastifyRequest<RunRoute>, workspace: string): ServerRun {
  const { body, caller } = request;
  if (typeof body.input === 'string' && body.input.includes('\u0000'))
    throw invalid('/body/input', 'holds a NUL character');
  const key = idempotencyKey(request);
  return {
    workspace,
    topology: request.params.topology,
    input: body.input,
    attachments: body.attachments ?? [],
    correlationId: named(body.correlation_id),
    labels: body.labels ?? {},
    supersedes: named(body.supersedes) ?? named(body.parent_job_id),
    submittedBy: submitterOf(caller),
    source: 'serve',
    once: key === null ? null : { clientId: caller.clientId, key },
    ...(typeof body.max_steps === 'number' ? { maxSteps: body.max_steps } : {}),
    ...traceOf(request.headers),
  };
}

function idempotencyKey({ headers }: FastifyRequest<RunRoute>): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw invalid('/headers/idempotency-key', 'is not 1 to 255 visible ASCII characters');
}

const invalid = (pointer: string, message: string): KitError =>
  new KitError('KIT_REQUEST_INVALID', `${pointer} ${message}`, {
    data: { errors: [{ pointer, message, code: 'value' }] },
  });
