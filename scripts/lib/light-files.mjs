// Makes folded files cheaper to load, without a change of what they do. Each function takes and
// gives texts of files by their path.

/** What a file consists of that only passes on what lies in another. */
const PASSING_ON = /^import\{([^}]*)\}from"(\.\/[^"]+)";export\{([^}]*)\};?\s*$/;

/** `a as b,c`: [['a', 'b'], ['c', 'c']]. */
const pairsOf = (list) =>
  list
    .split(',')
    .filter((one) => one !== '')
    .map((one) => one.split(' as '))
    .map(([from, to = from]) => [from, to]);

/** How a file is imported that passes on: from where, and by which names; null = it does more. */
function passingOn(text) {
  const [, imported, place, exported] = PASSING_ON.exec(text) ?? [];
  if (place === undefined) return null;
  const sources = new Map(pairsOf(imported).map(([from, to]) => [to, from]));
  const fields = pairsOf(exported).map(([name, as]) => `${as}:m.${sources.get(name)}`);
  return `import(\`${place}\`).then(m=>({${fields.join(',')}}))`;
}

/**
 * Imports at run time past a file that only passes on: each of those is one more to be found. They
 * lie in one folder; one that nobody else imports is left out.
 */
export function pastFacades(files) {
  const past = new Map();
  for (const [path, text] of files) {
    const call = path.startsWith('parts/') ? passingOn(text) : null;
    if (call !== null) past.set(path.replace('parts/', './'), call);
  }
  const changed = mapTexts(files, (text, path) =>
    path.startsWith('parts/')
      ? text.replaceAll(/\bimport\(`(\.\/[^`]+)`\)/g, (call, to) => past.get(to) ?? call)
      : text,
  );
  const imported = new Set([...changed.values()].flatMap((text) => text.match(PART) ?? []));
  return new Map(
    [...changed].filter(([path]) => !past.has(path.replace('parts/', './')) || imported.has(nameOf(path))),
  );
}

/** The name of a part, wherever it stands. */
const PART = /[\w.$@~-]+\.js(?=["'`])/g;
const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

const IMPORT = /import(?:([^"'`;]*?)from)?"([^"]+)";/y;

/** The declarations for what a statement imports of a module of Node. */
function declarationsOf(clause, module) {
  const load = `globalThis.process.getBuiltinModule("${module}")`;
  const [, names] = /\{([^}]*)\}/.exec(clause) ?? [];
  const whole = clause.replace(/,?\s*\{[^}]*\}/, '').replace(/\*\s*as/, '');
  const wholes = whole.split(',').map((one) => one.trim());
  const fields = pairsOf(names ?? '').map(([from, to]) => (from === to ? from : `${from}:${to}`));
  return [
    ...wholes.filter((one) => one !== '').map((name) => `const ${name}=${load};`),
    ...(fields.length === 0 ? [] : [`const{${fields.join(',')}}=${load};`]),
  ].join('');
}

/**
 * Takes modules of Node as they are: an import would first ask for each of their exports, and
 * `node:crypto`, `node:fs` and others load much of Node when they are asked.
 */
export const withBareBuiltins = (files) =>
  mapTexts(files, (text) => {
    const [imports, declarations] = [[], []];
    IMPORT.lastIndex = 0;
    let end = 0;
    for (let found = IMPORT.exec(text); found !== null; found = IMPORT.exec(text)) {
      const [statement, clause, module] = found;
      end = IMPORT.lastIndex;
      if (clause !== undefined && module.startsWith('node:')) declarations.push(declarationsOf(clause, module));
      else imports.push(statement);
    }
    return [...imports, ...declarations, text.slice(end)].join('');
  });

const escaped = (text) =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * Writes everything beyond ASCII as an escape: a single such character makes of a text of a
 * megabyte one of two, which takes longer to read.
 */
export const inAscii = (files) =>
  mapTexts(files, (text) =>
    text.replaceAll(/\\([\s\S])|[^\0-\x7f]+/g, (part, after) => {
      if (after === undefined) return escaped(part);
      return after <= '\x7f' ? part : escaped(after);
    }),
  );

const mapTexts = (files, change) => new Map([...files].map(([path, text]) => [path, change(text, path)]));
