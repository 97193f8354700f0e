import {
  alternatives,
  fieldsOf,
  type Issue,
  knownFields,
  meantWord,
  namesIn,
  pasteText,
  schemaAround,
} from './issue.js';
import { ID_PATTERN, legalId } from './legal-id.js';
import { PATTERN_WORDS } from './pattern-words.js';
import { formHelp, mappingHelp, typeHelp } from './type-help.js';
import { anyOfWords, count, kindOfValue, nameAt, shown, typeWords } from './words.js';

const NAME = /^[\w.-]{1,60}$/;

/** A provider of governance that a plugin brings is named in its configuration. */
function pluginHelp(pointer: string, found: unknown): string | undefined {
  if (pointer !== '/governance/provider' || typeof found !== 'string' || !NAME.test(found)) return undefined;
  return `that of a plugin is \`provider: custom\` with \`config: { provider_id: ${found} }\``;
}

/** What is said of one issue. `child` = the field inside the value that the issue is about. */
export interface Sentence {
  readonly message: string;
  readonly label?: string | undefined;
  readonly help?: string | undefined;
  readonly child?: string | undefined;
  /** Fields that exclude each other. */
  readonly conflict?: readonly string[];
  /** The word of the schema that a misspelt one was taken for. */
  readonly meant?: string | undefined;
}

/** Why a rule holds, where the schema says so. */
const because = (issue: Issue): string => {
  const around = schemaAround(issue);
  // The reason of a whole block is that of its combinations; a field that is always required needs
  // none.
  const why = issue.keyword === 'required' && around.additionalProperties === false ? undefined : around['x-why'];
  return typeof why === 'string' ? `: ${why}` : '';
};

const listed = (words: readonly string[]): string => anyOfWords(words.map((word) => `\`${word}\``));

function unknownField(issue: Issue): Sentence {
  const field = String(issue.params.additionalProperty);
  const known = fieldsOf(issue);
  const meant = meantWord(field, known);
  return {
    message: `unknown field \`${field}\``,
    label: 'unknown field',
    help: meant === undefined ? knownFields(issue) : `did you mean \`${meant}\`?`,
    child: field,
    meant,
  };
}

function wrongType(issue: Issue, written: unknown): Sentence {
  const { type } = issue.params;
  return {
    message: `${nameAt(issue.instancePath)} must be ${typeWords(type)}, found ${kindOfValue(issue.data)}`,
    label: `expected ${typeWords(type)}`,
    help:
      typeHelp(String(type), issue.data, written, /\/(metadata|provenance)\/version$/.test(issue.instancePath)) ??
      (type === 'object' ? mappingHelp(issue, written) : undefined),
  };
}

function wrongPattern(issue: Issue, found: unknown): Sentence {
  const words = PATTERN_WORDS[String(issue.params.pattern)];
  const tail = words?.hidesValue === true ? '' : `, found ${shown(found)}`;
  return {
    message: `${nameAt(issue.instancePath)} must be ${words?.wants ?? `text that fits ${issue.params.pattern}`}${tail}`,
    help: grantHelp(issue, found) ?? patternHelp(words?.wants, found),
  };
}

/**
 * `pack:` and `server:` grant many skills at once, and an archetype alone may do that
 * (docs/design/workspace.md#skill-entries): no other spelling is meant.
 */
function grantHelp({ instancePath }: Issue, found: unknown): string | undefined {
  if (
    typeof found !== 'string' ||
    !/^(?:pack|server):/.test(found) ||
    !/\/skills(?:_additional)?\/\d+$/.test(instancePath)
  )
    return undefined;
  return 'name the skills one by one, or let an archetype grant them: `defaults: { skills: [...] }`';
}

function patternHelp(wants: string | undefined, found: unknown): string | undefined {
  if (typeof found !== 'string' || wants !== PATTERN_WORDS[ID_PATTERN]?.wants) return undefined;
  const legal = legalId(found);
  return legal === null ? undefined : `write \`${legal}\``;
}

function wrongEnum(issue: Issue, found: unknown): Sentence {
  const allowed: readonly unknown[] = Array.isArray(issue.params.allowedValues) ? issue.params.allowedValues : [];
  const words = allowed.map(String);
  const meant = typeof found === 'string' ? meantWord(found, words) : undefined;
  return {
    message: `${nameAt(issue.instancePath)} must be ${listed(words)}, found ${shown(found)}`,
    help: meant === undefined ? pluginHelp(issue.instancePath, found) : `did you mean \`${meant}\`?`,
  };
}

/** Values of the one discriminator that the schemas have. */
export const SKILL_TYPES: readonly string[] = ['mcp_tool', 'llm_prompt', 'composed', 'command', 'agent'];

