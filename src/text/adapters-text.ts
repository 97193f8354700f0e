import type { AdapterDetails, AdapterRow } from '../app/adapters/adapters-app.js';
import { DEFAULTS } from '../domain/generated/defaults.js';
import { exactnessOf } from '../domain/harness-call.js';
import type { Json, JsonObject } from '../domain/json.js';
import { objectOf } from '../lib/json.js';
import { shellWord, visible } from '../lib/shell-word.js';
import type { Tone } from '../view/lines/tone.js';
import { oneLine } from '../view/lines/words.js';
import { changedLines } from './inbox/changed-lines.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, type TableOptions, table } from './lines/table.js';

const APPROVALS: Readonly<Record<AdapterRow['approval'], readonly [string, Tone]>> = {
  bundled: ['bundled', 'plain'],
  approved: ['approved', 'good'],
  'needs-review': ['NEEDS REVIEW', 'bad'],
};

const COLUMNS: readonly Column<AdapterRow>[] = [
  { title: 'ADAPTER', of: ({ id }) => oneLine(id, 60), tone: 'strong' },
  {
    title: 'PROGRAM',
    canShrink: true,
    of: ({ foundAt, program }) => (foundAt === null ? `${oneLine(program, 60)} not found` : oneLine(foundAt, 200)),
    tone: ({ foundAt }) => (foundAt === null ? 'warn' : 'plain'),
  },
  {
    title: 'VERSION',
    dropFirst: 3,
    of: ({ unverified, version }) =>
      unverified === null ? oneLine(version ?? '', 40) : `${oneLine(version ?? '?', 40)} NOT VERIFIED`,
    tone: ({ unverified }) => (unverified === null ? 'plain' : 'warn'),
  },
  { title: 'APPROVAL', of: ({ approval }) => APPROVALS[approval][0], tone: ({ approval }) => APPROVALS[approval][1] },
  { title: 'USED BY', canShrink: true, dropFirst: 2, of: ({ topologies }) => oneLine(topologies.join(', '), 120) },
  {
    title: 'SOURCE',
    canShrink: true,
    dropFirst: 1,
    of: ({ approval, path }) => (approval === 'bundled' ? 'kit' : oneLine(path, 200)),
    tone: 'dim',
  },
];

/** One line an adapter: the program as it was found, its version, whether it may be started. */
export const adaptersText = (rows: readonly AdapterRow[], options: TableOptions): string =>
  table(COLUMNS, rows, options).join('\n');

export interface AdapterTextOptions {
  readonly color: boolean;
  /** How the user named the workspace, as an argument to paste; '' = none is needed. */
  readonly workspaceArgument: string;
}

/** An adapter whole: what it starts, what it reads, who approved it. */
export function adapterText(details: AdapterDetails, options: AdapterTextOptions): string {
  const paint = createPaint(options.color);
  const [approval, tone] = APPROVALS[details.approval];
  const found = details.foundAt === null ? paint('warn', 'not on PATH') : oneLine(details.foundAt, 400);
  const rows: readonly (readonly [string, string])[] = [
    [
      'program',
      `${oneLine(details.program, 400)}, ${found}${details.version === null ? '' : `, ${oneLine(details.version, 40)}`}`,
    ],
    ...(details.unverified === null ? [] : [['verified', paint('warn', oneLine(details.unverified, 300))] as const]),
    ['source', oneLine(details.path, 400)],
    ['used by', details.topologies.length === 0 ? 'no topology' : oneLine(details.topologies.join(', '), 400)],
    ['approval', paint(tone, approval)],
    ...(details.env.length === 0 ? [] : [['is handed', oneLine(details.env.join(', '), 400)] as const]),
    ['fingerprint', details.fingerprint],
    ...launchRows(details.spec),
    ...streamRows(details.spec),
  ];
  const lines = rows.map(([name, text]) => `  ${paint('dim', name.padEnd(12))} ${text}`);
  const head = `${paint('strong', oneLine(details.id, 60))}  ${oneLine(details.name, 80)}: ${oneLine(details.description, 300)}`;
  const next =
    details.approval === 'needs-review'
      ? ['', ...changeLines(details, paint), `${paint('dim', 'approve:')} ${approveCommand(details, options)}`]
      : [];
  return [head, ...lines, ...next].join('\n');
}

/** What differs from the spec that was approved last, by whom and when. */
export function approvalText(details: AdapterDetails, options: { readonly color: boolean }): string {
  const paint = createPaint(options.color);
  return [...changeLines(details, paint), `fingerprint ${details.fingerprint}`].join('\n');
}

