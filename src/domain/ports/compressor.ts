/**
 * Makes the result of a tool shorter on its way into a conversation; the instance behind the point
 * `compressors`.
 */
export interface Compressor {
  /**
   * The whole text of one result, secrets replaced already, and which tool of which server gave it.
   * null = leave it as it is. What is not shorter is not used; a throw, an answer of another type
   * or none within 10 s leaves the text as it is too, and is logged once a run.
   */
  compress(
    text: string,
    of: { readonly tool: string; readonly server: string | null },
  ): Promise<string | null> | string | null;
}
