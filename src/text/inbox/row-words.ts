import type { InboxRow } from '../../app/review/review-app.js';
import type { ReviewRequest } from '../../view/asked.js';
import { oneLine } from '../../view/lines/words.js';

/** Characters of an input in a row: fewer where who asked and the age would not fit beside it. */
const MAX_INPUT = 40;
const MIN_INPUT = 12;
/** What stands beside the input of most rows: role, topology, run, submitter, age. */
const BESIDE = 48;
/** A shorter beginning that inputs share is read over. */
const MIN_SHARED = 16;

/**
 * What each row is called by, by item: the topology and the words of its input that tell it apart
 * from its neighbours; where the words are the same, its labels, its correlation id, or its run.
 */
export function rowWords(rows: readonly InboxRow[], columns: number): ReadonlyMap<string, string> {
  const maxInput = Math.max(MIN_INPUT, Math.min(MAX_INPUT, columns - BESIDE));
  const shared = new Map<string, string>();
  for (const [topology, inputs] of grouped(rows, ({ asked }) => asked.topology.name))
    shared.set(topology, sharedStart([...new Set(inputs.map(({ asked }) => asked.input.text))]));
  const request = ({ asked }: InboxRow): string =>
    requestText(asked, { skip: shared.get(asked.topology.name)?.length ?? 0, maxInput });
  const words = new Map<string, string>();
  for (const alike of grouped(rows, (row) => `${row.item.role ?? row.item.kind} ${request(row)}`).values()) {
    const runs = [...new Set(alike.map(({ asked }) => asked.runId))];
    const idChars = runs.length > 1 ? distinctChars(runs) : 0;
    for (const row of alike)
      words.set(row.item.id, idChars === 0 ? request(row) : `${request(row)}  ${markOf(row.asked, idChars)}`);
  }
  return words;
}

function grouped(rows: readonly InboxRow[], keyOf: (row: InboxRow) => string): Map<string, InboxRow[]> {
  const groups = new Map<string, InboxRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** What several texts begin with, up to a word; '' where that is short, or there is one text. */
function sharedStart(texts: readonly string[]): string {
  const [first = '', ...rest] = texts;
  if (rest.length === 0) return '';
  let length = first.length;
  for (const text of rest) {
    let at = 0;
    while (at < length && at < text.length && text[at] === first[at]) at += 1;
    length = at;
  }
  const start = first.slice(0, first.slice(0, length).lastIndexOf(' ') + 1);
  return start.length < MIN_SHARED ? '' : start;
}

/** `release: Release 1.7`, `release: …for 1.8` */
function requestText(
  { topology, input }: ReviewRequest,
  { skip, maxInput }: { readonly skip: number; readonly maxInput: number },
): string {
  const text = skip > 0 && input.text.length > skip ? `…${input.text.slice(skip)}` : input.text;
  return `${oneLine(topology.name, 30)}: ${oneLine(text, maxInput)}`;
}

/** How many characters of ids tell them apart, at least six. */
function distinctChars(ids: readonly string[]): number {
  let chars = 6;
  while (chars < 64 && new Set(ids.map((id) => id.slice(0, chars))).size < ids.length) chars += 1;
  return chars;
}

/** What a person would call one of several equal requests by. */
function markOf({ labels, correlationId, runId }: ReviewRequest, idChars: number): string {
  const [label] = Object.entries(labels);
  if (label !== undefined)
    return `${oneLine(label[0], 20)}=${oneLine(label[1], 20)} run ${oneLine(runId.slice(0, idChars), 64)}`;
  return correlationId === null ? `run ${oneLine(runId.slice(0, idChars), 64)}` : oneLine(correlationId, 24);
}
