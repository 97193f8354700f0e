import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';

/** Filters stand in the address: it can be sent to somebody. `names`: the ones of this page. */
export function useFilters(names: readonly string[]) {
  const [params, setParams] = useSearchParams();
  const get = (name: string): string => params.get(name) ?? '';
  const set = (name: string, value: string): void =>
    setParams(
      (last) => {
        const changed = new URLSearchParams(last);
        if (value === '') changed.delete(name);
        else changed.set(name, value);
        return changed;
      },
      { replace: true },
    );
  const chosen = names.filter((name) => get(name) !== '').map((name) => [name, get(name)] as const);
  return { get, set, chosen };
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly set: (name: string, value: string) => void;
}

/** Words that count once they are sent: with Enter, or by leaving the field. */
export function FilterField({ name, label, value, set }: FieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <input
      type="search"
      id={`filter-${name}`}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => set(name, text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') set(name, text.trim());
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}

/** One of a few, or all of them. */
export function FilterChoice({
  name,
  label,
  value,
  set,
  options,
  all,
}: FieldProps & { readonly options: readonly string[]; readonly all: string }) {
  return (
    <select aria-label={label} value={value} onChange={(event) => set(name, event.target.value)}>
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  );
}
