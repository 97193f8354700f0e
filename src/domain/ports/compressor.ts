/** Makes the result of a tool shorter on its way into a conversation; the instance behind the point `compressors`. */
export interface Compressor {
  /** null = leave it as it is. What is not shorter is not used. A throw leaves it as it is too, and is logged. */
  compress(text: string, of: { readonly tool: string; readonly server: string | null }): Promise<string | null> | string | null;
}
