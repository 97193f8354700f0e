// How VitePress builds the site. `npm run docs` (scripts/docs.mjs) copies it beside the pages.
import { readFileSync } from 'node:fs';

const sidebar = JSON.parse(readFileSync(new URL('./sidebar.json', import.meta.url), 'utf8'));

/** Anchors as GitHub makes them, which links of the pages use. */
const slugify = (text) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** A page is text: `<placeholder>` is not a tag, and `{{ }}` no expression. */
function plainPages(md) {
  // The one tag that pages use: a place that links lead to.
  md.inline.ruler.before('autolink', 'place', (state, silent) => {
    const [tag] = /^<a id="[a-z0-9-]+"><\/a>/.exec(state.src.slice(state.pos)) ?? [];
    if (tag === undefined) return false;
    if (!silent) state.push('html_inline', '', 0).content = tag;
    state.pos += tag.length;
    return true;
  });
  const { render } = md;
  md.render = (source, env) => `<div v-pre>${render.call(md, source, env)}</div>`;
}

// biome-ignore lint/style/noDefaultExport: VitePress takes the default export
export default {
  title: 'kit',
  description: 'Runs agent topologies, written as YAML, as bounded, governed, durable runs.',
  cleanUrls: false,
  lastUpdated: false,
  // The index of the search is one file, and large.
  vite: { build: { chunkSizeWarningLimit: 8_000 } },
  markdown: { html: false, linkify: false, anchor: { slugify }, config: plainPages },
  themeConfig: { search: { provider: 'local' }, sidebar, outline: [2, 3] },
};
