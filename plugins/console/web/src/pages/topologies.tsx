import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAsked } from '../api/live.js';
import { useMayRun, useSession } from '../api/session.js';
import type { Job } from '../api/types.js';
import type { ResolvedAgent, TopologyDetail, TopologyRow, Trigger } from '../api/work-types.js';
import { Graph } from '../parts/graph.js';
import { Empty, NotYet, Pre, Problem } from '../parts/small.js';
import { Traffic } from '../parts/traffic.js';

/** What can be run. */
export function Topologies() {
  const { data, error, again } = useAsked<readonly TopologyRow[]>('/api/topologies');
  if (data === null) return <NotYet error={error} again={again} />;
  return (
    <section>
      <header className="page">
        <h1>Topologies</h1>
      </header>
      {data.length === 0 && <Empty>This workspace has no topology.</Empty>}
      <ul className="rows">
        {data.map(({ id, version, description }) => (
          <li key={id}>
            <Link href={`/topologies/${encodeURIComponent(id)}`}>
              <span className="line">
                <strong>{id}</strong> <span className="quiet">{version}</span>
              </span>
              <span className="line quiet">{description}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One topology: its agents, and a form that starts a run. */
export function Topology({ id }: { readonly id: string }) {
  const { data, error, again } = useAsked<TopologyDetail>(`/api/topologies/${encodeURIComponent(id)}`);
  const { data: triggers } = useAsked<readonly Trigger[]>('/triggers');
  const mayRun = useMayRun();
  if (data === null) return <NotYet error={error} again={again} />;
  return (
    <article>
      <header className="page">
        <p className="quiet">
          <Link href="/topologies">Topologies</Link>
        </p>
        <h1>{data.id}</h1>
        <span className="quiet">{data.version}</span>
      </header>
      <p className="lead">{data.description}</p>
      {mayRun ? (
        <Start key={data.id} topology={data} />
      ) : (
        <p className="quiet">You may look at runs, not start them: your key lacks the scope serve:run.</p>
      )}
      <Traffic topology={data.id} />
      <section>
        <h2>Agents</h2>
        {data.resolved === null ? (
          <p className="problem">The workspace has an error: `kit validate` says which.</p>
        ) : (
          <>
            <Graph topology={data} root={data.resolved} triggers={triggers ?? []} />
            <ul className="tree">
              <Agent agent={data.resolved} />
            </ul>
          </>
        )}
      </section>
      <p>
        <Link href={`/runs?topology=${encodeURIComponent(data.id)}`}>Its runs</Link>
      </p>
    </article>
  );
}

function Agent({ agent }: { readonly agent: ResolvedAgent }) {
  const { model, skills, funnel, children = [] } = agent;
  return (
    <li>
      <p className="line">
        <strong>{agent.id}</strong>
        <span className="tag">{agent.role}</span>
        {funnel !== null && <span className="tag">gate: {funnel}</span>}
        <span className="quiet">
          {model === null ? (agent.source_archetype ?? '') : `${model.provider}/${model.name}`}
          {skills.length > 0 && `, ${skills.join(', ')}`}
        </span>
      </p>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <Agent key={child.id} agent={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

/**
 * The members of an object schema that a form can ask for one by one; null: it is written as JSON.
 */
function fieldsOf(schema: TopologyDetail['input_schema']): readonly Field[] | null {
  const properties: unknown = schema?.properties;
  if (schema?.type !== 'object' || typeof properties !== 'object' || properties === null) return null;
  const required: unknown = schema.required;
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, one]): Field => {
    const text = (key: string): string => {
      const value: unknown = Reflect.get(Object(one), key);
      return typeof value === 'string' ? value : '';
    };
    const options: unknown = Reflect.get(Object(one), 'enum');
    return {
      name,
      type: text('type'),
      description: text('description'),
      options: Array.isArray(options) ? options.filter((value) => typeof value === 'string') : [],
      isRequired: names.includes(name),
    };
  });
  return fields.every(({ type }) => /^(string|number|integer|boolean)$/.test(type)) ? fields : null;
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly options: readonly string[];
  readonly isRequired: boolean;
}

function typed({ type }: Field, text: string): unknown {
  if (type === 'boolean') return text === 'true';
  return type === 'string' ? text : Number(text);
}

/** Throws what a person can fix. */
function inputOf(schema: TopologyDetail['input_schema'], fields: readonly Field[] | null, texts: Texts): unknown {
  if (fields !== null)
    return Object.fromEntries(
      fields.flatMap((field) => {
        const text = texts[field.name] ?? '';
        return text === '' && !field.isRequired ? [] : [[field.name, typed(field, text)]];
      }),
    );
  const text = texts[''] ?? '';
  return schema === null ? text : JSON.parse(text);
}

type Texts = Readonly<Record<string, string>>;

function Start({ topology }: { readonly topology: TopologyDetail }) {
  const { client } = useSession();
  const [texts, setTexts] = useState<Texts>({});
  const [error, setError] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const [, go] = useLocation();
  const { input_schema: schema } = topology;
  const fields = fieldsOf(schema);
  const set = (name: string, value: string): void => setTexts((last) => ({ ...last, [name]: value }));
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setError(null);
    setSending(true);
    try {
      const { id } = await client.post<Job>(`/run/${encodeURIComponent(topology.id)}`, {
        input: inputOf(schema, fields, texts),
      });
      go(`/runs/${id}`);
    } catch (failed) {
      setError(failed instanceof Error ? failed : new Error(String(failed)));
    } finally {
      setSending(false);
    }
  };
  return (
    <form className="start" onSubmit={(event) => void send(event)}>
      {fields === null ? (
        <label>
          {schema === null ? 'Input' : 'Input, JSON'}
          <textarea required value={texts[''] ?? ''} onChange={(event) => set('', event.target.value)} />
        </label>
      ) : (
        fields.map((field) => <Ask key={field.name} field={field} text={texts[field.name] ?? ''} set={set} />)
      )}
      {schema !== null && (
        <details>
          <summary>What the input must be</summary>
          <Pre>{JSON.stringify(schema, null, 2)}</Pre>
        </details>
      )}
      {error !== null && <Problem error={error} />}
      <button type="submit" className="primary" disabled={isSending}>
        Run
      </button>
    </form>
  );
}

function Ask({
  field,
  text,
  set,
}: {
  readonly field: Field;
  readonly text: string;
  readonly set: (name: string, value: string) => void;
}) {
  const { name, type, description, isRequired } = field;
  const id = `field-${name}`;
  const options = type === 'boolean' ? ['true', 'false'] : field.options;
  return (
    <div>
      <label htmlFor={id}>
        {name}
        {!isRequired && <span className="quiet"> (optional)</span>}
        {description !== '' && <span className="quiet"> {description}</span>}
      </label>
      {options.length > 0 ? (
        <select id={id} required={isRequired} value={text} onChange={(event) => set(name, event.target.value)}>
          <option value="" />
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type={type === 'string' ? 'text' : 'number'}
          step={type === 'integer' ? 1 : 'any'}
          required={isRequired}
          value={text}
          onChange={(event) => set(name, event.target.value)}
        />
      )}
    </div>
  );
}
