import { isObject } from '../../lib/json.js';
import { nearest } from '../../lib/nearest.js';
import { alternatives, type Issue, namesIn, schemaAround } from './issue.js';

const isUnion = (issue: Issue): boolean => issue.keyword === 'oneOf' || issue.keyword === 'anyOf';
const isBelow = (issue: Issue, pointer: string): boolean => issue.instancePath.startsWith(`${pointer}/`);

/**
 * Keywords that judge a text; on another type of value they only say that the branch was for texts.
 */
const TEXT_RULES = ['pattern', 'enum', 'const', 'minLength', 'format'];

/**
 * The mapping has other fields and none that the branch requires, nor a misspelt one: something
 * else was meant.
 */
function isForeign(here: readonly Issue[]): boolean {
  const missing = here
    .filter((issue) => issue.keyword === 'required')
    .map((issue) => String(issue.params.missingProperty));
  const unknown = here
    .filter((issue) => issue.keyword === 'additionalProperties')
    .map((issue) => String(issue.params.additionalProperty));
  const required = here.flatMap((issue) => namesIn(schemaAround(issue).required));
  return (
    unknown.length > 0 &&
    required.length > 0 &&
    required.every((name) => missing.includes(name) && nearest(name, unknown) === null)
  );
}

/**
 * What goes of the failures of one union: all but those of the branch that was meant, or all but
 * the union's own.
 */
function dropUnion(union: Issue, all: readonly Issue[]): ReadonlySet<Issue> {
  const here = all.filter((issue) => issue !== union && issue.instancePath === union.instancePath);
  if (alternatives(union) !== null) {
    return new Set(
      here.filter((issue) => issue.keyword === 'required' && /\/(oneOf|anyOf)\/\d+\/required$/.test(issue.schemaPath)),
    );
  }
  const types = here.filter((issue) => issue.keyword === 'type');
  const aboutText = here.filter((issue) => TEXT_RULES.includes(issue.keyword));
  if (typeof union.data === 'string') return aboutText.length > 0 ? new Set([union, ...types]) : new Set(types);
  if (isForeign(here)) return new Set([...here, ...all.filter((issue) => isBelow(issue, union.instancePath))]);
  const rest = all.some(
    (issue) =>
      isBelow(issue, union.instancePath) ||
      (issue !== union && here.includes(issue) && !types.includes(issue) && !aboutText.includes(issue)),
  );
  return isObject(union.data) && rest ? new Set([union, ...types, ...aboutText]) : new Set([...types, ...aboutText]);
}

/**
 * A narrower rule on the same value says more: the top agent's `const`, a child's shorter `enum`.
 */
function isOutdone(issue: Issue, all: readonly Issue[]): boolean {
  if (issue.keyword === 'discriminator') {
    return all.some(
      (other) =>
        other.keyword === 'required' &&
        other.instancePath === issue.instancePath &&
        other.params.missingProperty === issue.params.tag,
    );
  }
  if (issue.keyword !== 'enum') return false;
  const sizeOf = (other: Issue): number => namesIn(other.params.allowedValues).length;
  return all.some(
    (other) =>
      other !== issue &&
      other.instancePath === issue.instancePath &&
      (other.keyword === 'const' || (other.keyword === 'enum' && sizeOf(other) < sizeOf(issue))),
  );
}

/**
 * One failure for one mistake. Gone are: `if` beside the failure of its `then`, the inner failure
 * of `propertyNames`, the branches of a union that were not meant, and rules that a narrower one on
 * the same value outdoes.
 */
export function withoutCascades(issues: readonly Issue[]): readonly Issue[] {
  const real = issues.filter((issue) => issue.keyword !== 'if' && issue.propertyName === undefined);
  const dropped = new Set(real.filter(isUnion).flatMap((union) => [...dropUnion(union, real)]));
  const kept = real.filter((issue) => !dropped.has(issue));
  return kept.filter((issue) => !isOutdone(issue, kept));
}
