import { createHmac, randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { JobSource } from '../../../src/domain/job.js';
import type { ServeProcess } from '../../support/http/serve-process.js';
import type { KitResult } from '../../support/kit-process.js';
import type { Trail } from './trail.js';
import { CASES, type Case, cronFile, HOOK_SECRET, inputOf } from './workspace.js';

/** Where entry points lead to: one server of a workspace, commands beside it, and its store. */
export interface House {
  readonly dir: string;
  readonly server: ServeProcess;
  readonly kit: (...argv: readonly string[]) => Promise<KitResult>;
  /** The answer of `kit mcp serve` to one message. */
  readonly client: (dir: string, message: object) => Promise<string>;
  readonly trail: Trail;
}

/** What came of one submit. */
export type Submitted =
  | { readonly kind: 'job'; readonly id: string }
  | { readonly kind: 'refused'; readonly code: string };

/** One entry point as somebody uses it. */
export interface EntryPoint {
  /**
   * Modules that hand its runs on: a module that hands runs on and stands at no entry point fails
   * the test.
   */
  readonly modules: readonly string[];
  readonly submit: (house: House, name: Case) => Promise<Submitted>;
  /** `source` of its jobs. */
  readonly source: (name: Case) => JobSource;
  readonly differs: Differs;
}

/** What of an entry point differs from `POST /run`, and nothing else may. */
export interface Differs {
  /**
   * It runs on the machine of a person: `submitted_from` is known, and a crash is theirs to resume.
   */
  readonly isCommand?: boolean;
  /** Who submits by default. */
  readonly by: 'caller' | 'os-user' | 'trigger';
  /** Its runs belong to a conversation. */
  readonly hasCorrelation?: boolean;
  /** Its runs belong to a context of their caller, which a label keeps. */
  readonly hasContext?: boolean;
  /** A `trigger.fired` tells of it. */
  readonly isFiring?: boolean;
}

/** Why a source has no entry point. */
export interface NotYet {
  readonly notYet: string;
}

type Family<S extends JobSource> = S extends `trigger:${string}` ? 'trigger' : S;

const WAIT = { timeout: 60_000, interval: 100 };
const textOf = (name: Case): string => JSON.stringify(inputOf(name));
const topologyOf = (name: Case): string => CASES[name].topology;

const job = (id: unknown): Submitted => ({ kind: 'job', id: String(id) });
const refused = (code: unknown): Submitted => ({
  kind: 'refused',
  code: String(code).replace(/^KIT_/, '').replaceAll('_', '-').toLowerCase(),
});

async function post({ server }: House, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { isOk: answer.status === 200, location: answer.headers.get('location'), text: await answer.text() };
}

async function answered(
  asked: ReturnType<typeof post>,
  idOf: (body: Record<string, unknown>) => unknown,
): Promise<Submitted> {
  const { isOk, text } = await asked;
  const body = JSON.parse(text) as Record<string, unknown>;
  return isOk ? job(idOf(body)) : refused(body.code);
}

/** The last line of a command under `--json`. */
function said(result: KitResult, idOf: (body: Record<string, unknown>) => unknown): Submitted {
  const last = result.lines().at(-1) ?? {};
  return last.type === 'result' ? job(idOf(last)) : refused(last.code);
}

/** The arguments are the input where it has to be an object, and hold it elsewhere. */
const toolCall = (name: Case) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: `run_${topologyOf(name)}`,
    arguments: topologyOf(name) === 'strict' ? inputOf(name) : { input: inputOf(name) },
  },
});

/** What a tool of MCP answered. */
function called(text: string): Submitted {
  const { result } = JSON.parse(text) as {
    readonly result?: {
      readonly structuredContent?: { readonly job_id: string };
      readonly _meta?: Readonly<Record<string, unknown>>;
    };
  };
  const id = result?.structuredContent?.job_id;
  return id === undefined ? refused(result?._meta?.['kit/code']) : job(id);
}

interface Fired {
  readonly targets: readonly {
    readonly target: string;
    readonly job_id: string | null;
    readonly refused: string | null;
  }[];
}

/** What the first firing of a trigger came to, from the audit. */
async function firstFiring({ trail }: House, trigger: string): Promise<Submitted> {
  const fired = await vi.waitUntil(() => trail.firings(trigger)[0] ?? false, WAIT);
  const [target] = (fired as unknown as Fired).targets;
  return target?.job_id === null ? refused(target.refused) : job(target?.job_id);
}

