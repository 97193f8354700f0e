import { bytesText, durationText } from '../../view/lines/words.js';
import type { ExecutorResultView, RunView } from '../../view/run-view.js';
import type { UsageView } from '../../view/usage-view.js';
import { mostUsed, spentText } from '../lines/words.js';
import { fitted, type Html, html, leftOutNote, text } from './html.js';

/** Of all that ran outside a model. */
const MAX_BYTES = 256 * 1024;

/** Tokens and cost by agent and by model, then what ran outside a model. */
export function costSection(view: RunView): Html {
  return html`${usageTable('Agent', view.usageByAgent, view.usage)}
${usageTable('Model', view.usageByModel, view.usage)}
${view.executors.length === 0 ? null : executors(view)}`;
}

function usageTable(title: string, by: Readonly<Record<string, UsageView>>, whole: UsageView): Html {
  const rows = mostUsed(by);
  return html`<table><thead><tr><th>${text(title)}</th><th class="num">Input</th><th class="num">Cached</th><th class="num">Output</th><th class="num">Reasoning</th><th class="num">Cost</th></tr></thead><tbody>${rows.map(([name, usage]) => usageRow(text(name, 80), usage))}${usageRow(html`<strong>together</strong>`, whole)}</tbody></table>`;
}

const usageRow = (name: Html, usage: UsageView): Html =>
  html`<tr><td>${name}</td><td class="num">${usage.inputTokens}</td><td class="num">${usage.cachedInputTokens}</td><td class="num">${usage.outputTokens}</td><td class="num">${usage.reasoningTokens}</td><td class="num">${text(spentText(usage))}</td></tr>\n`;

function executors({ jobId, executors: results }: RunView): Html {
  const { rows, leftOut } = fitted(results, executor, MAX_BYTES);
  const more = leftOutNote(leftOut, `${leftOut} more, which kit trace ${jobId ?? ''} shows.`);
  return html`<h3>Outside a model</h3>
<table><thead><tr><th>Executor</th><th>Agent</th><th>Result</th><th class="num">Diff</th><th class="num">Time</th></tr></thead><tbody>${rows}</tbody></table>${more}`;
}

function executor(result: ExecutorResultView): Html {
  const isBad = result.outcome !== null && !result.outcome.passed;
  const left =
    result.signal !== null
      ? `, ended by ${result.signal}`
      : result.exitCode === null
        ? ''
        : `, exit code ${result.exitCode}`;
  const reason = result.reason === null ? '' : `: ${result.reason}`;
  const tail =
    result.stderrTail === '' || result.status === 'success' ? null : html`<pre>${text(result.stderrTail, 4000)}</pre>`;
  return html`<tr><td>${text(result.ref, 80)}</td><td>${text(result.agentId ?? '', 60)}</td><td class="${text(isBad ? 'bad' : 'plain')}">${text(`${result.outcome === null ? `${result.status}${reason}${left}` : result.outcome.text}`)}${tail}</td><td class="num">${text(bytesText(result.diffBytes))}</td><td class="num">${text(durationText(result.durationMs))}</td></tr>\n`;
}
