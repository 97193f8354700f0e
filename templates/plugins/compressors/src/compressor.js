import { defineCompressor } from '@kit-run/kit/plugin';

/** @import { JsonObject, PluginContext } from '@kit-run/kit/plugin' */

/**
 * Lines that stand there several times in a row, as logs have them, become one line with a count.
 * @param {string} text
 */
function folded(text) {
  const runs = [];
  for (const line of text.split('\n')) {
    const last = runs.at(-1);
    if (last?.line === line) last.count += 1;
    else runs.push({ line, count: 1 });
  }
  return runs.map(({ line, count }) => (count === 1 ? line : `${line} (${count} times)`)).join('\n');
}

/**
 * @param {JsonObject} _config always {}
 * @param {PluginContext} _plugin
 */
function create(_config, _plugin) {
  return {
    /**
     * null leaves the text as it is. The same text has to give the same answer.
     * @param {string} text the whole result of one call
     * @param {{ tool: string, server: string | null }} _of where it comes from
     * @returns {string | null}
     */
    compress(text, _of) {
      const shorter = folded(text);
      return shorter.length < text.length ? shorter : null;
    },
  };
}

/** Compressor `sample-name`. */
export const contribution = defineCompressor({ create });
