/** A position is valid only with the depth of its check. */
export interface Pair {
  date: string;
  position: number | null;
  depth: number;
}

export type Facts = Record<string, unknown>;

/**
 * Reads stored evidence field by field, because an action of an older version may have fewer
 * fields.
 */
export function readNumber(facts: Facts, name: string): number | null {
  const value = facts[name];
  return typeof value === 'number' ? value : null;
}

export function readText(facts: Facts, name: string): string | null {
  const value = facts[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function readNumbers(facts: Facts, name: string): number[] {
  return readList(facts, name).filter((item) => typeof item === 'number');
}

export function readTexts(facts: Facts, name: string): string[] {
  return readList(facts, name).filter((item) => typeof item === 'string');
}

export function readRows(facts: Facts, name: string): Facts[] {
  return readList(facts, name).filter(isFacts);
}

export function readFacts(facts: Facts, name: string): Facts | null {
  const value = facts[name];
  return isFacts(value) ? value : null;
}

export function readPair(facts: Facts, name: string): Pair | null {
  return toPair(facts[name]);
}

export function readPairs(facts: Facts, name: string): Pair[] {
  return readList(facts, name).flatMap((item) => toPair(item) ?? []);
}

function readList(facts: Facts, name: string): unknown[] {
  const value = facts[name];
  return Array.isArray(value) ? value : [];
}

function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toPair(value: unknown): Pair | null {
  if (!isFacts(value)) return null;
  const { date, position, depth } = value;
  if (typeof date !== 'string' || typeof depth !== 'number') return null;
  return { date, depth, position: typeof position === 'number' ? position : null };
}