const SEND_MESSAGE = 'plugins/protocols/src/a2a/routes/send.ts';

/** One data part in a message of either version of A2A; a refusal travels on 200. */
async function sent(house: House, name: Case, method: string, version: string | undefined): Promise<Submitted> {
  const [path, parts] =
    version === undefined
      ? [`/a2a/${topologyOf(name)}`, [{ kind: 'data', data: inputOf(name) }]]
      : ['/a2a', [{ data: inputOf(name) }]];
  const message = { messageId: randomUUID(), role: 'user', parts, metadata: { skill: topologyOf(name) } };
  const params = { message, configuration: { returnImmediately: true } };
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const { text } = await post(house, path, body, version === undefined ? {} : { 'a2a-version': version });
  const { result, error } = JSON.parse(text);
  if (error === undefined) return job((result.task ?? result).id);
  return refused(error.data.code ?? error.data[0].metadata.code);
}

const FIRE_TARGETS = 'src/app/triggers/fire-targets.ts';
const TRIGGERS_APP = 'src/app/triggers/create-triggers-app.ts';
const DELIVER_HOOK = 'src/app/triggers/deliver-hook.ts';

/**
 * Every entry point, by the source of its jobs. A new source without a row does not compile; a new
 * trigger type without one fails the test.
 */
export const ENTRY_POINTS: Readonly<
  Record<Exclude<Family<JobSource>, 'trigger'>, Readonly<Record<string, EntryPoint>> | NotYet> & {
    readonly trigger: Readonly<
      Record<'cron' | 'webhook' | 'file_watch' | 'manual', Readonly<Record<string, EntryPoint>>>
    >;
  }
