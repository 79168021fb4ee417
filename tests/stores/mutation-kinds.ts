/**
 * `absent`: a fact is missing, or where no parser looks. `malformed`: it has a form that the store
 * does not write. `valid`: another body that the store might well send.
 */
export type MutationClass = 'absent' | 'malformed' | 'valid';

/** A number from 0 to below `limit`. */
export type Draw = (limit: number) => number;

export type Item = Record<string, unknown>;
export type Parent = unknown[] | Item;
/** Changes the parent of a value, and returns the value after the change; null if it cannot. */
type Change = (
  at: { parent: Parent; key: string | number; value: unknown; isRead: (key: number) => boolean },
  draw: Draw,
) => {
  after: unknown;
} | null;

export const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !isList(value);
const isNothing = (value: unknown) => value === null || value === undefined;
const set = (parent: Parent, key: string | number, after: unknown) => {
  (parent as Item)[key] = after;
  return { after };
};

/** A list of at least two things of one kind, unlike a record that is written as a list. */
export function isUniform(value: unknown): value is unknown[] {
  if (!isList(value) || value.length < 2 || value.includes(null)) return false;
  const kinds = new Set(value.map((part) => (isList(part) ? 'list' : typeof part)));
  const isRecord = isList(value[0]) && value.some((part) => (part as unknown[]).length === 0);
  const isPair = kinds.has('number') && value.length < 5;
  return kinds.size === 1 && !isPair && !isRecord;
}

const numeric = (change: (value: number, draw: Draw) => number): Change => {
  return ({ parent, key, value }, draw) =>
    typeof value === 'number' ? set(parent, key, change(value, draw)) : null;
};
const onLists = (change: (list: unknown[], draw: Draw) => unknown): Change => {
  return ({ parent, key, value }, draw) =>
    isUniform(value) ? set(parent, key, change(value, draw)) : null;
};

export const changes: Record<string, [MutationClass, Change]> = {
  removed: [
    'absent',
    ({ parent, key }) => {
      if (isList(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      return { after: undefined };
    },
  ],
  nulled: [
    'absent',
    ({ parent, key, value }) => (isNothing(value) ? null : set(parent, key, null)),
  ],
  emptied: [
    'absent',
    ({ parent, key, value }) => {
      if (value === '' || isNothing(value) || typeof value === 'number') return null;
      return set(parent, key, isList(value) ? [] : isItem(value) ? {} : '');
    },
  ],
  renamed: [
    'absent',
    ({ parent, key, value }) => {
      if (isList(parent)) return null;
      delete parent[key];
      parent[`${key}V2`] = value;
      return { after: undefined };
    },
  ],
  moved: [
    'absent',
    ({ parent, key, value, isRead }, draw) => {
      if (isNothing(value)) return null;
      if (!isList(parent)) {
        delete parent[key];
        parent['attributesV2'] = { [key]: value };
        return { after: undefined };
      }
      const free = [...parent.keys()].filter((index) => parent[index] === null && !isRead(index));
      const to = free.length === 0 ? parent.length : free[draw(free.length)]!;
      parent[to] = value;
      return set(parent, key, null);
    },
  ],
  shifted: [
    'absent',
    ({ parent, key, value }) => {
      if (!isList(parent) || isNothing(value)) return null;
      parent.splice(Number(key), 0, null);
      return { after: null };
    },
  ],
  retyped: [
    'malformed',
    ({ parent, key, value }, draw) => {
      const forms: unknown[] =
        typeof value === 'number'
          ? [String(value), [value], { value }, true]
          : typeof value === 'string'
            ? [Number(value) || 17, [value], { value }, false]
            : [[value], { value }, 'text', 17];
      return isNothing(value) ? null : set(parent, key, forms[draw(forms.length)]);
    },
  ],
  negative: ['malformed', numeric((value) => -Math.abs(value) - 1)],
  fraction: ['malformed', numeric((value) => Math.trunc(value) + 0.37)],
  huge: ['malformed', numeric((value, draw) => [1e21, 2 ** 53 + 2, 1e300][draw(3)]! + value)],
  replaced: [
    'valid',
    ({ parent, key, value }, draw) => {
      if (typeof value === 'string' && value !== '')
        return set(parent, key, replaceText(value, draw));
      if (typeof value === 'number')
        return set(parent, key, Number.isInteger(value) ? draw(2 * value + 9) : value * 0.9);
      return null;
    },
  ],
  shortened: [
    'valid',
    onLists((list, draw) => {
      const gone = new Set(Array.from({ length: 1 + draw(3) }, () => draw(list.length)));
      return list.filter((_part, index) => !gone.has(index));
    }),
  ],
  cut: ['valid', onLists((list, draw) => list.slice(0, 1 + draw(list.length - 1)))],
  reordered: [
    'valid',
    onLists((list, draw) => {
      const at = 1 + draw(list.length - 1);
      return [...list.slice(at), ...list.slice(0, at)];
    }),
  ],
  'split inside': [
    'malformed',
    onLists((list, draw) => {
      const at = 1 + draw(list.length - 1);
      return [list.slice(0, at), list.slice(at)];
    }),
  ],
  'split beside': [
    'malformed',
    ({ parent, key, value }, draw) => {
      if (!isUniform(value)) return null;
      const at = 1 + draw(value.length - 1);
      if (isList(parent)) parent.splice(Number(key), 1, value.slice(0, at), value.slice(at));
      else Object.assign(parent, { [key]: value.slice(0, at), [`${key}More`]: value.slice(at) });
      return { after: value.slice(0, at) };
    },
  ],
};

/** Another text of the same form: letters for letters, digits for digits. */
function replaceText(text: string, draw: Draw): string {
  const from = draw(text.length);
  const changed = text
    .slice(from)
    .replace(/\d/g, () => String(1 + draw(9)))
    .replace(/[a-z]/g, () => String.fromCharCode(97 + draw(26)));
  return text.slice(0, from) + changed;
}
