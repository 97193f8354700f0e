/** Values shorter than this are not masked: they would blacken ordinary words. */
export const MIN_SECRET_CHARS = 4;
/**
 * A line of a longer secret (a PEM key), or the aligned core of its base64 form, is searched from
 * this length on.
 */
const MIN_PART_CHARS = 8;

/**
 * Every spelling of a secret that is looked for: raw, base64 and base64url (also from inside a
 * longer encoded text, whatever the alignment, as in `Basic` authorisation), percent-encoded,
 * JSON-escaped once and twice, and the lines of a secret that has several, because output is read
 * line by line.
 */
export function secretForms(value: string): readonly string[] {
  const forms = new Set<string>();
  for (const raw of [value, value.trim(), ...longLines(value)]) {
    if (raw.length < MIN_SECRET_CHARS) continue;
    for (const form of [raw, ...base64Forms(raw), ...percentForms(raw), ...jsonForms(raw)]) forms.add(form);
  }
  return [...forms];
}

function longLines(value: string): readonly string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= MIN_PART_CHARS && !line.startsWith('-----'));
}

function base64Forms(raw: string): readonly string[] {
  const whole = Buffer.from(raw, 'utf8').toString('base64');
  const standard = [
    whole,
    whole.replace(/=+$/, ''),
    ...[0, 1, 2].map((offset) => base64Core(raw, offset)).filter((core) => core.length >= MIN_PART_CHARS),
  ];
  return standard.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/**
 * The characters that the secret alone decides when `offset` unknown bytes stand before it in the
 * encoded text.
 */
function base64Core(raw: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(raw, 'utf8')]);
  const first = Math.ceil((offset * 8) / 6);
  return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6));
}

function percentForms(raw: string): readonly string[] {
  const encoded = [encodeURIComponent(raw.toWellFormed()), encodeURI(raw.toWellFormed())];
  const strict = encoded.map((form) =>
    form.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  );
  const form = new URLSearchParams({ v: raw }).toString().slice(2);
  const all = [...encoded, ...strict, form, form.replaceAll('+', '%20')];
  const plus = all.map((spelling) => spelling.replaceAll('%20', '+'));
  return [...all, ...plus].flatMap((spelling) => [
    spelling,
    spelling.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase()),
  ]);
}

function jsonForms(raw: string): readonly string[] {
  const once = JSON.stringify(raw).slice(1, -1);
  const ascii = once.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const slashes = once.replaceAll('/', '\\/');
  return [
    once,
    ascii,
    ascii.replace(/\\u[0-9a-f]{4}/g, (escaped) => `\\u${escaped.slice(2).toUpperCase()}`),
    slashes,
    JSON.stringify(once).slice(1, -1),
  ];
}
