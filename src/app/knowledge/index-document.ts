import type { KnowledgePassage } from '../../domain/knowledge.js';
import type { KnowledgeDocument } from '../../domain/ports/knowledge.js';
import { markdownPassages } from '../../govern/knowledge/markdown.js';
import { textPassages } from '../../govern/knowledge/passages.js';
import { passageWords } from '../../govern/knowledge/rank.js';
import { assertNever } from '../../lib/assert-never.js';
import { kindOfDocument, type PdfPages } from './documents.js';
import { decodeText } from './read-documents.js';

/** What is kept of the bytes of a document. Rejects for a PDF that cannot be read. */
export async function indexDocument(
  { path, digest, bytes }: { readonly path: string; readonly digest: string; readonly bytes: Uint8Array },
  pdfPages: PdfPages,
): Promise<KnowledgeDocument> {
  const passages = await passagesOf(path, bytes, pdfPages);
  return { digest, passages: passages.map((passage) => ({ ...passage, words: passageWords(passage) })) };
}

async function passagesOf(path: string, bytes: Uint8Array, pdfPages: PdfPages): Promise<readonly KnowledgePassage[]> {
  const kind = kindOfDocument(path);
  switch (kind) {
    case 'pdf':
      return (await pdfPages(bytes)).flatMap((page, index) => textPassages(page, `page ${index + 1}`));
    case 'markdown':
      return markdownPassages(decodeText(bytes) ?? '');
    case 'text':
      return textPassages(decodeText(bytes) ?? '');
    default:
      return assertNever(kind);
  }
}
