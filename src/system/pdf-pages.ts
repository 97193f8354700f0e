/**
 * The text of each page of a PDF, by the text layer that its author put there: a scan has none, and its pages are empty. Loaded with the first PDF
 * (unpdf: PDF.js without what draws).
 *
 * Rejects for what is no PDF, and for one that wants a password.
 */
export async function pdfPages(bytes: Uint8Array): Promise<readonly string[]> {
  const { extractText, getDocumentProxy } = await import('unpdf');
  // The library takes the memory of what it is given away.
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  try {
    return (await extractText(document, { mergePages: false })).text;
  } finally {
    await document.loadingTask.destroy();
  }
}
