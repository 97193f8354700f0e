import type { Fix } from '../../domain/diagnostic.js';
import type { Json } from '../../domain/json.js';
import { nearest } from '../../lib/nearest.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { fieldsOf, type Issue, meantWord, schemaAround } from './issue.js';
import { ID_PATTERN, legalId } from './legal-id.js';
import { SKILL_TYPES } from './sentences.js';
import { isQuorumCount, semverOf } from './type-help.js';

/** The word of a closed set that alone can be meant; null where two are near. */
function onlyWord(word: string, known: readonly string[]): string | null {
  const meant = meantWord(word, known);
  if (meant === undefined) return null;
  const isSameLetters = meant.toLowerCase() === word.toLowerCase();
  const others = known.filter((candidate) => candidate !== meant);
  return isSameLetters || nearest(word, others) === null ? meant : null;
}

/** A rule that holds whatever else the document says: else that other thing may be the mistake. */
const isUnconditional = ({ schemaPath }: Issue): boolean =>
  !/\/(?:oneOf|anyOf|allOf|if|then|else|not|dependentSchemas)\//.test(schemaPath);

const set = (pointer: string, value: Json): Fix => ({ do: 'set', pointer, value });

function unknownField(issue: Issue): Fix | null {
  const field = String(issue.params.additionalProperty);
  const meant = onlyWord(field, fieldsOf(issue));
  const isTaken = typeof issue.data === 'object' && issue.data !== null && meant !== null && meant in issue.data;
  return meant === null || isTaken ? null : { do: 'rename', pointer: pointerTo(issue.instancePath, field), to: meant };
}

function missing(issue: Issue): Fix | null {
  const field = String(issue.params.missingProperty);
  const { properties } = schemaAround(issue);
  const schema: unknown = typeof properties === 'object' && properties !== null ? Reflect.get(properties, field) : null;
  if (!isUnconditional(issue) || typeof schema !== 'object' || schema === null || !('const' in schema)) return null;
  return set(pointerTo(issue.instancePath, field), schema.const as Json); // a schema is JSON
}

const WORD = /^[^\s,${}[\]]{1,100}$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** `text` = the characters in the file: `1.10` is not the number 1.1 of its author. */
function wrongType(issue: Issue, text: string): Fix | null {
  const at = issue.instancePath;
  const value: unknown = issue.data;
  const wants = String(issue.params.type).split(',');
  if (wants.length > 1) return null;
  switch (wants[0]) {
    case 'string':
      if (typeof value !== 'number' || !NUMBER.test(text)) return null;
      return set(at, /\/(?:metadata|provenance)\/version$/.test(at) ? semverOf(text) : text);
    case 'array':
      return typeof value === 'string' && WORD.test(value) ? set(at, [value]) : null;
    case 'number':
      return typeof value === 'string' && NUMBER.test(value) ? set(at, Number(value)) : null;
    case 'integer':
      return typeof value === 'string' && NUMBER.test(value) && Number.isInteger(Number(value))
        ? set(at, Number(value))
        : null;
    case 'boolean':
      return typeof value === 'string' && /^(?:yes|no|on|off|true|false)$/i.test(value)
        ? set(at, /^(?:yes|on|true)$/i.test(value))
        : null;
    default:
      return null;
  }
}

/**
 * The one right answer to an issue, or null. Words of closed sets have one where a single word is
 * near; names that people choose (skills, roles, funnels) have none, because what is meant may not
 * be there yet. `written` = the value before interpolation: a reference is never written over.
 */
export function onlyAnswer(issue: Issue, written: unknown, text: string): Fix | null {
  if (typeof written === 'string' && written.includes('${')) return null;
  const at = issue.instancePath;
  switch (issue.keyword) {
    case 'additionalProperties':
      return unknownField(issue);
    case 'required':
      return missing(issue);
    case 'type':
      return wrongType(issue, text);
    case 'const':
      return isUnconditional(issue) ? set(at, issue.params.allowedValue as Json) : null; // a schema is JSON
    case 'enum': {
      const allowed: readonly unknown[] = Array.isArray(issue.params.allowedValues) ? issue.params.allowedValues : [];
      const meant = typeof written === 'string' ? onlyWord(written, allowed.map(String)) : null;
      return meant === null || !allowed.includes(meant) ? null : set(at, meant);
    }
    case 'discriminator': {
      const meant = typeof written === 'string' ? onlyWord(written, SKILL_TYPES) : null;
      return meant === null ? null : set(pointerTo(at, String(issue.params.tag)), meant);
    }
    case 'pattern': {
      const legal = issue.params.pattern === ID_PATTERN && typeof written === 'string' ? legalId(written) : null;
      return legal === null ? null : set(at, legal);
    }
    case 'oneOf':
    case 'anyOf':
      return isQuorumCount(issue) ? set(at, { 'k-of': issue.data as number }) : null; // a whole number: isQuorumCount
    default:
      return null;
  }
}
