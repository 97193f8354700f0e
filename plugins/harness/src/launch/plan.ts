import type { ExecutorRequest, Json, ProcessSpec } from '@kit-run/kit/plugin';
import type { AdapterSpec, AuthMode } from '../adapter/spec.js';
import type { ToolFiles } from '../gateway/tool-files.js';
import { expand, type Variables, variablesOf } from './template.js';

/** What the process room needs to start the harness, apart from its limits. */
export interface LaunchPlan {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** As in ProcessSpec: removes what lives beyond its processes. */
  readonly afterwards?: NonNullable<ProcessSpec['afterwards']>;
}

export type LaunchRefusal = { readonly reason: string; readonly message: string };
export type Planned = { readonly ok: true; readonly plan: LaunchPlan } | ({ readonly ok: false } & LaunchRefusal);

/** Facts of the host that templates may name. */
export interface LaunchFacts {
  /** Path of the Node that runs kit. */
  readonly node: string;
  /** Directory to work in, as the harness sees it. */
  readonly sandboxRoot: string;
  /** Folder of this plugin. */
  readonly pluginRoot: string;
  /** Environment that the child may inherit. */
  readonly env: Readonly<Record<string, string>>;
  /** Settings file that makes the program ask kit before each call; '' = it asks nobody. */
  readonly gateSettings: string;
  /** The hook of a program that asks kit, as one command of a shell; '' = it asks nobody. */
  readonly gateHook: string;
  /** Where the program finds kit's tools; null: it is given none. */
  readonly tools: ToolFiles | null;
  /** Resolved secret for the variables of the active auth mode; null = none is known. */
  readonly credential: string | null;
}

/** One argument of Linux holds at most 128 KiB with its closing zero byte (MAX_ARG_STRLEN). */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/** Name in `{credential.model_provider}`. */
const CREDENTIAL = 'credential.model_provider';

const asText = (value: Json | number | null): string => {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The statement as a line of `--input-format stream-json`; '' where nothing is said. */
const userMessage = (statement: string): string =>
  statement === ''
    ? ''
    : `${JSON.stringify({ type: 'user', message: { role: 'user', content: statement }, parent_tool_use_id: null })}\n`;

/** All template variables of one launch. Lists and objects of `config` become JSON text. */
export function launchVariables(request: ExecutorRequest, facts: LaunchFacts): Variables {
  const { budget } = request;
  const config = Object.entries(request.config).map(([key, value]) => [`config.${key}`, asText(value)]);
  return {
    ...Object.fromEntries(config),
    'task.statement': request.statement,
    'task.user_message': userMessage(request.statement),
    'task.base_ref': request.baseCommit ?? '',
    'sandbox.root': facts.sandboxRoot,
    'budget.max_turns': asText(budget.maxTurns),
    'budget.max_cost_usd': asText(budget.maxCostUsd),
    'budget.max_wall_clock_minutes': budget.maxWallClockMs === null ? '' : String(budget.maxWallClockMs / 60_000),
    'resume.token': request.resumeToken ?? '',
    'gate.settings': facts.gateSettings,
    'gate.hook': facts.gateHook === '' ? '' : JSON.stringify(facts.gateHook),
    ...toolVariables(facts),
    [CREDENTIAL]: facts.credential ?? '',
    'runtime.node': facts.node,
    'runtime.harness': facts.pluginRoot,
  };
}

/**
 * Kit's tools for templates; command, arguments, and both in one list are JSON. Their names go into
 * a list of what is
 * allowed only where nobody is asked: else kit says so, call by call.
 */
function toolVariables({ tools, gateHook }: LaunchFacts): Variables {
  if (tools === null) return {};
  return {
    'task.mcp_config': tools.config,
    'task.mcp_command': JSON.stringify(tools.command),
    'task.mcp_args': JSON.stringify(tools.args),
    'task.mcp_argv': JSON.stringify([tools.command, ...tools.args]),
    'task.mcp_tools': gateHook === '' ? tools.names.join(' ') : '',
  };
}

/**
 * `config.auth_mode`, else the adapter's default, else api_key, else the first; null = the adapter
 * has no modes.
 */
export function activeAuthMode(adapter: AdapterSpec, config: ExecutorRequest['config']): string | null {
  const wanted = typeof config.auth_mode === 'string' ? config.auth_mode : adapter.auth.default;
  if (wanted !== null) return wanted;
  const names = Object.keys(adapter.auth.modes);
  return names.includes('api_key') ? 'api_key' : (names[0] ?? null);
}

/** Variable names of the active mode that are filled from the model provider's credential. */
export function credentialVariables(mode: AuthMode | undefined): readonly string[] {
  return Object.entries(mode?.env ?? {})
    .filter(([, template]) => variablesOf(template).includes(CREDENTIAL))
    .map(([name]) => name);
}

/**
 * The inherited environment without other modes' variables, then the adapter's; an empty value
 * overwrites nothing.
 */
function childEnv(
  adapter: AdapterSpec,
  mode: string | null,
  variables: Variables,
  inherited: LaunchFacts['env'],
): Record<string, string> {
  const others = Object.entries(adapter.auth.modes).flatMap(([name, entry]) =>
    name === mode ? [] : Object.keys(entry.env),
  );
  const own = { ...adapter.launch.env, ...(mode === null ? {} : adapter.auth.modes[mode]?.env) };
  const env = Object.fromEntries(Object.entries(inherited).filter(([name]) => !others.includes(name)));
  for (const [name, template] of Object.entries(own)) {
    const value = expand(template, variables);
    if (value !== '') env[name] = value;
  }
  return env;
}

/**
 * argv = command, groups whose variable is set, resume arguments (with a token only), arguments of
 * the auth mode.
 */
export function planLaunch(adapter: AdapterSpec, request: ExecutorRequest, facts: LaunchFacts): Planned {
  const variables = launchVariables(request, facts);
  const modeName = activeAuthMode(adapter, request.config);
  const mode = modeName === null ? undefined : adapter.auth.modes[modeName];
  if (modeName !== null && mode === undefined)
    return { ok: false, reason: 'auth_mode_unknown', message: `the adapter has no auth mode "${modeName}"` };
  if (facts.credential === null && credentialVariables(mode).length > 0) {
    return {
      ok: false,
      reason: 'credential_missing',
      message: `auth mode "${modeName}" needs ${credentialVariables(mode).join(', ')}`,
    };
  }
  const [program, ...command] = adapter.launch.command;
  const groups = adapter.launch.optionalArgs
    .filter((group) => (variables[group.when] ?? '') !== '')
    .flatMap((group) => group.args);
  const rest = [
    ...command,
    ...groups,
    ...(request.resumeToken === null ? [] : adapter.resumeArgs),
    ...(mode?.args ?? []),
  ];
  const argv: readonly [string, ...string[]] = [
    expand(program, variables),
    ...rest.map((template) => expand(template, variables)),
  ];
  if (argv.some((argument) => Buffer.byteLength(argument) > MAX_ARGUMENT_BYTES)) {
    return {
      ok: false,
      reason: 'argument_too_long',
      message: 'an argument exceeds 128 KiB; let the adapter take the statement by launch.stdin',
    };
  }
  const isGated = facts.gateHook !== '' && adapter.gate?.stdin != null;
  const stdinTemplate = isGated ? adapter.gate.stdin : adapter.launch.stdin;
  const stdin = stdinTemplate === null ? '' : expand(stdinTemplate, variables);
  return { ok: true, plan: { argv, env: childEnv(adapter, modeName, variables, facts.env), stdin } };
}
