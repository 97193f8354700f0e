import {
  ADAPTER_CONFIG_VARIABLE,
  ADAPTER_VARIABLES,
  TOOL_FILE_VARIABLES,
  TOOL_NAME_VARIABLES,
} from '../../domain/adapter-variables.js';
import type { AdapterSpec, StringMap } from '../../domain/generated/artifacts.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { isBundled } from '../builtin/bundled.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { didYouMean, type Report } from '../report.js';
import { HOSTS, reportHosts } from './sandboxes.js';

const PLACEHOLDER = /\{([A-Za-z0-9_.]+)\}/g;

interface Template {
  readonly text: string;
  readonly pointer: string;
}

const list = (texts: readonly string[] | undefined, pointer: string): readonly Template[] =>
  (texts ?? []).map((text, index) => ({ text, pointer: pointerTo(pointer, index) }));
const map = (texts: StringMap | undefined, pointer: string): readonly Template[] =>
  Object.entries(texts ?? {}).map(([name, text]) => ({ text, pointer: pointerTo(pointer, name) }));
const one = (text: string | undefined, pointer: string): readonly Template[] =>
  text === undefined ? [] : [{ text, pointer }];

/** Every launch template of an adapter. */
const templatesOf = ({ launch, auth, resume, gate }: AdapterSpec): readonly Template[] => [
  ...list(launch.command, '/spec/launch/command'),
  ...(launch.optional_args ?? []).flatMap(({ args }, index) => list(args, `/spec/launch/optional_args/${index}/args`)),
  ...map(launch.env, '/spec/launch/env'),
  ...one(launch.stdin, '/spec/launch/stdin'),
  ...Object.entries(auth?.modes ?? {}).flatMap(([mode, { env, args }]) => {
    const base = pointerTo('/spec/auth/modes', mode);
    return [...map(env, `${base}/env`), ...list(args, `${base}/args`)];
  }),
  ...list(resume?.arg, '/spec/resume/arg'),
  ...one(gate?.stdin, '/spec/gate/stdin'),
];

function checkNames(artifact: Art, template: Template, known: readonly string[], report: Report): void {
  for (const match of template.text.matchAll(PLACEHOLDER)) {
    const name = match[1] ?? '';
    if (known.includes(name) || (known === ADAPTER_VARIABLES && ADAPTER_CONFIG_VARIABLE.test(name))) continue;
    report.add(
      { artifact, pointer: template.pointer },
      {
        code: 'adapter.unknown-variable',
        message: `no template variable is called \`${name}\``,
        help: didYouMean(name, known),
      },
    );
  }
}

function checkTemplates(artifact: Art, spec: AdapterSpec, report: Report): void {
  for (const template of templatesOf(spec)) checkNames(artifact, template, ADAPTER_VARIABLES, report);
  const { launch } = spec;
  for (const template of one(launch.mcp_tool_name, '/spec/launch/mcp_tool_name'))
    checkNames(artifact, template, TOOL_NAME_VARIABLES, report);
  for (const template of one(launch.mcp_file, '/spec/launch/mcp_file'))
    checkNames(artifact, template, TOOL_FILE_VARIABLES, report);
  launch.optional_args?.forEach(({ when: name }, index) => {
    if (ADAPTER_VARIABLES.includes(name) || ADAPTER_CONFIG_VARIABLE.test(name)) return;
    report.add(
      { artifact, pointer: pointerTo('/spec/launch/optional_args', index, 'when') },
      {
        code: 'adapter.unknown-variable',
        message: `no template variable is called \`${name}\``,
        help: didYouMean(name, ADAPTER_VARIABLES),
      },
    );
  });
}

