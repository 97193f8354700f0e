import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutorGate, GateAnswer, JsonObject } from '@kit-run/kit/plugin';
import type { OpenTools } from '../gateway/open-tools.js';
import { type CallPlace, classify } from './classify.js';
import { type Announced, hookEventOf, settingsOf } from './claude-hook.js';
import type { Door } from './door.js';
import type { AdapterGate } from './gate-spec.js';

/** The gate of one launch, open while its program runs. */
export interface OpenGate {
  /** Settings file that makes the program ask. */
  readonly settings: string;
  /** What kit answered to each call that the program announced, by its id. */
  readonly answers: ReadonlyMap<string, GateAnswer['verdict']>;
  /** Asks about a call that the program announced in its stream. Never rejects. */
  ask(call: Announced): Promise<GateAnswer>;
  /** Notes a call that was refused without having been asked about. */
  refused(callId: string): void;
}

export interface AskerFacts {
  readonly spec: AdapterGate;
  readonly gate: ExecutorGate;
  readonly place: CallPlace;
  /** The session that goes on: people decided about it, and about no other; null = it begins. */
  readonly session: string | null;
  /** Kit's own tools; null: the program has none. */
  readonly tools: OpenTools | null;
}

type Asker = Pick<OpenGate, 'ask' | 'answers' | 'refused'>;

/** Asks kit about calls, each with what the tables of its adapter say of it. */
export function createAsker({ spec, gate, place, session, tools }: AskerFacts): Asker {
  const answers = new Map<string, GateAnswer['verdict']>();
  return {
    answers,
    refused: (callId) => answers.set(callId, 'deny'),
    ask: async ({ session: of, ...call }) => {
      if (session !== null && of !== undefined && of !== session) return OTHER_SESSION;
      const skill = call.skill ?? (spec.protocol === 'acp' ? null : (tools?.skillOf(call.tool) ?? null));
      const facts =
        skill === null || tools === null
          ? await classify(spec, call, place).catch(() => null)
          : { ...tools.factsOf(skill), skill };
      const withInput =
        spec.protocol === 'claude-hook' && skill === null
          ? { withInput: (input: JsonObject) => classify(spec, { ...call, input }, place) }
          : {};
      const answer = facts === null ? UNREADABLE : await gate.ask({ ...call, ...facts, ...withInput });
      answers.set(call.callId, answer.verdict);
      return answer;
    },
  };
}

const OTHER_SESSION: GateAnswer = {
  verdict: 'deny',
  reason: 'it is a call of another session than the one that goes on',
};
const UNREADABLE: GateAnswer = { verdict: 'deny', reason: 'what the hook was told could not be read' };

/** What the hook of a program is answered. */
export async function answerHook(asker: Pick<Asker, 'ask'>, event: string): Promise<string> {
  const answer = await answerTo(asker, event);
  const { verdict: decision } = answer;
  const reason = answer.verdict === 'deny' ? answer.reason : '';
  const input = answer.verdict === 'allow' ? answer.input : undefined;
  return JSON.stringify({ decision, reason, input });
}

async function answerTo(asker: Pick<Asker, 'ask'>, event: string): Promise<GateAnswer> {
  try {
    const call = hookEventOf(event);
    return call === null ? UNREADABLE : await asker.ask(call);
  } catch {
    return UNREADABLE;
  }
}

/** Writes the settings that make a program ask, for the script that comes to this door. */
export async function writeSettings(
  door: Pick<Door, 'folder'>,
  /** As the program sees them. */
  of: { readonly node: string; readonly script: string; readonly file: string; readonly folder: string },
): Promise<string> {
  const text = JSON.stringify(settingsOf([of.node, of.script, of.file]));
  await writeFile(join(door.folder, 'settings.json'), text, { mode: 0o600 });
  return join(of.folder, 'settings.json');
}
