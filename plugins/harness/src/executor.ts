import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  defineExecutor,
  type ExecutorContext,
  type ExecutorRequest,
  type ExecutorResult,
  isKitError,
  isLoginOver,
  type PluginContext,
} from '@kit-run/kit/plugin';
import { parseAdapter } from './adapter/parse.js';
import type { AdapterSpec } from './adapter/spec.js';
import { findLogins, type Logins, loginHint } from './launch/credential-paths.js';
import { activeAuthMode, credentialVariables, planLaunch } from './launch/plan.js';
import { gateFacts, openWays, sandboxOf } from './run/open-ways.js';
import { failed } from './run/refuse.js';
import { type HarnessRun, runHarness } from './run/run-harness.js';
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

/** The file of the hook: folded in a build, as it is written in a checkout. */
const SCRIPT = fileURLToPath(
  new URL(`./hook/hook-process${import.meta.url.endsWith('.ts') ? '.ts' : '.cjs'}`, import.meta.url),
);

async function run(request: ExecutorRequest, context: ExecutorContext, plugin: PluginContext): Promise<ExecutorResult> {
  const close: (() => unknown)[] = [];
  try {
    return await launch(request, context, { plugin, close });
  } finally {
    for (const one of close) await one();
  }
}

interface Launching {
  readonly plugin: PluginContext;
  /** Called when the launch is over, however it ended. */
  readonly close: (() => unknown)[];
}

async function launch(
  request: ExecutorRequest,
  context: ExecutorContext,
  { plugin, close }: Launching,
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
  const asking = await gateFacts(adapter.spec, request, context);
  if (!asking.ok) return failed('gate_unavailable', asking.message);
  const { gate, tools, launchSocket, behind } = await openWays(adapter.spec, asking.facts, {
    ...{ request, context, close },
    script: SCRIPT,
  });
  const sandbox = sandboxOf(adapter.spec, context);
  const cwd = sandbox === null ? request.sandboxRoot : INSIDE;
  const credential = await resolveCredential(adapter.spec, request, plugin);
  const planned = planLaunch(adapter.spec, request, {
    sandboxRoot: cwd,
    node: sandbox === null ? process.execPath : 'node',
    pluginRoot: fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, ''),
    env: context.env,
    credential,
    gateSettings: gate?.settings ?? '',
    gateHook: gate?.hook ?? '',
    tools: tools?.files ?? null,
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
  const harness = { adapter: adapter.spec, request, context, cwd, gate, tools };
  const runHere = async (plan: HarnessRun['plan']): Promise<ExecutorResult> =>
    withLogin(await runHarness({ ...harness, plan }), { request, plugin, credential });
  if (sandbox === null) return runHere(plan);
  const { openContainer } = await import('./sandbox/open-container.js');
  const [first, ...others] = [...behind, ...plan.argv];
  const contained = await openContainer({
    ...{ sandbox, plan: { ...plan, argv: [first ?? plan.argv[0], ...others] }, logins: found.logins, request, context },
    launchSocket: launchSocket?.folder ?? null,
  });
  if (!contained.ok) return failed('sandbox_unavailable', contained.message);
  return runHere(contained.plan);
}

/**
 * Executor `harness`: runs a coding harness, or any program that prints JSON Lines, as its adapter
 * says.
 */
export const contribution = defineExecutor({
  create: (_config, plugin) => ({
    run: (request, context) => run(request, context, plugin),
    openWay: async (request) => (await import('./egress/open-way.js')).openWay(request, SCRIPT),
  }),
});

/** With what a session was started. */
interface Started {
  readonly request: Pick<ExecutorRequest, 'config'>;
  readonly plugin: Pick<PluginContext, 'secrets'>;
  /** The secret of its auth mode; null = it needs none. */
  readonly credential: string | null;
}

/**
 * A session that failed with a login of the workspace: where the login is over, that is what people
 * are told. A program keeps the token that it was started with, so one that was replaced while it
 * worked is over for it, too.
 */
export async function withLogin(
  result: ExecutorResult,
  { request, plugin, credential }: Started,
): Promise<ExecutorResult> {
  const ref = request.config.credentials_ref;
  if (result.status !== 'failure' || credential === null || typeof ref !== 'string') return result;
  const { refusedStatus: status } = result;
  try {
    if (status === 401 || status === 403)
      await plugin.secrets.refused?.(ref, { status, challenge: null, carried: () => true });
    // A program that tells no status: a token that has ended says it for it.
    else await plugin.secrets.credential(ref);
    return result;
  } catch (error) {
    if (!isKitError(error) || !isLoginOver(error.code)) return result;
    return { ...result, loginOver: { code: error.code, message: error.message } };
  }
}
