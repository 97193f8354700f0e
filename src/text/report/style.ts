/**
 * The whole look of the page. Light and dark follow the reader's system; colours only repeat what
 * words say.
 */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5b6570; --line: #d5dae0; --page: #fff; --panel: #f5f7f9; --good: #18794e; --bad: #c02a2a; --warn: #8a5300;
  --agent: #c9d6e6; --model: #3b6fb5; --tool: #2f8f6b; --executor: #7a5bb0; --fault: #d04343; --wait: #e3e6ea; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --soft: #9aa5b1; --line: #343b43; --page: #14171a; --panel: #1c2126; --good: #5bc99a; --bad: #ff8080; --warn: #e8b25c;
  --agent: #33445a; --model: #6fa2e8; --tool: #55bd95; --executor: #a98ae0; --fault: #ff7373; --wait: #262c33; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 24px 20px 64px; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
h1 { font-size: 24px; margin: 0 0 4px; overflow-wrap: anywhere; } h2 { font-size: 18px; margin: 36px 0 10px; border-bottom: 1px solid var(--line); padding-bottom: 4px; }
code, pre, .mono { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 12px; margin: 6px 0; overflow: auto; max-height: 480px; white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: 13px; } td { overflow-wrap: anywhere; } .num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.when { white-space: nowrap; font-variant-numeric: tabular-nums; } table + table { margin-top: 20px; }
.soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .badge { border: 1px solid currentColor; border-radius: 4px; padding: 0 7px; font-size: 14px; font-weight: 600; white-space: nowrap; }
.facts { display: flex; flex-wrap: wrap; gap: 10px 28px; margin: 14px 0 0; padding: 0; } .facts div { min-width: 90px; } .facts dt { color: var(--soft); font-size: 12px; } .facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.asked { margin: 0; } .asked div { display: grid; grid-template-columns: 90px 1fr; gap: 4px 14px; } .asked dt { color: var(--soft); } .asked dd { margin: 0; overflow-wrap: anywhere; }
.tree, .tree ul { list-style: none; margin: 0; padding: 0; } .tree ul { border-left: 1px solid var(--line); margin-left: 7px; padding-left: 16px; } .tree summary { cursor: pointer; }
.scroll { overflow-x: auto; } .time td { border: 0; padding: 2px 10px 2px 0; } .time td:nth-child(2) { width: 62%; min-width: 300px; } .time svg { display: block; width: 100%; }
.time td.depth-1 { padding-left: 14px; } .time td.depth-2 { padding-left: 28px; } .time td.depth-3 { padding-left: 42px; } .time td.depth-4 { padding-left: 56px; }
.agent { fill: var(--agent); } .model { fill: var(--model); } .tool, .harness-tool { fill: var(--tool); } .executor { fill: var(--executor); } .fault { fill: var(--fault); } .wait { fill: var(--wait); }
.key { display: inline-block; width: 12px; height: 12px; vertical-align: -1px; margin: 0 4px 0 12px; } .key rect { width: 12px; height: 12px; }
.filter { display: flex; gap: 10px; flex-wrap: wrap; align-items: center; margin-bottom: 8px; } .filter[hidden] { display: none; }
input, select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 5px 9px; } input { min-width: 240px; }
#events td { font-size: 13px; } #events tr[hidden] { display: none; } #events summary { cursor: pointer; color: var(--soft); }
@media (max-width: 640px) { body { padding: 14px 12px; } #events thead { display: none; } #events tr { display: block; padding: 6px 0; border-bottom: 1px solid var(--line); } #events td { display: inline; border: 0; } }
@media print { body { max-width: none; padding: 0; } .filter { display: none; } pre { max-height: none; overflow: visible; } h2 { break-after: avoid; } tr, li { break-inside: avoid; } }
`;
