import { marked, Renderer } from 'marked';
import { visible } from './visible.js';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Markup within the text is shown as it was written, and so are a picture, a definition that
 * nothing refers to and the words after the fence of a block: whoever signs a text sees all of it.
 * No browser ever reads a foreign element: it would refuse some of them aloud, even where nothing
 * comes of them.
 */
export function markdownHtml(text: string): string {
  const renderer = new Renderer();
  renderer.html = (token) => escaped(token.text);
  renderer.image = (token) => escaped(token.raw);
  renderer.def = (token) => `<p>${escaped(token.raw)}</p>`;
  renderer.code = ({ text: code, lang = '' }) =>
    `${/\s/.test(lang.trim()) ? `<p>${escaped(lang)}</p>` : ''}<pre><code>${escaped(code)}\n</code></pre>\n`;
  return marked.parse(visible(text), { async: false, gfm: true, renderer });
}
