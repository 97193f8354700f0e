import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';
import { AGENTS } from './chain-workspace.mjs';

/**
 * The same chain as a graph of ten nodes that answer at once, with the SQLite saver as its
 * checkpointer.
 */
export function openLangGraphChain(directory) {
  const path = join(directory, 'langgraph.sqlite');
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  const State = Annotation.Root({ answer: Annotation({ reducer: (_, next) => next, default: () => '' }) });
  const names = Array.from({ length: AGENTS }, (_, n) => `n${n}`);
  const graph = new StateGraph(State);
  for (const name of names)
    graph.addNode(name, async (state) => ({ answer: `${name} answers ${state.answer.length} characters` }));
  graph.addEdge(START, names[0]);
  for (const [n, name] of names.entries()) graph.addEdge(name, names[n + 1] ?? END);
  const app = graph.compile({ checkpointer: new SqliteSaver(db) });
  let thread = 0;
  return {
    /**
     * Resolves when the last checkpoint is committed. `durability`: `async` is LangGraph's default,
     * `sync` commits before the next node starts.
     */
    run: (durability) =>
      app.invoke({ answer: 'Pass it on.' }, { configurable: { thread_id: `t${thread++}` }, durability }),
    pragmas: () => ({
      journal_mode: db.pragma('journal_mode', { simple: true }),
      synchronous: db.pragma('synchronous', { simple: true }),
    }),
    rows: () => ({
      checkpoints: db.prepare('SELECT count(*) AS n FROM checkpoints').get().n,
      writes: db.prepare('SELECT count(*) AS n FROM writes').get().n,
    }),
    close: () => db.close(),
  };
}
