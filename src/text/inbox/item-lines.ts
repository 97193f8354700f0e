import type { InboxItem } from '../../app/review/review-app.js';
import type { Json } from '../../domain/json.js';
import { visibleLines } from '../../lib/shell-word.js';
import type { GateDetails } from '../../view/gate-details.js';
import type { Tone } from '../../view/lines/tone.js';
import { bytesText, oneLine } from '../../view/lines/words.js';
import { askedRows, NAME_WIDTH } from '../review/asked-lines.js';
import { detailLines } from '../review/detail-lines.js';
import { earlierText } from '../review/earlier-text.js';
import { readable } from '../review/readable.js';
import { changedLines } from './changed-lines.js';
import type { InboxLine } from './diff-section.js';
import { type DiffLook, diffLine, fileLines } from './diff-section.js';
import type { FilePlace } from './inbox-model.js';
import { cutLine, wrapLines } from './wrap-lines.js';

/** The body of an open item, and the lines at which its sections and files begin. */
export interface ItemBody {
  readonly lines: readonly InboxLine[];
  readonly sections: readonly number[];
  readonly files: readonly FilePlace[];
}

/** Nothing was folded or jumped to. */
const FIRST_LOOK: DiffLook = { folds: {}, fileAt: -1 };

/**
 * Everything that the decision is made from, from what people did to the artifact itself; wrapped
 * to `columns`.
 */
export function itemBody(item: InboxItem, columns: number, look: DiffLook = FIRST_LOOK): ItemBody {
  const lines: InboxLine[] = [];
  const sections: number[] = [];
  for (const section of [
    requestSection,
    questionSection,
    peopleSection,
    checksSection,
    changesSection,
    artifactSection,
  ]) {
    const found = section(item, columns);
    if (found.length === 0) continue;
    if (lines.length > 0) lines.push(plain(''));
    sections.push(lines.length);
    lines.push(...found);
  }
  const files: FilePlace[] = [];
  if (item.harnessDiff !== null) {
    lines.push(plain(''));
    sections.push(lines.length);
    lines.push(head('diff of the harness  n and p jump from file to file, f folds'));
    for (const file of fileLines(item.harnessDiff, columns, look)) {
      if (file.path !== '') {
        sections.push(lines.length);
        files.push({ path: file.path, line: lines.length, isFolded: file.isFolded });
      }
      lines.push(...file.lines);
    }
  }
  return { lines, sections, files };
}

const line = (tone: Tone, text: string): InboxLine => ({ tone, text });
const plain = (text: string): InboxLine => line('plain', text);
const head = (text: string): InboxLine => line('strong', text);
const wrapped = (tone: Tone, text: string, columns: number, indent = '  '): readonly InboxLine[] =>
  wrapLines(text, columns - indent.length).map((part) => line(tone, `${indent}${part}`));

/** Narrower than that, the facts stand below their names. */
const COLUMNS_FOR_NAMES = 40;

/** What is asked: the request first, then what led there. */
function requestSection({ item, asked, details }: InboxItem, columns: number): readonly InboxLine[] {
  const more = `kit review show ${item.id} --full`;
  const indent = ' '.repeat(columns < COLUMNS_FOR_NAMES ? 2 : NAME_WIDTH + 3);
  return [
    head('what is asked'),
    ...askedRows(asked, { more, hasGate: details !== null }).flatMap(({ name, lines, tone }) => {
      const text = lines.flatMap((one) => wrapped(tone, one, columns, indent));
      if (columns < COLUMNS_FOR_NAMES) return [line('dim', cutLine(`  ${name}`, columns)), ...text];
      const [first, ...rest] = text;
      const named = `  ${name.padEnd(NAME_WIDTH)} ${first?.text.slice(indent.length) ?? ''}`;
      return [line(tone, named), ...rest];
    }),
  ];
}

/** What an item that is not a role task asks. */
function questionSection({ item, asked }: InboxItem, columns: number): readonly InboxLine[] {
  if (item.kind === 'role_task') return [];
  const options = item.options.flatMap((option, index) =>
    wrapped('plain', `${index}  ${oneLine(option, 2_000)}`, columns),
  );
  // Of a call they stand above.
  const details = asked.call === null ? detailLines(item.details).flatMap((one) => wrapped('plain', one, columns)) : [];
  const free =
    item.options.length > 0 && !item.freeTextAllowed
      ? [line('dim', '  answer with one of the options; `kit review answer` takes your own words: --comment')]
      : [];
  return [
    head('question'),
    ...wrapped('plain', item.question ?? item.reason, columns),
    ...options,
    ...free,
    ...details,
  ];
}

