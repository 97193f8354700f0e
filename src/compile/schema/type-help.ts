import { isLoneReference } from '../interpolate/typed-references.js';
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
