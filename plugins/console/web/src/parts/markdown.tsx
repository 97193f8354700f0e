import DOMPurify from 'dompurify';
import { markdownHtml } from './markdown-html.js';

/** No image is loaded from anywhere, and no element acts: what is left is text with a shape. */
const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
    ...['em', 'strong', 'del', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'align', 'start'],
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
};

export function Markdown({ text }: { readonly text: string }) {
  const html = DOMPurify.sanitize(markdownHtml(text), ALLOWED);
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
