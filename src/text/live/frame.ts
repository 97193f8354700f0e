import { agentTree } from '../../view/agent-tree.js';
import type { Tone } from '../../view/lines/tone.js';
import { countText, durationText, oneLine, tokensText } from '../../view/lines/words.js';
import type { AgentView, RunView } from '../../view/run-view.js';
import { agentWords, callsText, factsOf, runningMs, sinceMs, spentText } from './agent-words.js';
import { fitRows, treePrefixes } from './fit-rows.js';
import type { LiveState } from './live-state.js';

/**
 * An agent in the tree: who, what it is at, and its figures in columns. The screen cuts what is too
 * wide.
 */
export interface AgentLine {
  readonly kind: 'agent';
  readonly key: string;
  readonly name: string;
  readonly tone: Tone;
  readonly words: string;
  readonly facts: string;
}

/** A line of its own. `cut`: which end goes when it is too wide. */
export interface TextLine {
  readonly kind: 'text';
  readonly key: string;
  readonly tone: Tone;
  readonly text: string;
  readonly cut: 'start' | 'end';
}

export type FrameLine = AgentLine | TextLine;

/** What is on the screen at one moment. */
export interface Frame {
  readonly lines: readonly FrameLine[];
  /** Columns of the widest name with its lines in front. */
  readonly nameWidth: number;
  /** Columns of the figures of every agent. */
  readonly factsWidth: number;
}

export const EMPTY_FRAME: Frame = { lines: [], nameWidth: 0, factsWidth: 0 };

/** The screen and the moment. */
export interface FrameOptions {
  readonly nowMs: number;
  readonly columns: number;
  readonly rows: number;
  /** Adds tool calls and streamed text. */
  readonly verbose: boolean;
}

/** Narrower than this, figures would leave no room for what an agent is at. */
const TIME_FROM_COLUMNS = 36;
const COST_FROM_COLUMNS = 60;
const TOKENS_FROM_COLUMNS = 84;

/**
 * What the live tree shows while a run goes on. Never more lines than `rows - 1`: a frame that
 * fills the screen would scroll, and what has scrolled away cannot be drawn over.
 */
export function liveFrame(state: LiveState, options: FrameOptions): Frame {
  const { view } = state;
  const head = [textLine('head', 'strong', headText(view, options.nowMs))];
  const foot = [
    ...waitingLines(state),
    textLine('totals', 'plain', totalsText(view)),
    textLine('keys', 'dim', keysText(view)),
  ];
  const room = options.rows - 1 - head.length - foot.length;
  // On a screen of a few rows the figures of the whole run say more than one agent of many.
  if (room < 1) return frameOf([...head, ...foot].slice(0, Math.max(1, options.rows - 1)));
  const tree = agentTree(view);
  const isTooMany = tree.length > room;
  const { rows, hidden } = fitRows(tree, isTooMany ? room - 1 : room);
  const spare = room - rows.length - (isTooMany ? 1 : 0);
  const lines = agentLines(state, { ...options, rows, spare });
  return frameOf([
    ...head,
    ...lines,
    ...(hidden.length === 0 ? [] : [textLine('more', 'dim', moreText(hidden))]),
    ...foot,
  ]);
}

/** The whole tree as it stays in the scrollback when the run has ended or parked. */
export function finalFrame(state: LiveState, options: Omit<FrameOptions, 'rows'>): Frame {
  return frameOf([
    ...agentLines(state, { ...options, verbose: false, rows: agentTree(state.view), spare: 0 }),
    ...waitingLines(state),
  ]);
}

interface TreeOptions extends Omit<FrameOptions, 'rows'> {
  readonly rows: ReturnType<typeof agentTree>;
  /** Lines that may still be added below agents. */
  readonly spare: number;
}