> = {
  cli: {
    'kit run': {
      modules: ['plugins/run/src/commands/run.ts'],
      source: () => 'cli',
      differs: { isCommand: true, by: 'os-user' },
      submit: async ({ kit, dir }, name) =>
        said(await kit('run', dir, topologyOf(name), '--input', textOf(name), '--json'), ({ id }) => id),
    },
  },
  serve: {
    'POST /run/:topology': {
      modules: ['plugins/serve/src/mounts/runs/submit-route.ts'],
      source: () => 'serve',
      differs: { by: 'caller' },
      submit: (house, name) =>
        answered(post(house, `/run/${topologyOf(name)}`, { input: inputOf(name) }), ({ id }) => id),
    },
    'POST /run/:topology with the input as text': {
      modules: ['plugins/serve/src/mounts/runs/submit-route.ts'],
      source: () => 'serve',
      differs: { by: 'caller' },
      submit: (house, name) =>
        answered(post(house, `/run/${topologyOf(name)}`, { input: textOf(name) }), ({ id }) => id),
    },
    'POST /hooks/:name of a version that no trigger names': {
      modules: [DELIVER_HOOK, FIRE_TARGETS],
      source: () => 'serve',
      differs: { by: 'caller' },
      submit: (house, name) =>
        answered(post(house, `/hooks/${topologyOf(name)}@1.0.0`, { input: inputOf(name) }), ({ id }) => id),
    },
  },
  chat: {
    'kit chat --input': {
      modules: ['plugins/run/src/commands/chat.ts'],
      source: () => 'chat',
      differs: { isCommand: true, by: 'os-user', hasCorrelation: true },
      submit: async ({ kit, dir }, name) =>
        said(
          await kit('chat', dir, topologyOf(name), '--input', textOf(name), '--json'),
          ({ turns }) => (turns as readonly { readonly id: string }[])[0]?.id,
        ),
    },
    'POST /conversations/:id/messages': {
      modules: ['plugins/serve/src/mounts/conversations/message-route.ts'],
      source: () => 'chat',
      differs: { by: 'caller', hasCorrelation: true },
      submit: async (house, name) => {
        const { id } = JSON.parse((await post(house, '/conversations', { topology: topologyOf(name) })).text) as {
          readonly id: string;
        };
        const { isOk, location, text } = await post(house, `/conversations/${id}/messages`, { message: textOf(name) });
        return isOk
          ? job(location?.replace('/jobs/', ''))
          : refused((JSON.parse(text) as { readonly code: string }).code);
      },
    },
  },
  trigger: {
    cron: {
      'a time that has come': {
        modules: [TRIGGERS_APP, FIRE_TARGETS],
        source: (name) => `trigger:clock-${name}`,
        differs: { by: 'trigger', isFiring: true },
        submit: async (house, name) => {
          const file = join(house.dir, `triggers/clock-${name}.yaml`);
          await writeFile(file, cronFile(name));
          await post(house, '/reload', {});
          const came = await firstFiring(house, `clock-${name}`);
          await rm(file);
          await post(house, '/reload', {});
          return came;
        },
      },
    },
    webhook: {
      'POST /hooks/:name': {
        modules: [DELIVER_HOOK, FIRE_TARGETS],
        source: (name) => `trigger:hook-${topologyOf(name)}`,
        differs: { by: 'trigger', isFiring: true },
        submit: (house, name) => {
          const body = JSON.stringify({ input: inputOf(name) });
          const signature = `sha256=${createHmac('sha256', HOOK_SECRET).update(body).digest('hex')}`;
          return answered(
            post(house, `/hooks/${topologyOf(name)}`, body, { 'x-hub-signature-256': signature }),
            ({ id }) => id,
          );
        },
      },
    },
    file_watch: {
      'a file that was written': {
        modules: [TRIGGERS_APP, FIRE_TARGETS],
        source: (name) => `trigger:watch-${name}`,
        differs: { by: 'trigger', isFiring: true },
        submit: async (house, name) => {
          await writeFile(join(house.dir, `inbox/${name}.txt`), 'new');
          return firstFiring(house, `watch-${name}`);
        },
      },
    },
    manual: {
      'kit triggers fire': {
        modules: ['plugins/triggers/src/commands/triggers/fire.ts'],
        source: (name) => `trigger:hand-${topologyOf(name)}`,
        differs: { isCommand: true, by: 'os-user', isFiring: true },
        submit: async ({ kit, dir }, name) => {
          const result = await kit(
            'triggers',
            'fire',
            `hand-${topologyOf(name)}`,
            dir,
            '--input',
            textOf(name),
            '--json',
          );
          const { targets } = (result.lines().at(-1) ?? {}) as {
            readonly targets?: readonly {
              readonly refused: { readonly code: string } | null;
              readonly job: { readonly id: string } | null;
            }[];
          };
          const [target] = targets ?? [];
          return target?.job == null ? refused(target?.refused?.code) : job(target.job.id);
        },
      },
      'POST /triggers/:id/fire': {
        modules: [TRIGGERS_APP, FIRE_TARGETS],
        source: (name) => `trigger:hand-${topologyOf(name)}`,
        differs: { by: 'caller', isFiring: true },
        submit: (house, name) =>
          answered(
            post(house, `/triggers/hand-${topologyOf(name)}/fire`, { input: inputOf(name) }),
            (body) => (body as unknown as Fired).targets[0]?.job_id,
          ),
      },
    },
  },
  mcp: {
    'POST /mcp/': {
      modules: ['plugins/protocols/src/mcp/http/http-backend.ts'],
      source: () => 'mcp',
      differs: { by: 'caller' },
      submit: async (house, name) => {
        const accept = 'application/json, text/event-stream';
        return called((await post(house, '/mcp/', toolCall(name), { accept })).text);
      },
    },
    'kit mcp serve': {
      modules: ['plugins/protocols/src/mcp/stdio/stdio-backend.ts'],
      source: () => 'mcp',
      differs: { isCommand: true, by: 'os-user' },
      submit: async ({ client, dir }, name) => called(await client(dir, toolCall(name))),
    },
  },
  a2a: {
    'POST /a2a/:topology, message/send': {
      modules: [SEND_MESSAGE],
      source: () => 'a2a',
      differs: { by: 'caller', hasContext: true },
      submit: (house, name) => sent(house, name, 'message/send', undefined),
    },
    'POST /a2a, SendMessage of 1.0': {
      modules: [SEND_MESSAGE],
      source: () => 'a2a',
      differs: { by: 'caller', hasContext: true },
      submit: (house, name) => sent(house, name, 'SendMessage', '1.0'),
    },
  },
  agent: { notYet: 'no skill starts a run of another topology' },
};
