import type { KnowledgeDocument, KnowledgeIndex } from '../../src/domain/ports/knowledge.js';
import { markdownPassages } from '../../src/govern/knowledge/markdown.js';
import { passageWords } from '../../src/govern/knowledge/rank.js';
import { sha256Hex } from '../../src/lib/sha256.js';

/** A Markdown document as a store keeps it. */
export const documentOf = (text: string): KnowledgeDocument => ({
  digest: sha256Hex(text),
  passages: markdownPassages(text).map((passage) => ({ ...passage, words: passageWords(passage) })),
});

/** An index of documents by path. */
export const indexOf = (files: Readonly<Record<string, string>>): KnowledgeIndex => {
  const listed = Object.entries(files).map(([path, text]) => ({ path, document: sha256Hex(text) }));
  return { digest: sha256Hex(JSON.stringify(listed)), files: listed };
};

/**
 * A PDF with a text layer, a page for each text and a line for each of its lines: the smallest file
 * that a reader takes (PDF 1.4, one font, no compression), with its table of offsets right.
 */
export function pdfOf(pages: readonly string[]): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const page of pages) {
    const drawn = page
      .split('\n')
      .map((line) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj T*`)
      .join('\n');
    const stream = `BT /F1 12 Tf 14 TL 72 720 Td\n${drawn}\nET`;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${objects.length + 2} 0 R >>`,
    );
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
