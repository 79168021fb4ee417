import { useNavigate, useSearch } from '@tanstack/react-router';

const maxCharacters = 200;

/** A value in the search parameters, so that a view can be shared; null if missing. */
export function useSearchValue(
  name: string,
): [value: string | null, change: (value: string | null) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const found = search[name];
  const value =
    typeof found === 'string' || typeof found === 'number'
      ? String(found).slice(0, maxCharacters)
      : null;
  const change = (next: string | null) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, [name]: next || undefined }),
      replace: true,
    });
  return [value, change];
}

/** A value of the address from a fixed set. The first one is the default and is not written. */
export function useSearchChoice<const Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): [value: Choice, change: (value: Choice) => void] {
  const [value, change] = useSearchValue(name);
  const chosen = choices.find((choice) => choice === value) ?? choices[0];
  return [chosen, (next) => change(next === choices[0] ? null : next)];
}
