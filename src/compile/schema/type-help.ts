import { isObject } from '../../lib/json.js';
import { isLoneReference } from '../interpolate/typed-references.js';
import { fieldsOf, type Issue, knownFields, namesIn, pasteText, schemaAround } from './issue.js';
import { typeWords } from './words.js';

/** Types whose values a reference can stand for. */
const REFERABLE = ['integer', 'number', 'boolean'];

/**
 * The way out of a value of another type. `value` = what was judged, `written` = what stands in the
 * file, with its references; `isVersion` = it is the version of an artifact.
 */
export function typeHelp(expected: string, value: unknown, written: unknown, isVersion = false): string | undefined {
  const wants = expected.split(',');
  if (typeof written === 'string' && written.includes('${') && wants.some((type) => REFERABLE.includes(type)))
    return isLoneReference(written)
      ? `what \`${written}\` stands for must be ${typeWords(wants)}`
      : 'write the reference alone, without other text beside it';
  if (value === null) return 'write a value, or remove the key';
  if (wants.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return `put the value in quotes${isVersion && typeof value === 'number' ? `: \`version: "${semverOf(String(value))}"\`` : ''}`;
  if (wants.includes('array') && typeof value === 'string')
    return `write a list: [${value.length < 40 ? value : '...'}]`;
  if (wants.includes('string') && Array.isArray(value) && value.length === 1 && typeof value[0] === 'string')
    return `write it without brackets: ${value[0].length < 40 ? value[0] : '...'}`;
  if (typeof value !== 'string') return undefined;
  if ((wants.includes('number') || wants.includes('integer')) && value.trim() !== '' && Number.isFinite(Number(value)))
    return 'remove the quotes';
  if (wants.includes('boolean') && /^(yes|no|on|off|true|false)$/i.test(value))
    return `write ${/^(yes|on|true)$/i.test(value) ? 'true' : 'false'}`;
  return undefined;
}

/** YAML reads `1.0` as the number 1: the version that was meant has three parts. */
export function semverOf(number: string): string {
  const parts = number.split('.');
  return [parts[0] ?? '0', parts[1] ?? '0', '0'].join('.');
}

/** Fields that a lone word most often stands for, the likeliest first. */
const CARRIERS = ['id', 'name', 'ref', 'kind'];

/** A word that can stand in a flow mapping as it is. */
const PLAIN = /^[A-Za-z][\w.-]{0,60}$/;

/** What to write where a mapping belongs and `value` stands; undefined = nothing is known of it. */
export function mappingHelp(issue: Issue, value: unknown): string | undefined {
  const fields = fieldsOf(issue);
  const name = issue.instancePath.slice(issue.instancePath.lastIndexOf('/') + 1);
  const key = /^\d+$/.test(name) ? '- ' : `${name}: `;
  const isOn = typeof value === 'boolean' ? value : switchOf(value);
  if (isOn !== null && fields.includes('enabled')) return `write \`${key}{ enabled: ${isOn} }\``;
  if (Array.isArray(value)) {
    const known = knownFields(issue);
    return known === undefined ? undefined : `remove the \`- \` before each key; ${known}`;
  }
  const carrier = CARRIERS.find((field) => fields.includes(field));
  if (typeof value !== 'string' || !PLAIN.test(value) || carrier === undefined) return knownFields(issue);
  const others = namesIn(schemaAround(issue).required).filter((field) => field !== carrier);
  const rest = others.map((field) => pasteText(issue, field) ?? `${field}: ...`);
  return `write \`${key}{ ${[`${carrier}: ${value}`, ...rest].join(', ')} }\``;
}

function switchOf(value: unknown): boolean | null {
  if (typeof value !== 'string' || !/^(?:yes|no|on|off|true|false)$/i.test(value)) return null;
  return /^(?:yes|on|true)$/i.test(value);
}

/** So many of the roles: the one form of a quorum that is not a word. */
export const isQuorumCount = (issue: Issue): boolean =>
  /\/quorum$/.test(issue.instancePath) && Number.isInteger(issue.data);

/** A target of a trigger that is a topology is its name alone, and no mapping. */
function targetHelp({ instancePath, data }: Issue): string | undefined {
  const topology = isObject(data) && Object.keys(data).length === 1 ? data.topology : undefined;
  return /^\/targets\/\d+$/.test(instancePath) && typeof topology === 'string' && /^[\w.@-]{1,80}$/.test(topology)
    ? `write \`- ${topology}\``
    : undefined;
}

/** The form that was meant of a place that takes several, where that is plain. */
export const formHelp = (issue: Issue): string | undefined =>
  isQuorumCount(issue) ? `write \`quorum: { k-of: ${String(issue.data)} }\`` : targetHelp(issue);
