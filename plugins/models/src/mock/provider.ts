import type {
  JsonObject,
  MessagePart,
  ModelCallOptions,
  ModelProvider,
  ModelRequest,
  ModelResult,
  PluginContext,
} from '@kit-run/kit/plugin';
import { messageOf } from '@kit-run/kit/plugin';
import { DEFAULTS } from '../generated/defaults.js';
import { answer, failed, NO_USAGE } from '../shared/answer.js';
import { delegations, lastUserText, turnOf } from '../shared/conversation.js';
import { own } from '../shared/json.js';
import { sampleValue } from './sample.js';
import { type ScriptStep, scriptStep } from './script.js';

/** Characters of the user's text that the default answer repeats. */
const ECHO_CHARS = 200;

/**
 * A provider whose answer follows from the conversation alone, so that a replay or a repeated step
 * is answered alike.
 */
export function createMock(config: JsonObject, context: PluginContext): ModelProvider {
  /**
   * Failures given so far per step id, for `fail.times`: the same step is asked again under the
   * same id.
   */
  const failures = new Map<string, number>();
  const waits = createWaits(context);
  return {
    schemaBesideTools: true,
    async generate(request, options) {
      try {
        const step = scriptStep(own(request.options, 'script') ?? own(config, 'script'), turnOf(request.messages));
        const waitMs = step?.latencyMs ?? latencyMs(config, context);
        const isAborted = waitMs === 0 ? waits.isOver(options.signal) : await waits.hasAborted(waitMs, options.signal);
        if (isAborted) return failed('timeout', 'the mock provider was stopped before it answered');
        return shown(
          scripted(step, failures, options.stepId) ?? respond(step, request, doesDelegate(config, context)),
          options,
        );
      } catch (error) {
        // A script that cannot be read, or a schema without a sample: the author's mistake, told as
        // such.
        return failed('bad_request', messageOf(error));
      }
    },
    price: () => 0,
  };
}

function scripted(step: ScriptStep | null, failures: Map<string, number>, stepId: string): ModelResult | null {
  if (step?.fail === undefined || step.fail === null) return null;
  const count = failures.get(stepId) ?? 0;
  if (step.fail.times !== null && count >= step.fail.times) return null;
  failures.set(stepId, count + 1);
  return { ok: false, failure: step.fail.failure };
}

function respond(step: ScriptStep | null, request: ModelRequest, delegates: boolean): ModelResult {
  if (step !== null && step.parts.length > 0)
    return answer(request.model, step.parts, { usage: step.usage ?? NO_USAGE });
  const calls = delegates ? delegations(request) : [];
  return answer(request.model, calls.length > 0 ? calls : [defaultPart(request)], { usage: step?.usage ?? NO_USAGE });
}

function defaultPart(request: ModelRequest): MessagePart {
  if (request.outputSchema !== null) return { type: 'text', text: JSON.stringify(sampleValue(request.outputSchema)) };
  return { type: 'text', text: `mock answer to: ${echoOf(lastUserText(request.messages))}` };
}

/** A text whose beginning is enough is not gone through to its end. */
function echoOf(text: string): string {
  const beginning = onOneLine(text.slice(0, 2 * ECHO_CHARS));
  const line = beginning.length > ECHO_CHARS ? beginning : onOneLine(text);
  return line.length > ECHO_CHARS ? `${line.slice(0, ECHO_CHARS)}...` : line;
}

/** A single blank stands between most words already, and is left. */
const onOneLine = (text: string): string => text.replaceAll(/[^\S ]\s*| \s+/g, ' ').trim();

/** Words one by one to whoever listens, then the whole result. */
function shown(result: ModelResult, { onText }: ModelCallOptions): ModelResult {
  if (!result.ok || onText === undefined) return result;
  for (const part of result.response.parts) {
    if (part.type === 'text') for (const word of part.text.match(/\S+\s*|\s+/g) ?? []) onText(word);
  }
  return result;
}

/**
 * Waits for either signal. The plugin's own is listened to once, and not by each of the thousands
 * of calls that may wait at a time; `AbortSignal.any` costs more than everything else here.
 */
function createWaits(context: PluginContext) {
  const waiting = new Set<AbortController>();
  context.signal.addEventListener('abort', () => {
    for (const scope of waiting) scope.abort(context.signal.reason);
  });
  const isOver = (signal: AbortSignal): boolean => context.signal.aborted || signal.aborted;
  return {
    isOver,
    async hasAborted(waitMs: number, signal: AbortSignal): Promise<boolean> {
      if (isOver(signal)) return true;
      const scope = new AbortController();
      const cut = (): void => scope.abort(signal.reason);
      waiting.add(scope);
      signal.addEventListener('abort', cut, { once: true });
      try {
        await context.clock.sleep(waitMs, scope.signal);
      } catch (error) {
        if (!scope.signal.aborted) throw error;
      } finally {
        waiting.delete(scope);
        signal.removeEventListener('abort', cut);
      }
      return scope.signal.aborted;
    },
  };
}

function latencyMs(config: JsonObject, context: PluginContext): number {
  const configured = own(config, 'latency_ms');
  if (typeof configured === 'number') return configured;
  const fromEnv = Number(context.secrets.env('KIT_MOCK_LATENCY_MS') ?? Number.NaN);
  return fromEnv > 0 && Number.isFinite(fromEnv) ? fromEnv : DEFAULTS.mock.latency_ms;
}

function doesDelegate(config: JsonObject, context: PluginContext): boolean {
  const configured = own(config, 'delegate');
  if (typeof configured === 'boolean') return configured;
  const fromEnv = context.secrets.env('KIT_MOCK_DELEGATE');
  return fromEnv === null ? DEFAULTS.mock.delegate : ['1', 'true', 'yes', 'on'].includes(fromEnv.toLowerCase());
}
