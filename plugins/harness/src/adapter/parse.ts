import { type Json, type JsonObject, statedPrices } from '@kit-run/kit/plugin';
import { type AdapterGate, GATE_PROTOCOLS, type GatedTool } from '../gate/gate-spec.js';
import { belowHome } from '../launch/credential-paths.js';
import { isKnownVariable, unknownVariables } from '../launch/template.js';
import { SpecReader } from './read.js';
import { readSandbox } from './read-sandbox.js';
import { checkLookups, readRule } from './rules.js';
import type { AdapterSpec, AuthMode, OptionalArgs, ParsedAdapter, PrivateHome, UnanswerablePolicy } from './spec.js';

const KINDS = ['read', 'edit', 'execute', 'network', 'mcp', 'inner', 'question'] as const;

function readTool(reader: SpecReader, name: string, value: Json): GatedTool {
  const at = `/gate/tools/${name}`;
  const tool = reader.object(value, at);
  const kind = KINDS.find((one) => one === tool.kind);
  if (kind === undefined) reader.problem(`${at}/kind`, `must be one of ${KINDS.join(', ')}`);
  return {
    name,
    kind: kind ?? 'execute',
    subject: tool.subject === undefined ? null : reader.text(tool.subject, `${at}/subject`),
  };
}

/** `gate` of an adapter; null = its program asks nobody. */
function readGate(reader: SpecReader, value: Json | undefined): AdapterGate | null {
  if (value === undefined) return null;
  const gate = reader.object(value, '/gate');
  const protocol = GATE_PROTOCOLS.find((one) => one === gate.protocol);
  if (protocol === undefined) reader.problem('/gate/protocol', `must be one of ${GATE_PROTOCOLS.join(', ')}`);
  const userSettings = gate.user_settings === undefined ? null : reader.text(gate.user_settings, '/gate/user_settings');
  if (userSettings !== null && belowHome(userSettings) === null)
    reader.problem('/gate/user_settings', 'must be a path below ~/');
  return {
    protocol: protocol ?? 'claude-hook',
    tools: Object.entries(reader.object(gate.tools, '/gate/tools')).map(([name, tool]) => readTool(reader, name, tool)),
    stdin: gate.stdin === undefined ? null : reader.text(gate.stdin, '/gate/stdin'),
    controlFiles: reader.texts(gate.control_files, '/gate/control_files'),
    refuseControlFiles: gate.refuse_control_files === true,
    userSettings,
  };
}

function readOptional(reader: SpecReader, value: Json, pointer: string): OptionalArgs {
  const group = reader.object(value, pointer);
  return { when: reader.text(group.when, `${pointer}/when`), args: reader.texts(group.args, `${pointer}/args`) };
}

function readLaunch(reader: SpecReader, value: Json | undefined): AdapterSpec['launch'] {
  const launch = reader.object(value, '/launch');
  const [program, ...rest] = reader.texts(launch.command, '/launch/command');
  if (program === undefined || program === '') reader.problem('/launch/command', 'must name a program');
  return {
    command: [program ?? '', ...rest],
    optionalArgs: reader
      .list(launch.optional_args, '/launch/optional_args')
      .map((group, i) => readOptional(reader, group, `/launch/optional_args/${i}`)),
    env: reader.textMap(launch.env, '/launch/env'),
    stdin: launch.stdin === undefined ? null : reader.text(launch.stdin, '/launch/stdin'),
    home: launch.home === undefined ? null : readHome(reader, launch.home),
    toolFile: launch.mcp_file === undefined ? null : reader.text(launch.mcp_file, '/launch/mcp_file'),
  };
}

function readHome(reader: SpecReader, value: Json): PrivateHome {
  const at = '/launch/home';
  const home = reader.object(value, at);
  const from = reader.text(home.from, `${at}/from`);
  if (belowHome(from) === null) reader.problem(`${at}/from`, 'must be a path below ~/');
  const names = (key: string): readonly string[] => {
    const list = reader.texts(home[key], `${at}/${key}`);
    list.forEach((name, i) => {
      if (!isFileName(name)) reader.problem(`${at}/${key}/${i}`, 'must be a name without a path');
    });
    return list;
  };
  const config = home.config === undefined ? null : reader.text(home.config, `${at}/config`);
  if (config !== null && !isFileName(config)) reader.problem(`${at}/config`, 'must be a name without a path');
  return {
    variable: reader.text(home.variable, `${at}/variable`),
    from,
    link: names('link'),
    config,
    without: reader.texts(home.without, `${at}/without`),
  };
}

const isFileName = (name: string): boolean => !/[\\/]/.test(name) && name !== '' && name !== '.' && name !== '..';

function readAuth(reader: SpecReader, value: Json | undefined): AdapterSpec['auth'] {
  const auth = reader.object(value, '/auth');
  const modes = Object.entries(reader.object(auth.modes, '/auth/modes')).map(([name, entry]): [string, AuthMode] => {
    const at = `/auth/modes/${name}`;
    const mode = reader.object(entry, at);
    const credentialPaths = reader.texts(mode.credential_paths, `${at}/credential_paths`);
    credentialPaths.forEach((path, i) => {
      if (belowHome(path) === null) reader.problem(`${at}/credential_paths/${i}`, 'must be a path below ~/');
    });
    return [
      name,
      { env: reader.textMap(mode.env, `${at}/env`), args: reader.texts(mode.args, `${at}/args`), credentialPaths },
    ];
  });
  return {
    default: auth.default === undefined ? null : reader.text(auth.default, '/auth/default'),
    modes: Object.fromEntries(modes),
  };
}