function peopleSection({ details }: InboxItem, columns: number): readonly InboxLine[] {
  if (details === null) return [];
  const decided = details.resolutions.flatMap(({ role, status, resolvedBy, comment, round, stale }) => {
    const said = comment === '' ? '' : `: ${oneLine(comment, 2_000)}`;
    const text = `${status} by ${oneLine(resolvedBy, 60)} for ${oneLine(role, 60)}, round ${round}${stale ? ', no longer counts' : ''}${said}`;
    return wrapped(stale ? 'dim' : status === 'approved' ? 'good' : 'warn', text, columns);
  });
  const waiting = details.actors.flatMap(({ role, scope, members }) => {
    const who = members.length === 0 ? 'nobody can' : members.map((member) => oneLine(member, 60)).join(', ');
    return wrapped('plain', `waits for ${oneLine(role, 60)} (${oneLine(scope, 60)}): ${who}`, columns);
  });
  return [
    head('people'),
    ...decided,
    ...waiting,
    ...details.stuck.flatMap((text) => wrapped('bad', text, columns)),
    ...authorLines(details, columns),
  ];
}

function authorLines(gate: GateDetails, columns: number): readonly InboxLine[] {
  const { author, excludeAuthor, earlierAuthors } = gate;
  const note = author.note === null ? '' : ` (${author.note})`;
  const submitted = wrapped(
    author.note === null ? 'dim' : 'warn',
    `submitted by ${oneLine(author.identity, 60)}${note}${excludeAuthor ? ', who may not approve' : ''}`,
    columns,
  );
  return earlierAuthors.length === 0 ? submitted : [...submitted, ...wrapped('dim', earlierText(gate), columns)];
}

function checksSection({ details }: InboxItem, columns: number): readonly InboxLine[] {
  if (details === null) return [];
  const { retries, escalated, failedLayers, critique, judge, findings } = details.evidence;
  const lines = [
    ...(escalated
      ? wrapped(
          'bad',
          `escalated: ${failedLayers.join(', ') || 'the checks'} did not pass after ${retries} retries`,
          columns,
        )
      : []),
    ...(judge === null
      ? []
      : wrapped(
          'plain',
          `judge ${judge.skill}: ${judge.verdict} (${judge.confidence.toFixed(2)}): ${judge.reasoning}`,
          columns,
        )),
    ...(critique === null ? [] : wrapped('warn', `critique: ${critique}`, columns)),
    ...findings.flatMap((finding) => wrapped('plain', `finding: ${findingText(finding)}`, columns)),
  ];
  return lines.length === 0 ? [] : [head('checks'), ...lines];
}

function findingText(finding: Json): string {
  if (finding === null || typeof finding !== 'object' || Array.isArray(finding)) return JSON.stringify(finding);
  const { severity, location, claim } = finding as Readonly<Record<string, Json>>;
  const words = [severity, location, claim].filter((word) => typeof word === 'string');
  return words.length === 0 ? JSON.stringify(finding) : words.join('  ');
}

/** What changed since this person last decided. */
function changesSection({ previous, artifact }: InboxItem, columns: number): readonly InboxLine[] {
  if (previous === null || artifact === null) return [];
  const { decision } = previous;
  const title = head(`changes since your decision in round ${decision.round} (${decision.outcome})`);
  if (previous.artifact.sha256 === artifact.sha256) return [title, plain('  none: the bytes are equal')];
  if (previous.artifact.text === null || artifact.text === null)
    return [title, plain('  the bytes differ, and are not text')];
  const changed = changedLines(
    readable(previous.artifact.text, previous.artifact.mediaType),
    readable(artifact.text, artifact.mediaType),
  );
  if (changed?.length === 0) return [title, plain('  only how it is written down: the content is equal')];
  if (changed === null) return [title, plain('  the two have hardly a line in common; read it as a whole')];
  return [title, ...changed.flatMap((text) => diffLine(text, columns))];
}

function artifactSection({ artifact, harnessDiff }: InboxItem, columns: number): readonly InboxLine[] {
  if (artifact === null) return [];
  const { ref, sha256, mediaType, sizeBytes, text } = artifact;
  const facts = [
    head(`artifact  ${mediaType}, ${bytesText(sizeBytes)}`),
    ...wrapped('dim', `${oneLine(ref, 300)}  sha256 ${sha256}`, columns),
  ];
  return [
    ...facts,
    ...(text === null
      ? wrapped('plain', 'the bytes are not text; `kit artifacts get` writes them to a file', columns)
      : wrapped('plain', visibleLines(readable(withoutDiff(text, harnessDiff), mediaType)), columns)),
  ];
}

/** The diff stands below, file by file. */
const withoutDiff = (text: string, diff: string | null): string =>
  diff === null ? text : text.replace(diff, () => '(the diff stands below)');