/** `with: {field: {from, map}}` names a table of the adapter. */
function checkMaps(artifact: Art, spec: AdapterSpec, report: Report): void {
  const maps = Object.keys(spec).filter((key) => key.endsWith('_map') && key !== 'event_map');
  spec.event_map?.forEach((rule, ruleIndex) => {
    rule.emit?.forEach((emit, emitIndex) => {
      for (const [field, value] of Object.entries(emit.with ?? {})) {
        const name = typeof value === 'object' && value !== null ? value.map : null;
        if (name === null || maps.includes(name)) continue;
        const pointer = pointerTo('/spec/event_map', ruleIndex, 'emit', emitIndex, 'with', field, 'map');
        report.add(
          { artifact, pointer },
          {
            code: 'adapter.unknown-map',
            message: `the adapter has no table \`${name}\``,
            help: didYouMean(name, maps),
          },
        );
      }
    });
  });
}

/**
 * `network: allowlist` and its hosts belong together, and each entry is a host that kit can hold a
 * container to.
 */
function checkNetwork(artifact: Art, spec: AdapterSpec, report: Report): void {
  const { kind, network, allow = [] } = spec.sandbox ?? {};
  const isList = network === 'allowlist';
  if (isList && kind !== 'container') {
    const message = '`allowlist` needs a container: without one a program has the network of the machine';
    report.add({ artifact, pointer: '/spec/sandbox/network' }, { ...HOSTS, message, help: 'write `kind: container`' });
  } else if (isList && allow.length === 0) {
    const message = '`allowlist` names no host';
    report.add({ artifact, pointer: '/spec/sandbox/network' }, { ...HOSTS, message, help: 'name them in `allow`' });
  } else if (!isList && allow.length > 0) {
    const message = '`allow` names hosts, and the container has no network';
    const help = 'write `network: allowlist`';
    report.add({ artifact, pointer: '/spec/sandbox/allow' }, { ...HOSTS, message, help });
  }
  reportHosts(allow, (index) => ({ artifact, pointer: pointerTo('/spec/sandbox/allow', index) }), report);
}

/** Rules on the adapters of the workspace; bundled ones are judged by the tests of their plugin. */
export function checkAdapters(linked: Linked, report: Report): void {
  for (const artifact of linked.registries.adapters.values()) {
    if (isBundled(artifact)) continue;
    const { spec } = artifact.value;
    checkTemplates(artifact, spec, report);
    checkMaps(artifact, spec, report);
    checkNetwork(artifact, spec, report);
    checkRelay(artifact, spec, report);
  }
}

/** What the schema takes for the sake of adapters that others wrote, and kit would not keep. */
interface Broken {
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

function brokenPromises({ grant = {}, interaction, gate, on_unanswerable }: AdapterSpec): readonly Broken[] {
  return [
    ...Object.keys(grant).map((key) => ({
      pointer: `/spec/grant/${key}`,
      message: '`grant` passes permissions as arguments, and kit grants them through the gate only',
      help: 'remove it, and describe the hook of the program in `gate`',
    })),
    ...(interaction?.driver === 'hold-stream'
      ? [
          {
            pointer: '/spec/interaction/driver',
            message: '`hold-stream` keeps the program running while people decide, which kit does not support',
            help: 'write `driver: park-resume`',
          },
        ]
      : []),
    ...((interaction?.max_approval_wait_seconds ?? 0) > 0
      ? [
          {
            pointer: '/spec/interaction/max_approval_wait_seconds',
            message: 'a wait for people has no time limit, so this key has no effect',
            help: 'write 0, or remove the key',
          },
        ]
      : []),
    ...(on_unanswerable === 'relay' && gate === undefined
      ? [
          {
            pointer: '/spec/on_unanswerable',
            message: '`on_unanswerable: relay` needs a `gate`: only a hook that waits can be answered by people',
            help: 'add `gate`, or write `deny` or `abort`',
          },
        ]
      : []),
  ];
}

/** An adapter that promises what kit would not do is refused, before a run relies on it. */
function checkRelay(artifact: Art, spec: AdapterSpec, report: Report): void {
  for (const { pointer, message, help } of brokenPromises(spec))
    report.add({ artifact, pointer }, { code: 'adapter.no-effect', message, help });
}
