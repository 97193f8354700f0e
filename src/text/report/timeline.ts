import type { RunReport } from '../../app/observe/observe-app.js';
import { agentStatusText } from '../../view/agent-status.js';
import { agentTree } from '../../view/agent-tree.js';
import { outcomeSuffix, toneWith } from '../../view/executor-outcome.js';
import { countText, durationText, timeText } from '../../view/lines/words.js';
import type { AgentCall, AgentView, RunView } from '../../view/run-view.js';
import { busyStretches, type Stretch, stretchOf, type TimeAxis, timeAxis } from '../../view/time-axis.js';
import { agentTone } from '../lines/words.js';
import { fitted, type Html, html, leftOutNote, text } from './html.js';

/** Width of the drawing in its own units; the page stretches it. */
const WIDTH = 1000;
/** A call of no measured length is still seen. */
const THINNEST = 2;
/** Indents in the style sheet. */
const DEEPEST = 4;
/** Calls side by side are drawn below each other; more than this many share the last lane. */
const MAX_LANES = 8;
/** More bars in one row are a blur. */
const MAX_BARS = 1_000;
/** Of all rows together. */
const MAX_BYTES = 1024 * 1024;
const LANE = 8;
const EDGE = 4;

/** A line an activation: when it was there, and in it each call with its length. */
export function timelineSection({ job, view, wallMs }: RunReport): Html {
  const busy = busyStretches(view);
  const first = busy[0]?.fromMs;
  const last = busy.at(-1)?.toMs;
  if (first === undefined || last === undefined) return html`<p class="soft">No agent has started.</p>`;
  const startMs = Math.min(first, Date.parse(job.startedAt ?? job.createdAt));
  const whole = {
    fromMs: startMs,
    toMs: Math.max(last, job.startedAt === null ? last : Date.parse(job.startedAt) + (wallMs ?? 0)),
  };
  const axis = timeAxis(whole, busy);
  const { rows, leftOut } = fitted(
    agentTree(view),
    ({ agent, depth }) => row({ agent, view, depth, axis, endMs: whole.toMs }),
    MAX_BYTES,
  );
  const missing = leftOutNote(
    leftOut,
    `${countText(leftOut, 'agent')} after these ${leftOut === 1 ? 'is' : 'are'} left out; kit trace ${job.id} shows them all.`,
  );
  return html`<p class="soft">${text(timeText(new Date(whole.fromMs).toISOString()))} to ${text(timeText(new Date(whole.toMs).toISOString()))}, ${text(durationText(whole.toMs - whole.fromMs))}.
${axis.waits.length === 0 ? null : html`${waitsText(axis.waits)} `}${LEGEND}</p>
<div class="scroll"><table class="time"><tbody>${rows}</tbody></table></div>${missing}`;
}

const LEGEND: Html = {
  markup: ['agent', 'model', 'tool', 'executor', 'fault']
    .map(
      (name) =>
        `<svg class="key" aria-hidden="true"><rect class="${name}"/></svg>${name === 'fault' ? 'call that failed or was denied' : name}`,
    )
    .join(''),
};

const waitsText = (waits: readonly Stretch[]): Html =>
  html`Drawn short: ${text(waits.map(({ fromMs, toMs }) => `${durationText(toMs - fromMs)} in which nothing ran`).join(', '))}.`;

function row(place: {
  readonly agent: AgentView;
  readonly view: RunView;
  readonly depth: number;
  readonly axis: TimeAxis;
  readonly endMs: number;
}): Html {
  const { agent, axis } = place;
  const status = agentStatusText(agent, place.view);
  const from = Date.parse(agent.startedAt);
  const to = agent.endedAt === null ? place.endMs : Date.parse(agent.endedAt);
  const lanes = lanesOf(agent.trail);
  const height = 2 * EDGE + LANE * (Math.max(0, ...lanes) + 1);
  const whole = { top: 1, height: height - 2 };
  const drawn = [
    bar(axis, { fromMs: from, toMs: to }, { kind: 'agent', title: `${agent.agentId} ${status}`, ...whole }),
    ...axis.waits.map((wait) =>
      bar(axis, wait, { kind: 'wait', title: `nothing ran for ${durationText(wait.toMs - wait.fromMs)}`, ...whole }),
    ),
    ...agent.trail.slice(0, MAX_BARS).map((call, index) => callBar(axis, call, lanes[index] ?? 0)),
  ];
  return html`<tr><td class="depth-${Math.min(place.depth, DEEPEST)}">${text(agent.agentId, 60)} <span class="${text(toneWith(agent.outcome, agentTone(agent.status)))}">${text(`${status}${outcomeSuffix(agent.outcome)}`)}</span></td>
<td><svg viewBox="0 0 ${WIDTH} ${height}" height="${height}" preserveAspectRatio="none" role="img" aria-label="${text(`${agent.agentId}, ${agent.trail.length} calls`)}">${drawn}</svg></td>
<td class="num">${text(agent.durationMs === null ? 'not ended' : durationText(agent.durationMs))}</td></tr>
`;
}

/** For each call the first lane that is free when it begins. */
function lanesOf(trail: readonly AgentCall[]): readonly number[] {
  const lanes: number[] = trail.map(() => 0);
  const freeFrom: number[] = [];
  const inTime = trail.map((call, index) => ({ ...stretchOf(call), index })).sort((a, b) => a.fromMs - b.fromMs);
  for (const { fromMs, toMs, index } of inTime) {
    const free = freeFrom.findIndex((ms) => ms <= fromMs);
    const lane = Math.min(free === -1 ? freeFrom.length : free, MAX_LANES - 1);
    freeFrom[lane] = Math.max(freeFrom[lane] ?? 0, toMs);
    lanes[index] = lane;
  }
  return lanes;
}

function callBar(axis: TimeAxis, call: AgentCall, lane: number): Html {
  const isFault = call.status === 'failed' || call.status === 'denied' || call.status === 'refused';
  const time = call.durationMs === null ? '' : `, ${durationText(call.durationMs)}`;
  const title = `${call.name} ${call.status}${time}`;
  return bar(axis, stretchOf(call), {
    kind: isFault ? 'fault' : call.kind,
    title,
    top: EDGE + lane * LANE,
    height: LANE - 1,
  });
}

type Shape = { readonly kind: string; readonly title: string; readonly top: number; readonly height: number };

function bar(axis: TimeAxis, { fromMs, toMs }: Stretch, shape: Shape): Html {
  const x = Math.min(axis.at(fromMs) * WIDTH, WIDTH - THINNEST);
  const width = Math.max(THINNEST, axis.at(toMs) * WIDTH - x);
  return html`<rect class="${text(shape.kind)}" x="${round(x)}" y="${shape.top}" width="${round(width)}" height="${shape.height}"><title>${text(shape.title)}</title></rect>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
