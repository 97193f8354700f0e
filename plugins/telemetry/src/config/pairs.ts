import { KitError } from '@kit-run/kit/plugin';

/**
 * `name=value,name=value` as the variables of OpenTelemetry have it: values may be percent-encoded.
 * Throws KIT_ENV_INVALID.
 */
export function parsePairs(variable: string, text: string | null): Readonly<Record<string, string>> {
  const parts = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return Object.fromEntries(parts.map((part) => pairOf(variable, part)));
}

function pairOf(variable: string, part: string): readonly [string, string] {
  const cut = part.indexOf('=');
  const name = cut < 1 ? '' : part.slice(0, cut).trim();
  const value = decoded(part.slice(cut + 1).trim());
  if (name !== '' && value !== null) return [name, value];
  throw new KitError('KIT_ENV_INVALID', `${variable} must be a list of name=value, divided by commas`, {
    data: { variables: [variable] },
  });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
