import DOMPurify from 'dompurify';
import { marked, Renderer } from 'marked';

/** No image is loaded from anywhere, and no element acts: what is left is text with a shape. */
const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
    ...['em', 'strong', 'del', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'align', 'start'],
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Markup within the text is shown as it was written, and a picture by its words. So no browser ever
 * reads a foreign element: it would refuse some of them aloud, even where nothing comes of them.
 */
function rendered(text: string): string {
  const renderer = new Renderer();
  renderer.html = (token) => escaped(token.text);
  renderer.image = (token) => escaped(token.text);
  return marked.parse(text, { async: false, gfm: true, renderer });
}

export function Markdown({ text }: { readonly text: string }) {
  const html = DOMPurify.sanitize(rendered(text), ALLOWED);
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
