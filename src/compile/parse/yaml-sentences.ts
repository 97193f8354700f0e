import type { ErrorCode, YAMLError } from 'yaml';

interface Sentence {
  readonly message: string;
  readonly help?: string;
}

/**
 * The parser's closed list of codes in our words: what is wrong, and what to do where that is
 * clear.
 */
const SENTENCES: Readonly<Record<ErrorCode, Sentence>> = {
  ALIAS_PROPS: {
    message: 'an alias carries a tag or an anchor',
    help: 'put the tag or anchor on the value that the alias names',
  },
  BAD_ALIAS: { message: 'the alias names no anchor', help: 'define it earlier in the file with `&name`' },
  BAD_COLLECTION_TYPE: { message: 'the tag does not fit this kind of collection' },
  BAD_DIRECTIVE: { message: 'the directive is not known' },
  BAD_DQ_ESCAPE: {
    message: 'the escape inside the double quotes is not valid',
    help: 'write a backslash as `\\\\`, or use single quotes',
  },
  BAD_INDENT: { message: 'the indentation does not fit', help: 'align the line with the keys of its mapping' },
  BAD_PROP_ORDER: { message: 'an anchor or tag stands behind its value' },
  BAD_SCALAR_START: { message: 'a plain value may not begin with this character', help: 'put the value in quotes' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a nested mapping stands where a value belongs',
    help: 'quote a value that contains `: `, or put the mapping on its own lines',
  },
  BLOCK_IN_FLOW: {
    message: 'a mapping or list begins inside brackets without brackets of its own',
    help: 'quote a value that contains `: `, or close the bracket first',
  },
  DUPLICATE_KEY: { message: 'the key is given twice', help: 'keep one of them' },
  IMPOSSIBLE: { message: 'the text cannot be read as YAML' },
  KEY_OVER_1024_CHARS: { message: 'the key is longer than 1024 characters' },
  MISSING_CHAR: {
    message: 'a character is missing here',
    help: 'close the bracket or quote, or put `: ` behind the key',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'the text goes over several lines where a key belongs',
    help: 'put `: ` behind the key, or close the quote on its line',
  },
  MULTIPLE_ANCHORS: { message: 'the value carries two anchors' },
  MULTIPLE_DOCS: { message: 'the file holds more than one document', help: 'keep one document a file' },
  MULTIPLE_TAGS: { message: 'the value carries two tags' },
  NON_STRING_KEY: { message: 'the key is not text', help: 'put the key in quotes' },
  RESOURCE_EXHAUSTION: { message: 'the file is nested too deep to be read' },
  TAB_AS_INDENT: { message: 'a tab indents this line', help: 'indent with spaces' },
  TAG_RESOLVE_FAILED: { message: 'the tag is not known', help: 'remove the tag; values need none' },
  UNEXPECTED_TOKEN: {
    message: 'this text does not belong here',
    help: 'look for a missing quote, bracket or line break before it',
  },
};

/** Our sentence for an error of the parser. */
export function sentenceOf(error: YAMLError): Sentence {
  // The parser calls a bracket that nobody closed a line that is not indented enough.
  const [, bracket] = /must be sufficiently indented and end with a ([\]}])/.exec(error.message) ?? [];
  if (bracket !== undefined)
    return {
      message: `a bracket that begins before this is not closed by \`${bracket}\``,
      help: `write \`${bracket}\` where the list or mapping ends, on its own line or further in than the key above`,
    };
  return SENTENCES[error.code] ?? { message: 'the text cannot be read as YAML' };
}
