import type { Json, JsonObject } from './json.js';

/** What a call of a coding harness does to the world: the same words for every program. */
export const HARNESS_KINDS = ['read', 'edit', 'execute', 'network', 'mcp'] as const;
export type HarnessKind = (typeof HARNESS_KINDS)[number];

export const HARNESS_ANSWERS = ['allow', 'ask', 'deny'] as const;
export type HarnessAnswer = (typeof HARNESS_ANSWERS)[number];

/** One entry of `executor.config.permissions`. */
export interface HarnessPermission {
  readonly kind: HarnessKind;
  /**
   * `read` and `edit`: a glob of paths; `execute`: a whole command with `*`; `mcp`: `server/tool`;
   * `network`: what the call names, with `*`. Null: every call of the kind.
   */
  readonly match: string | null;
  readonly answer: HarnessAnswer;
}

/** What rules look at of a call. */
export interface CallFacts {
  /**
   * `inner`: it changes nothing outside the session; `question`: the model asks people something;
   * `unknown`: no table of the adapter has the tool.
   */
  readonly kind: HarnessKind | 'inner' | 'question' | 'unknown';
  /**
   * A path (relative to the worktree where it lies inside, else absolute, links resolved), a whole
   * command, `server/tool`, or an address.
   */
  readonly subject: string;
  /**
   * Of a path: in the worktree, elsewhere, or a file of the worktree that the program itself obeys.
   * Null: no path.
   */
  readonly place: 'inside' | 'outside' | 'control' | null;
}

/** A call that a harness is about to make, as its program announced it. */
export interface HarnessCall extends CallFacts {
  /** The program's own id of it; the same when it is announced again. */
  readonly callId: string;
  readonly tool: string;
  /** As the program will carry it out. */
  readonly input: JsonObject;
  /** Made by an agent that the session itself started: it cannot be parked. */
  readonly isSubagent: boolean;
  /** Made already, without having been asked about: it is judged, and nobody can be asked. */
  readonly isMade?: boolean;
  /** A call of one of kit's own tools, by the name that kit knows it by. */
  readonly skill?: string;
  /** What the call would be with another input. Absent: its program takes no other. */
  readonly withInput?: (input: JsonObject) => Promise<CallFacts>;
}

/**
 * `exact`: the very call that people approved is carried out before the model speaks again;
 * `repeat`: the model has to ask for it again.
 */
export type Exactness = 'exact' | 'repeat';

/** How exactly the program of an adapter can go on with a call that people approved. */
export function exactnessOf(spec: JsonObject | undefined): Exactness {
  const gate = spec?.gate;
  const protocol = typeof gate === 'object' && gate !== null && 'protocol' in gate ? gate.protocol : 'claude-hook';
  return protocol === 'claude-hook' ? 'exact' : 'repeat';
}

/**
 * Keys by which a program itself is told what it may do: beside `permissions` nobody could say
 * which of them holds.
 */
export const OWN_PERMISSION_KEYS = ['allowed_tools', 'permission_mode', 'approval_mode'] as const;

/** Names that decide what is started, or how kit itself works: no program is handed them. */
const RESERVED_VARIABLE = /^(?:LD_|DYLD_|KIT_|(?:PATH|NODE_OPTIONS)$)/;

/** Whether a program may be handed the variable of this name. */
export const isHandedOver = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED_VARIABLE.test(name);

/**
 * `executor.config.env`: names of variables that the program is handed, as they are set where the
 * run is executed; [] = none.
 */
export function handedOver({ env }: JsonObject): readonly string[] {
  if (!Array.isArray(env)) return [];
  return [...new Set(env.filter((name): name is string => typeof name === 'string' && isHandedOver(name)))].sort();
}

/**
 * Whether calls of a session are asked of kit: the adapter says how its program does that, and the
 * archetype either says what is allowed, or leaves it to kit by telling the program nothing itself.
 */
export function isGated(spec: JsonObject | undefined, config: JsonObject): boolean {
  if (spec?.gate === undefined) return false;
  if (config.permissions !== undefined) return true;
  return spec.on_unanswerable === 'relay' && OWN_PERMISSION_KEYS.every((key) => config[key] === undefined);
}

/**
 * The entries of `executor.config.permissions`; null where there is no such key. An entry that is
 * none, which a schema refused before, is left out: less is then allowed, and more asked.
 */
export function readPermissions(config: JsonObject): readonly HarnessPermission[] | null {
  const given = config.permissions;
  if (given === undefined) return null;
  return Array.isArray(given) ? given.flatMap((entry) => readEntry(entry)) : [];
}

function readEntry(value: Json): readonly HarnessPermission[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { kind: kindWord, then: answerWord, match } = value as JsonObject;
  const kind = HARNESS_KINDS.find((one) => one === kindWord);
  const answer = HARNESS_ANSWERS.find((one) => one === answerWord);
  if (kind === undefined || answer === undefined) return [];
  if (match !== undefined && typeof match !== 'string') return [];
  return [{ kind, answer, match: match ?? null }];
}

/**
 * True when the whole text fits the pattern, in which `*` stands for any number of characters. At
 * most `pattern × text` steps, whatever they hold.
 */
export function fitsWildcard(pattern: string, text: string): boolean {
  return fits([...pattern], [...text], { isStar: (part) => part === '*', isSame: (part, item) => part === item });
}

/**
 * True when the whole path fits the glob: `*` stands for anything within one segment, a segment
 * `**` for any number of segments.
 */
export function fitsGlob(glob: string, path: string): boolean {
  return fits(glob.split('/'), path.split('/'), {
    isStar: (part) => part === '**',
    isSame: (part, item) => fitsWildcard(part, item),
  });
}

/** Only the last star is ever gone back to: an earlier one could take no more than it can. */
function fits(
  parts: readonly string[],
  items: readonly string[],
  of: { readonly isStar: (part: string) => boolean; readonly isSame: (part: string, item: string) => boolean },
): boolean {
  let part = 0;
  let item = 0;
  let star = -1;
  let resume = 0;
  while (item < items.length) {
    const now = parts[part];
    if (now !== undefined && of.isStar(now)) {
      star = part++;
      resume = item;
    } else if (now !== undefined && of.isSame(now, items[item] ?? '')) {
      part++;
      item++;
    } else if (star >= 0) {
      part = star + 1;
      item = ++resume;
    } else return false;
  }
  while (part < parts.length && of.isStar(parts[part] ?? '')) part++;
  return part === parts.length;
}
