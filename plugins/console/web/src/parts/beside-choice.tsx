import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useAsked } from '../api/live.js';
import type { Job } from '../api/types.js';
import { moment } from './words.js';

const OFFERED = 20;

/** Leads to this run beside another one: a newer or older one of its topology, or any id. */
export function BesideChoice({ id, topology }: { readonly id: string; readonly topology: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Beside another run</summary>
      {isOpen && <Choice id={id} topology={topology} />}
    </details>
  );
}

function Choice({ id, topology }: { readonly id: string; readonly topology: string }) {
  const { data } = useAsked<readonly Job[]>(`/jobs?limit=${OFFERED + 1}&topology=${encodeURIComponent(topology)}`);
  const [text, setText] = useState('');
  const [, go] = useLocation();
  const others = (data ?? []).filter((job) => job.id !== id).slice(0, OFFERED);
  const other = text.trim();
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (other !== '') go(`/runs/${id}/beside/${encodeURIComponent(other)}`);
  };
  return (
    <form className="page" onSubmit={send}>
      <select
        aria-label="Another run"
        value={others.some((job) => job.id === text) ? text : ''}
        onChange={(event) => setText(event.target.value)}
      >
        <option value="">{others.length === 0 ? `no other of ${topology}` : 'choose one'}</option>
        {others.map((job) => (
          <option key={job.id} value={job.id}>
            {job.id.slice(0, 8)} {job.status} {moment(job.created_at)}
          </option>
        ))}
      </select>
      <input
        aria-label="Id of a run"
        placeholder="or its id"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" disabled={other === ''}>
        Show both
      </button>
    </form>
  );
}
