import { basename } from 'node:path';
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

async function run(request: ExecutorRequest, context: ExecutorContext, plugin: PluginContext): Promise<ExecutorResult> {
  if (request.adapter === null) return failed('no_adapter', 'executor "harness" needs `ref`: the id of an adapter');
  if (request.statement.trim() === '') return failed('empty_statement', 'the agent was given nothing to do');
  const adapter = parseAdapter(request.adapter);
  if (!adapter.ok)
    return failed(
      'adapter_invalid',
      adapter.problems.map((problem) => `spec${problem.pointer}: ${problem.message}`).join('; '),
    );
  const sandbox = context.containers?.isDisabled === true ? null : adapter.spec.sandbox;
  const planned = planLaunch(adapter.spec, request, {
    sandboxRoot: sandbox === null ? request.sandboxRoot : INSIDE,
    node: sandbox === null ? process.execPath : 'node',
    pluginRoot: fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, ''),
    env: context.env,
    credential: await resolveCredential(adapter.spec, request, plugin),
  });
  if (!planned.ok) return failed(planned.reason, planned.message);
  const found = await resolveLogins(adapter.spec, request, {
    env: context.env,
    confine: sandbox !== null,
    program: planned.plan.argv[0],
  });
  if (!found.ok) return failed('credential_missing', found.message);
  if (sandbox === null) return runHarness({ adapter: adapter.spec, plan: planned.plan, request, context });
  const { openContainer } = await import('./sandbox/open-container.js');
  const opened = await openContainer({ sandbox, plan: planned.plan, logins: found.logins, request, context });
  if (!opened.ok) return failed('sandbox_unavailable', opened.message);
  return runHarness({ adapter: adapter.spec, plan: opened.plan, request, context });
}

/**
 * Executor `harness`: runs a coding harness, or any program that prints JSON Lines, as its adapter
 * says.
 */
export const contribution = defineExecutor({
  create: (_config, plugin) => ({ run: (request, context) => run(request, context, plugin) }),
});