function agentLines(state: LiveState, options: TreeOptions): readonly FrameLine[] {
  const { view } = state;
  const prefixes = treePrefixes(options.rows);
  const agents = options.rows.map(({ agent }, index) => {
    const words = agentWords(agent, { view, hasEnded: state.end !== null });
    const name = `${prefixes[index]}${words.mark} ${oneLine(agent.agentId, 60)}`;
    return { agent, words, name, facts: factsOf(agent, runningMs(agent, { view, nowMs: options.nowMs })) };
  });
  const facts = columnsOf(
    agents.map(({ facts: { time, cost, tokens } }) => [
      ...(options.columns < TIME_FROM_COLUMNS ? [] : [time]),
      ...(options.columns < TOKENS_FROM_COLUMNS ? [] : [tokens]),
      ...(options.columns < COST_FROM_COLUMNS ? [] : [cost]),
    ]),
  );
  let spare = options.spare;
  return agents.flatMap(({ agent, words, name }, index): readonly FrameLine[] => {
    const line: AgentLine = {
      kind: 'agent',
      key: agent.activation,
      name,
      tone: words.tone,
      words: words.words,
      facts: facts[index] ?? '',
    };
    const details = options.verbose ? detailLines(agent, state).slice(0, spare) : [];
    spare -= details.length;
    return [line, ...details];
  });
}

/** Below an agent that runs: its last tool calls, and the end of what its model is writing. */
function detailLines(agent: AgentView, { texts }: LiveState): readonly TextLine[] {
  if (agent.status !== 'running') return [];
  const calls = callsText(agent.recentCalls);
  const text = oneLine(texts[agent.activation] ?? '', 600);
  return [
    ...(text === ''
      ? []
      : [{ ...textLine(`${agent.activation} text`, 'plain', `      » ${text}`), cut: 'start' as const }]),
    ...(calls === '' ? [] : [textLine(`${agent.activation} calls`, 'dim', `      ${calls}`)]),
  ];
}

function headText(view: RunView, nowMs: number): string {
  if (view.topology === null) return 'starting';
  const version = view.version === null ? '' : `@${view.version}`;
  return `${oneLine(view.topology, 80)}${version}  ${durationText(sinceMs([view.startedAt, view.resumedAt], nowMs))}  run ${view.jobId ?? ''}`;
}

function totalsText(view: RunView): string {
  const over = view.order.filter((key) => view.agents[key]?.status !== 'running').length;
  const { calls, usage } = view;
  const wrong = calls.failed + calls.denied;
  return [
    `${over} of ${countText(view.order.length, 'agent')} done`,
    countText(calls.model, 'model call'),
    `${countText(calls.tools, 'tool call')}${wrong === 0 ? '' : ` (${wrong} failed or refused)`}`,
    tokensText(usage),
    spentText(usage),
  ].join(' · ');
}

const keysText = (view: RunView): string =>
  view.stopRequestedBy === null
    ? 'Ctrl-C stops the run'
    : 'stopping once the steps in flight have ended; Ctrl-C again cuts them off';

/** What a parked run waits for. */
function waitingLines({ end }: LiveState): readonly TextLine[] {
  const gates = end?.status === 'deferred' ? end.waitingOn : [];
  return gates.map((gate) => textLine(`gate ${gate}`, 'warn', `waits for ${oneLine(gate, 120)}`));
}

function moreText(hidden: readonly AgentView[]): string {
  const counted = (['running', 'failed', 'denied', 'ok'] as const).flatMap((status) => {
    const count = hidden.filter((agent) => agent.status === status).length;
    return count === 0 ? [] : [`${count} ${status === 'ok' ? 'done' : status}`];
  });
  return `… ${countText(hidden.length, 'more agent')}: ${counted.join(', ')}`;
}

/**
 * Cells of each row, padded to the widest of their column. No row ends in blanks: a terminal that
 * becomes narrower breaks a row by what was written, and not by what is seen.
 */
function columnsOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padStart(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

const textLine = (key: string, tone: Tone, text: string): TextLine => ({ kind: 'text', key, tone, text, cut: 'end' });

const frameOf = (lines: readonly FrameLine[]): Frame => ({
  lines,
  nameWidth: Math.max(0, ...lines.map((line) => (line.kind === 'agent' ? line.name.length : 0))),
  factsWidth: Math.max(0, ...lines.map((line) => (line.kind === 'agent' ? line.facts.length : 0))),
});
