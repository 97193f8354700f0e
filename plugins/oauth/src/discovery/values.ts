import { isObject } from '@kit-run/kit/plugin';

export const textAt = (value: Readonly<Record<string, unknown>>, key: string): string | null => {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof found === 'string' && found !== '' ? found : null;
};

export const textsAt = (value: Readonly<Record<string, unknown>>, key: string): readonly string[] => {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string' && one !== '') : [];
};

export const objectAt = (
  value: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> | null => {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(found) ? found : null;
};

/** Text of a provider for people: one line, bounded, without what a terminal would obey. */
export function quoted(text: unknown, max = 300): string {
  const clean = String(text)
    .slice(0, max * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return clean.length > max ? `${clean.slice(0, max)}…` : clean;
}