function wrongTag(issue: Issue, found: unknown): Sentence {
  const tag = String(issue.params.tag);
  const message = `\`${tag}\` names no known variant, found ${shown(found)}`;
  const meant = typeof found === 'string' ? meantWord(found, SKILL_TYPES) : undefined;
  return {
    message,
    help: meant === undefined ? `known: ${SKILL_TYPES.join(', ')}` : `did you mean \`${meant}\`?`,
    child: tag,
  };
}

function exclusive(issue: Issue, fields: readonly string[]): Sentence {
  const present = fields.filter(
    (field) => typeof issue.data === 'object' && issue.data !== null && field in issue.data,
  );
  const names = anyOfWords(
    present.map((field) => `\`${field}\``),
    'and',
  );
  return { message: `${names} exclude each other${because(issue)}`, help: 'keep one of them', conflict: present };
}

function wrongUnion(issue: Issue): Sentence {
  const fields = alternatives(issue);
  if (fields !== null) {
    const isMissing = issue.params.passingSchemas === null || issue.params.passingSchemas === undefined;
    return isMissing ? { message: `one of ${listed(fields)} is required${because(issue)}` } : exclusive(issue, fields);
  }
  const { description } = schemaAround(issue);
  const forms =
    typeof description === 'string'
      ? `, which takes ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`
      : '';
  const message = `${kindOfValue(issue.data)} does not fit ${nameAt(issue.instancePath)}${forms}`;
  return { message, help: formHelp(issue) };
}

function forbidden(issue: Issue): Sentence {
  const { not } = schemaAround(issue);
  const isPlain = typeof not === 'object' && not !== null && Object.keys(not).every((key) => key === 'required');
  const fields = isPlain && 'required' in not ? namesIn(not.required) : [];
  if (fields.length > 0) return exclusive(issue, fields);
  return { message: because(issue).slice(2) || 'this combination of fields is not allowed', help: 'keep one of them' };
}

function wrongLength(issue: Issue): Sentence {
  const name = nameAt(issue.instancePath);
  const limit = Number(issue.params.limit);
  const length = typeof issue.data === 'string' ? [...issue.data].length : 0;
  if (issue.keyword === 'maxLength')
    return { message: `${name} must have at most ${count(limit, 'character', 'characters')}, has ${length}` };
  return length === 0
    ? { message: `${name} must not be empty` }
    : { message: `${name} must have at least ${count(limit, 'character', 'characters')}, has ${length}` };
}

function wrongSize(issue: Issue): Sentence {
  const bound = issue.keyword.startsWith('min') ? 'at least' : 'at most';
  const size = typeof issue.data === 'object' && issue.data !== null ? Object.keys(issue.data).length : 0;
  return {
    message: `${nameAt(issue.instancePath)} needs ${bound} ${count(Number(issue.params.limit), 'entry', 'entries')}, has ${size}`,
  };
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  uri: 'an absolute URL',
  regex: 'a regular expression',
};

function missing(issue: Issue, field: string): Sentence {
  const text = pasteText(issue, field);
  return {
    message: `required field \`${field}\` is missing${because(issue)}`,
    child: field,
    ...(text === undefined ? {} : { help: `for example \`${text}\`` }),
  };
}

/**
 * Our sentence for one failed keyword: lower case, without a full stop. `found` = the value as the
 * author wrote it.
 */
export function sentenceOf(issue: Issue, found: unknown): Sentence {
  const name = nameAt(issue.instancePath);
  switch (issue.keyword) {
    case 'required':
      return missing(issue, String(issue.params.missingProperty));
    case 'additionalProperties':
      return unknownField(issue);
    case 'type':
      return wrongType(issue, found);
    case 'pattern':
      return wrongPattern(issue, found);
    case 'enum':
      return wrongEnum(issue, found);
    case 'const':
      return {
        message: `${name} must be ${shown(issue.params.allowedValue)}, found ${shown(found)}`,
        help: `write ${shown(issue.params.allowedValue)}`,
      };
    case 'minLength':
    case 'maxLength':
      return wrongLength(issue);
    case 'minimum':
    case 'maximum':
      return {
        message: `${name} must be ${issue.keyword === 'minimum' ? 'at least' : 'at most'} ${issue.params.limit}, found ${shown(found)}`,
      };
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return wrongSize(issue);
    case 'oneOf':
    case 'anyOf':
      return wrongUnion(issue);
    case 'discriminator':
      return wrongTag(issue, found);
    case 'not':
      return forbidden(issue);
    case 'format':
      return {
        message: `${name} must be ${FORMATS[String(issue.params.format)] ?? `of the format ${issue.params.format}`}, found ${shown(found)}`,
      };
    case 'propertyNames':
      return {
        message: `the key \`${issue.params.propertyName}\` in ${name} must be ${PATTERN_WORDS[ID_PATTERN]?.wants}`,
        child: String(issue.params.propertyName),
      };
    default:
      return { message: `${name} breaks the rule \`${issue.keyword}\`` };
  }
}
