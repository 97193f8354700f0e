/** A page of the documentation that kit brings along. */
export interface DocPage {
  /** Below docs/, without `.md`: `how-to/set-a-budget`. */
  readonly name: string;
  readonly title: string;
  /** Its first sentence. */
  readonly summary: string;
}

/** A place in the documentation where words of a query stand. */
export interface DocMatch {
  readonly page: string;
  readonly title: string;
  /** Null = the beginning of the page. */
  readonly heading: string | null;
  /** The line that holds most of the words. */
  readonly line: string;
}

/** What to show of a page. */
export interface DocText {
  readonly page: string;
  /** Markdown. */
  readonly text: string;
}

/** The documentation, read from the package: nothing is fetched. */
export interface DocsApp {
  /** Every page but those of single diagnostics, by name. */
  list(): Promise<readonly DocPage[]>;
  /**
   * The places that fit a query, best first, at most `limit`, one section each; pages of single
   * diagnostics included. [] = no word of it stands anywhere.
   */
  search(ask: { readonly query: string; readonly limit: number }): Promise<readonly DocMatch[]>;
  /**
   * The page of that name, or the one section whose heading is that text (an error code, a
   * command); null = there is none. The last part of a name is enough where it is the only one.
   */
  read(name: string): Promise<DocText | null>;
}
