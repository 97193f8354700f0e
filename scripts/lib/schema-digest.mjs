import { createHash } from 'node:crypto';

/** Keys sorted, so that formatting and order do not count. */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
};

/** SHA-256 hex of a schema without its version. */
export function schemaDigest(schema) {
  const { 'x-version': _version, ...rest } = schema;
  return createHash('sha256').update(canonical(rest)).digest('hex');
}
