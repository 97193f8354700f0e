import { fieldsOf, knownFields, pasteText } from './fields.js';
import { type Issue, namesIn, schemaAround } from './issue.js';

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
