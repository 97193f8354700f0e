import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { followRun, type LogLine } from '../api/run-stream.js';
import { useSession } from '../api/session.js';
import { moment } from './words.js';

const LINE_PX = 22;

/** The log of a run as `kit logs` words it, from its beginning, live. */
export function RunLog({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Log</summary>
      {isOpen && <Lines id={id} />}
    </details>
  );
}

function Lines({ id }: { readonly id: string }) {
  const { client } = useSession();
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const over = new AbortController();
    const read: LogLine[] = [];
    let isAsked = false;
    const show = (): void => {
      isAsked = false;
      if (!over.signal.aborted) setLines([...read]);
    };
    void followRun(client, id, over.signal, (line) => {
      read.push(line);
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(show);
    });
    return () => over.abort();
  }, [client, id]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 30,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <div ref={box} className="log" tabIndex={0} role="log" aria-label="Log" aria-live="off">
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <div
              key={line.seq}
              className="log-line"
              style={{ transform: `translateY(${start}px)` }}
              title={moment(line.timestamp)}
            >
              <span className="quiet">{line.timestamp.slice(11, 19)}</span> {line.text}
            </div>
          );
        })}
      </div>
    </div>
  );
}
