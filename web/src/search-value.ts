import { useNavigate, useSearch } from '@tanstack/react-router';

const maxCharacters = 200;

type Value = string | null;

const readValue = (found: unknown): Value =>
  typeof found === 'string' || typeof found === 'number'
    ? String(found).slice(0, maxCharacters)
    : null;

/**
 * A value in the search parameters, so that a view can be shared; null if missing. A function gets
 * the latest value, which may not be rendered.
 */
export function useSearchValue(
  name: string,
): [value: Value, change: (next: Value | ((latest: Value) => Value)) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: Value | ((latest: Value) => Value)) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({
        ...before,
        [name]: (typeof next === 'function' ? next(readValue(before[name])) : next) || undefined,
      }),
      replace: true,
      // The hash may be the secret of the page's link. It is not scrolled to again.
      hash: true,
      hashScrollIntoView: false,
    });
  return [readValue(search[name]), change];
}

/** The list without the item, or with it at the end. */
export const toggleItem = <Item>(list: readonly Item[], item: Item): Item[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

/** A value of the address from a fixed set. The first one is the default and is not written. */
export function useSearchChoice<const Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): [value: Choice, change: (value: Choice) => void] {
  const [value, change] = useSearchValue(name);
  const chosen = choices.find((choice) => choice === value) ?? choices[0];
  return [chosen, (next) => change(next === choices[0] ? null : next)];
}
