import {
  Args,
  type DocMatch,
  type DocPage,
  Flags,
  KitCommand,
  KitError,
  onlyHere,
  shellWord,
} from '@kit-run/kit/command';

const DEFAULT_LIMIT = 8;
const MAX_LIMIT = 50;
const MAX_LINE_CHARS = 110;

/** Shows and searches the documentation that kit brings along. */
export class Docs extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Read and search the documentation, offline.';
  static override description =
    'Without words: the list of pages. The name of a page, an error code or a command shows its page; other words are searched for. The pages are part of the package: nothing is fetched.';
  static override examples = [
    '<%= config.bin %> docs',
    '<%= config.bin %> docs gates',
    '<%= config.bin %> docs KIT_STORE_BUSY',
    '<%= config.bin %> docs two people sign',
  ];
  static override strict = false;
  static override args = {
    words: Args.string({ description: 'A page, a code, a command, or words to search for.', required: false }),
  };
  static override flags = {
    search: Flags.boolean({ char: 's', description: 'Search, even if the words are the name of a page.' }),
    limit: Flags.integer({
      char: 'n',
      description: 'Most results to show.',
      min: 1,
      max: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      helpValue: 'N',
    }),
  };

  override async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(Docs);
    const query = argv.map(String).join(' ').trim();
    if (query === '') return this.showPages(await this.kit.docs.list());
    const found = flags.search ? null : await this.kit.docs.read(query);
    if (found !== null) {
      this.log(found.text.trimEnd());
      return found;
    }
    return this.showMatches(query, await this.kit.docs.search({ query, limit: flags.limit }));
  }

  private showPages(pages: readonly DocPage[]): unknown {
    const width = Math.max(...pages.map(({ name }) => name.length));
    for (const { name, title } of pages) this.log(`${name.padEnd(width)}  ${title}`);
    this.log(`\n\`${this.config.bin} docs PAGE\` shows one, \`${this.config.bin} docs WORDS\` searches all of them`);
    return { pages };
  }

  private showMatches(query: string, matches: readonly DocMatch[]): unknown {
    const [first] = matches;
    if (first === undefined)
      throw new KitError('KIT_USAGE', 'no page holds any of these words', {
        hint: `\`${this.config.bin} docs\` lists the pages.`,
      });
    for (const { page, title, heading, line } of matches) {
      this.log(`${page}: ${heading === null || heading === title ? title : `${title}, ${heading}`}`);
      if (line !== '') this.log(`    ${line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}...` : line}`);
    }
    this.log(`\n${this.config.bin} docs ${shellWord(first.page)}`);
    return { query, matches };
  }
}