function changeLines({ id, spec, lastApproval, fingerprint }: AdapterDetails, paint: Paint): readonly string[] {
  const name = oneLine(id, 60);
  if (lastApproval === null) return [`${name} was never approved in this workspace. All of it:`, ...specLines(spec)];
  const who = `${oneLine(lastApproval.by ?? 'somebody', 60)}${lastApproval.at === null ? '' : ` on ${lastApproval.at}`}`;
  if (lastApproval.fingerprint === fingerprint) return [`${name} was approved by ${who}; nothing has changed since`];
  if (lastApproval.spec === null)
    return [`${name} was approved by ${who}; what it was then was not kept. All of it:`, ...specLines(spec)];
  const changed = changedLines(specLines(lastApproval.spec).join('\n'), specLines(spec).join('\n'));
  const head = `${name} was approved by ${who}. What has changed since:`;
  if (changed === null) return [head, 'everything. All of it:', ...specLines(spec)];
  return [
    head,
    ...changed.map((line) => paint(line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'plain', line)),
  ];
}

const approveCommand = ({ id, fingerprint }: AdapterDetails, { workspaceArgument }: AdapterTextOptions): string =>
  `kit adapters approve ${shellWord(id)} --fingerprint ${fingerprint}${workspaceArgument === '' ? '' : ` -w ${shellWord(workspaceArgument)}`}`;

const specLines = (spec: JsonObject): readonly string[] => JSON.stringify(spec, null, 2).split('\n').map(visible);

function launchRows(spec: JsonObject): readonly (readonly [string, string])[] {
  const launch = objectOf(spec.launch);
  const groups = listOf(launch.optional_args).map((group) => {
    const { when, args } = objectOf(group);
    return ['with', `${oneLine(textOf(when))}: ${commandLine(args)}`] as const;
  });
  const env = Object.entries(objectOf(launch.env)).map(([name, value]) => `${name}=${textOf(value)}`);
  const auth = Object.keys(objectOf(objectOf(spec.auth).modes));
  return [
    ['launch', commandLine(launch.command)],
    ...groups,
    ...(launch.stdin === undefined ? [] : [['stdin', oneLine(visible(textOf(launch.stdin)), 400)] as const]),
    ...(env.length === 0 ? [] : [['env', oneLine(visible(env.join(' ')), 400)] as const]),
    ...(auth.length === 0 ? [] : [['auth', oneLine(auth.join(', '), 200)] as const]),
    ['sandbox', sandboxText(objectOf(spec.sandbox))],
  ];
}

/** How a session goes on for which the adapter names no words of their own. */
function goesOnBy({ launch }: JsonObject, format: string): string {
  if (format === 'acp') return 'session/load';
  return JSON.stringify(launch ?? null).includes('{resume.token}') ? 'goes on, as its launch says' : 'starts anew';
}

/** Where it works, and what it reaches from there. */
function sandboxText(sandbox: JsonObject): string {
  if (sandbox.kind !== 'container') return 'worktree';
  const hosts = listOf(sandbox.allow).map(textOf).join(', ');
  const reach = sandbox.network === 'allowlist' ? `TLS to ${hosts} by kit's proxy, and nothing else` : 'no network';
  return oneLine(`container, ${reach}`, 400);
}

function streamRows(spec: JsonObject): readonly (readonly [string, string])[] {
  const resume = objectOf(spec.resume);
  const mapped = listOf(spec.event_map).length;
  const format = textOf(objectOf(spec.stream).format ?? 'jsonl');
  return [
    ['stream', `${oneLine(format, 40)}${mapped === 0 ? '' : `, ${mapped} rules`}`],
    ['resume', resume.arg === undefined ? goesOnBy(spec, format) : commandLine(resume.arg)],
    ['asks', oneLine(textOf(spec.on_unanswerable ?? DEFAULTS.AdapterSpec.on_unanswerable), 40)],
    ...gateRows(spec),
  ];
}

/** Which kinds of calls are asked of kit, and how exactly one that was approved is kept. */
function gateRows(spec: JsonObject): readonly (readonly [string, string])[] {
  const gate = objectOf(spec.gate);
  if (spec.gate === undefined) return [['permissions', 'not asked of kit: the program itself decides']];
  const kinds = Object.values(objectOf(gate.tools)).map((tool) => textOf(objectOf(tool).kind));
  const listed = [...new Set(kinds)].filter((kind) => kind !== 'inner').join(', ');
  const files = listOf(gate.control_files).map(textOf).join(' ');
  return [
    ['permissions', oneLine(`${listed} by kit (${textOf(gate.protocol)}); others are asked about`, 400)],
    ['exactness', exactnessOf(spec)],
    ...(files === ''
      ? []
      : [
          [
            'obeys',
            oneLine(
              `${files}${gate.refuse_control_files === true ? ', and is not started where there is one' : ''}`,
              400,
            ),
          ] as const,
        ]),
  ];
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
const commandLine = (value: Json | undefined): string =>
  oneLine(
    listOf(value)
      .map((word) => visible(shellWord(textOf(word))))
      .join(' '),
    1_000,
  );
