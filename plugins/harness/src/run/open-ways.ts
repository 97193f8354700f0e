import type { Socket } from 'node:net';
import {
  type ExecutorContext,
  type ExecutorRequest,
  type HostAnswer,
  hostsOnce,
  takesSkills,
} from '@kit-run/kit/plugin';
import type { AdapterSpec } from '../adapter/spec.js';
import type { Egress } from '../egress/proxy.js';
import { placeOf } from '../gate/classify.js';
import { controlFileIn } from '../gate/control-files.js';
import { behindSocket, entryHere, entryInside, type LaunchSocket, openLaunchSocket } from '../gate/launch-socket.js';
import {
  type AskerFacts,
  answerHook,
  createAsker,
  hookCommand,
  type OpenGate,
  writeSettings,
} from '../gate/open-gate.js';
import { settingsProblem } from '../gate/user-settings.js';
import { openTools } from '../gateway/open-tools.js';
import { writeToolFiles } from '../gateway/tool-files.js';
import { INSIDE } from '../sandbox/container.js';
import type { HarnessRun } from './run-harness.js';

type Asking =
  | { readonly ok: true; readonly facts: Omit<AskerFacts, 'tools'> | null }
  | { readonly ok: false; readonly message: string };

/**
 * What the gate of this launch stands on; null: nobody is asked. A refusal says why it cannot be
 * kept.
 */
export async function gateFacts(
  adapter: AdapterSpec,
  request: ExecutorRequest,
  context: ExecutorContext,
): Promise<Asking> {
  if (context.gate === undefined) return { ok: true, facts: null };
  if (adapter.gate === null) return { ok: false, message: 'the adapter has no `gate`: its program would ask nobody' };
  const problem = await settingsProblem(adapter.gate, context.env.HOME);
  if (problem !== null)
    return { ok: false, message: `${problem}: kit could not keep what people are asked about. Remove it there` };
  const place = await placeOf(request.sandboxRoot, sandboxOf(adapter, context) === null ? undefined : INSIDE);
  const refused = adapter.gate.refuseControlFiles ? await controlFileIn(adapter.gate, place) : null;
  if (refused !== null)
    return {
      ok: false,
      message: `the repository holds ${refused}, which the program obeys and cannot ignore. Remove it`,
    };
  return { ok: true, facts: { spec: adapter.gate, gate: context.gate, place, session: request.resumeToken } };
}

/** Null: the worktree alone. */
export const sandboxOf = (adapter: AdapterSpec, context: ExecutorContext): AdapterSpec['sandbox'] =>
  context.containers?.isDisabled === true ? null : adapter.sandbox;

/** How the program of one launch comes to kit, while it runs. */
interface Ways {
  readonly gate: OpenGate | null;
  readonly tools: HarnessRun['tools'];
  /** Null: it does not come to kit by itself. */
  readonly launchSocket: LaunchSocket | null;
  /** Before its own words: the program that finds it the way to its hosts; empty: it has none. */
  readonly behind: readonly string[];
}

interface Launching {
  readonly request: ExecutorRequest;
  readonly context: ExecutorContext;
  /** Called when the launch is over, however it ended. */
  readonly close: (() => unknown)[];
  /** The file of the hook. */
  readonly script: string;
}

/**
 * Opens what this launch needs: the gate that it asks, the tools that it calls, and one socket for
 * both.
 */
export async function openWays(
  adapter: AdapterSpec,
  asking: Extract<Asking, { ok: true }>['facts'],
  { request, context, close, script }: Launching,
): Promise<Ways> {
  const spec = request.adapter ?? {};
  const open =
    context.tools === undefined || !takesSkills(spec)
      ? null
      : openTools(context.tools, {
          spec,
          onDefect: (error) =>
            context.log.error('the tools of a harness could not be served', { error: String(error) }),
        });
  const asker = asking === null ? null : createAsker({ ...asking, tools: open });
  const hasHook = asker !== null && adapter.format !== 'acp';
  const sandbox = sandboxOf(adapter, context);
  const isInside = sandbox !== null;
  const egress = sandbox === null ? null : await openEgress(sandbox, context);
  if (egress !== null) close.push(() => egress.close());
  if (open === null && !hasHook && egress === null)
    return {
      gate: asker === null ? null : { ...asker, settings: '', hook: '' },
      tools: null,
      launchSocket: null,
      behind: [],
    };
  const launchSocket = await openLaunchSocket({
    ...(hasHook ? { onEvent: (event: string, gone: Promise<void>) => answerHook(asker, event, gone) } : {}),
    ...(open === null ? {} : { onTools: (socket: Socket) => open.serve(socket) }),
    ...(egress === null ? {} : { onEgress: (socket: Socket) => egress.take(socket) }),
  });
  close.push(() => launchSocket.close());
  const entry = isInside ? await entryInside(launchSocket, script) : entryHere(launchSocket, script);
  const settings = hasHook && adapter.gate?.protocol === 'claude-hook' ? await writeSettings(launchSocket, entry) : '';
  const gate = asker === null ? null : { ...asker, settings, hook: hasHook ? hookCommand(entry) : '' };
  const behind = egress === null ? [] : behindSocket(entry);
  if (open === null) return { gate, tools: null, launchSocket, behind };
  const tools = await writeToolFiles({ launchSocket, template: adapter.launch.toolFile, names: open.names, ...entry });
  return { gate, tools: { open, files: tools }, launchSocket, behind };
}

/** Null: the container has no network. What it needs is loaded by nobody else. */
async function openEgress(
  { allow }: NonNullable<AdapterSpec['sandbox']>,
  context: ExecutorContext,
): Promise<Egress | null> {
  const addressesOf = context.containers?.addressesOf;
  if (allow.length === 0) return null;
  const { Egress } = await import('../egress/proxy.js');
  // Each host and answer once in a launch; what is more than anybody reads, in one line.
  const onAnswer = hostsOnce<HostAnswer>(
    (answer) => context.emit({ type: 'network', ...answer }),
    (text) => context.emit({ type: 'message', role: 'warning', text }),
  );
  const none = () => Promise.reject(new Error('no addresses are known here'));
  return new Egress({ allow, addressesOf: addressesOf ?? none, onAnswer });
}
