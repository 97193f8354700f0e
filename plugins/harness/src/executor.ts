import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  defineExecutor,
  type ExecutorContext,
  type ExecutorRequest,
  type ExecutorResult,
  type PluginContext,
} from '@kit-run/kit/plugin';
import { parseAdapter } from './adapter/parse.js';
import type { AdapterSpec } from './adapter/spec.js';
import { placeOf } from './gate/classify.js';
import { controlFileIn } from './gate/control-files.js';
import { type OpenGate, openGate, openStreamGate } from './gate/open-gate.js';
import { settingsProblem } from './gate/user-settings.js';
import { findLogins, type Logins, loginHint } from './launch/credential-paths.js';
import { activeAuthMode, credentialVariables, planLaunch } from './launch/plan.js';
import { failed } from './run/refuse.js';
import { runHarness } from './run/run-harness.js';
import { INSIDE } from './sandbox/container.js';

/**
 * The secret of the active auth mode: a named credential of the workspace, else the variable that
 * the mode fills.
 */
async function resolveCredential(
  adapter: AdapterSpec,
  request: ExecutorRequest,
  plugin: PluginContext,
): Promise<string | null> {
  const mode = activeAuthMode(adapter, request.config);
  const names = credentialVariables(mode === null ? undefined : adapter.auth.modes[mode]);
  if (names.length === 0) return null;
  if (typeof request.config.credentials_ref === 'string')
    return plugin.secrets.credential(request.config.credentials_ref);
  return names.map((name) => plugin.secrets.env(name)).find((value) => value !== null) ?? null;
}

/**
 * What the active auth mode needs of the home of who runs kit; a refusal names the path and what to
 * do.
 */
async function resolveLogins(
  adapter: AdapterSpec,
  request: ExecutorRequest,
  from: Parameters<typeof findLogins>[1] & { readonly program: string },
): Promise<Exclude<Logins, { ok: false }> | { readonly ok: false; readonly message: string }> {
  const mode = activeAuthMode(adapter, request.config);
  if (mode === null) return { ok: true, logins: [] };
  const found = await findLogins(adapter.auth.modes[mode]?.credentialPaths ?? [], from);
  if (found.ok) return found;
  const hint = loginHint({ program: basename(from.program), mode, modes: Object.keys(adapter.auth.modes) });
  return { ok: false, message: `auth mode "${mode}" needs ${found.path}, which ${found.problem}. ${hint}` };
}

/** The file of the hook, compiled or as it is written. */
const HOOK = fileURLToPath(
  new URL(`./hook/hook-process${extname(new URL(import.meta.url).pathname)}`, import.meta.url),
);

/** Opens the gate of this launch; null: nobody is asked. A refusal says why it cannot be kept. */
async function gateOf(
  adapter: AdapterSpec,
  request: ExecutorRequest,
  context: ExecutorContext,
): Promise<{ readonly ok: true; readonly gate: OpenGate | null } | { readonly ok: false; readonly message: string }> {
  if (context.gate === undefined) return { ok: true, gate: null };
  if (adapter.gate === null) return { ok: false, message: 'the adapter has no `gate`: its program would ask nobody' };
  if (adapter.sandbox !== null && context.containers?.isDisabled !== true)
    return { ok: false, message: 'a program in a container cannot ask kit: use a worktree' };
  const problem = await settingsProblem(adapter.gate, context.env.HOME);
  if (problem !== null)
    return { ok: false, message: `${problem}: kit could not keep what people are asked about. Remove it there` };
  const place = await placeOf(request.sandboxRoot);
  const refused = adapter.gate.refuseControlFiles ? await controlFileIn(adapter.gate, place) : null;
  if (refused !== null)
    return {
      ok: false,
      message: `the repository holds ${refused}, which the program obeys and cannot be told to pass by. Remove it`,
    };
  const asked = { spec: adapter.gate, gate: context.gate, place, session: request.resumeToken };
  if (adapter.format === 'acp') return { ok: true, gate: openStreamGate(asked) };
  const gate = await openGate({
    ...asked,
    node: process.execPath,
    hook: HOOK,
  });
  return { ok: true, gate };
}

async function run(request: ExecutorRequest, context: ExecutorContext, plugin: PluginContext): Promise<ExecutorResult> {
  const opened: { gate: OpenGate | null } = { gate: null };
  try {
    return await launch(request, context, { plugin, opened });
  } finally {
    await opened.gate?.close();
  }
}

interface Launching {
  readonly plugin: PluginContext;
  /** Closed when the launch is over, however it ended. */
  readonly opened: { gate: OpenGate | null };
}

async function launch(
  request: ExecutorRequest,
  context: ExecutorContext,
  { plugin, opened }: Launching,
): Promise<ExecutorResult> {
  if (request.adapter === null) return failed('no_adapter', 'executor "harness" needs `ref`: the id of an adapter');
  // A session that goes on with the call that was put off is told nothing.
  if (request.statement.trim() === '' && request.resumeToken === null)
    return failed('empty_statement', 'the agent was given nothing to do');
  const adapter = parseAdapter(request.adapter);
  if (!adapter.ok)
    return failed(
      'adapter_invalid',
      adapter.problems.map((problem) => `spec${problem.pointer}: ${problem.message}`).join('; '),
    );
  const gated = await gateOf(adapter.spec, request, context);
  if (!gated.ok) return failed('gate_unavailable', gated.message);
  opened.gate = gated.gate;
  const sandbox = context.containers?.isDisabled === true ? null : adapter.spec.sandbox;
  const planned = planLaunch(adapter.spec, request, {
    sandboxRoot: sandbox === null ? request.sandboxRoot : INSIDE,
    node: sandbox === null ? process.execPath : 'node',
    pluginRoot: fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, ''),
    env: context.env,
    credential: await resolveCredential(adapter.spec, request, plugin),
    gateSettings: opened.gate?.settings ?? '',
  });
  if (!planned.ok) return failed(planned.reason, planned.message);
  const { home } = adapter.spec.launch;
  const { companionDir: directory } = request;
  // An adapter without such a folder never loads what fills one.
  const own =
    home === null
      ? ({ ok: true, env: {} } as const)
      : await (await import('./launch/private-home.js')).openPrivateHome(home, { directory, env: context.env });
  if (!own.ok) return failed('settings_unreadable', own.message);
  const plan = { ...planned.plan, env: { ...planned.plan.env, ...own.env } };
  const found = await resolveLogins(adapter.spec, request, {
    env: context.env,
    confine: sandbox !== null,
    program: plan.argv[0],
  });
  if (!found.ok) return failed('credential_missing', found.message);
  if (sandbox === null) return runHarness({ adapter: adapter.spec, plan, request, context, gate: opened.gate });
  const { openContainer } = await import('./sandbox/open-container.js');
  const contained = await openContainer({ sandbox, plan, logins: found.logins, request, context });
  if (!contained.ok) return failed('sandbox_unavailable', contained.message);
  return runHarness({ adapter: adapter.spec, plan: contained.plan, request, context, gate: null });
}

/**
 * Executor `harness`: runs a coding harness, or any program that prints JSON Lines, as its adapter
 * says.
 */
export const contribution = defineExecutor({
  create: (_config, plugin) => ({ run: (request, context) => run(request, context, plugin) }),
});