function readPolicy(reader: SpecReader, value: Json | undefined): UnanswerablePolicy {
  if (value === undefined) return 'abort';
  if (value === 'deny' || value === 'abort' || value === 'relay') return value;
  reader.problem('/on_unanswerable', 'must be deny, abort or relay');
  return 'abort';
}

function readOpaque(reader: SpecReader, value: Json | undefined): boolean {
  if (value !== undefined && value !== 'normalized' && value !== 'opaque')
    reader.problem('/telemetry_grade', 'must be normalized or opaque');
  return value === 'opaque';
}

function readFormat(reader: SpecReader, value: Json | undefined): AdapterSpec['format'] {
  const { format } = reader.object(value, '/stream');
  if (format === undefined || format === 'jsonl') return 'jsonl';
  if (format !== 'acp') reader.problem('/stream/format', 'must be jsonl or acp');
  return 'acp';
}

/** Lines need rules; what messages of ACP mean is fixed, and its gate is in them. */
function checkFormat(reader: SpecReader, spec: AdapterSpec): void {
  const isAcp = spec.format === 'acp';
  if (isAcp && spec.rules.length > 0) reader.problem('/event_map', 'must not stand beside `format: acp`');
  if (isAcp && spec.launch.stdin !== null) reader.problem('/launch/stdin', 'must not stand beside `format: acp`');
  if (!isAcp && spec.rules.length === 0) reader.problem('/event_map', 'must hold at least one rule');
  if (spec.launch.home !== null && spec.sandbox !== null)
    reader.problem('/launch/home', 'must not stand beside a container, which has a home of its own');
  if (spec.gate !== null && (spec.gate.protocol === 'acp') !== isAcp)
    reader.problem('/gate/protocol', `must be ${isAcp ? 'acp' : 'a hook'} with \`format: ${spec.format}\``);
}

function readExitCode(reader: SpecReader, value: Json | undefined): number {
  const wanted = reader.object(value, '/success_when').exit_code;
  if (wanted === undefined) return 0;
  if (typeof wanted === 'number' && Number.isInteger(wanted)) return wanted;
  reader.problem('/success_when/exit_code', 'must be an integer');
  return 0;
}

/** Templates by pointer, for the check of their variables. */
function templatesOf(spec: AdapterSpec): readonly (readonly [string, string])[] {
  const list = (pointer: string, items: readonly string[]) =>
    items.map((item, i) => [`${pointer}/${i}`, item] as const);
  const map = (pointer: string, items: Readonly<Record<string, string>>) =>
    Object.entries(items).map(([key, item]) => [`${pointer}/${key}`, item] as const);
  return [
    ...list('/launch/command', spec.launch.command),
    ...spec.launch.optionalArgs.flatMap((group, i) => list(`/launch/optional_args/${i}/args`, group.args)),
    ...map('/launch/env', spec.launch.env),
    ...(spec.launch.stdin === null ? [] : [['/launch/stdin', spec.launch.stdin] as const]),
    ...Object.entries(spec.auth.modes).flatMap(([name, mode]) => [
      ...map(`/auth/modes/${name}/env`, mode.env),
      ...list(`/auth/modes/${name}/args`, mode.args),
    ]),
    ...list('/resume/arg', spec.resumeArgs),
    ...(spec.gate?.stdin == null ? [] : [['/gate/stdin', spec.gate.stdin] as const]),
  ];
}

function checkVariables(reader: SpecReader, spec: AdapterSpec): void {
  for (const [pointer, template] of templatesOf(spec)) {
    for (const name of unknownVariables(template)) reader.problem(pointer, `unknown variable {${name}}`);
  }
  spec.launch.optionalArgs.forEach((group, i) => {
    if (!isKnownVariable(group.when))
      reader.problem(`/launch/optional_args/${i}/when`, `unknown variable ${group.when}`);
  });
}

/**
 * Checks what a launch needs of an adapter's `spec`. Kit's schema has seen the file before; this is
 * the driver's own refusal of what would otherwise be an empty argument, a lookup in no table, or
 * an adapter that data cannot express.
 */
export function parseAdapter(value: JsonObject): ParsedAdapter {
  const reader = new SpecReader();
  if (value.requires !== undefined)
    reader.problem('/requires', 'an adapter that requires code cannot be run from data');
  const names = Object.keys(value).filter((key) => key.endsWith('_map') && key !== 'event_map');
  const spec: AdapterSpec = {
    launch: readLaunch(reader, value.launch),
    auth: readAuth(reader, value.auth),
    format: readFormat(reader, value.stream),
    retainRaw: reader.object(value.stream, '/stream').retain_raw === true,
    rules: reader.list(value.event_map, '/event_map').map((rule, i) => readRule(reader, rule, `/event_map/${i}`)),
    maps: Object.fromEntries(names.map((name) => [name, reader.textMap(value[name], `/${name}`)])),
    sandbox: readSandbox(reader, value.sandbox),
    resumeArgs: reader.texts(reader.object(value.resume, '/resume').arg, '/resume/arg'),
    successExitCode: readExitCode(reader, value.success_when),
    onUnanswerable: readPolicy(reader, value.on_unanswerable),
    gate: readGate(reader, value.gate),
    isOpaque: readOpaque(reader, value.telemetry_grade),
    prices: statedPrices(value.prices),
  };
  checkFormat(reader, spec);
  checkVariables(reader, spec);
  checkLookups(reader, spec.rules, names);
  return reader.problems.length === 0 ? { ok: true, spec } : { ok: false, problems: reader.problems };
}
