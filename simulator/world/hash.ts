/**
 * Mixes two 32-bit numbers into one. It is the only source of chance, so every response can be
 * repeated.
 */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

/** A 32-bit hash of text. */
export function hashText(text: string, seed = 0): number {
  let h = (seed ^ 0x811c9dc5) >>> 0;
  for (let index = 0; index < text.length; index++)
    h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
  return mix(h, text.length);
}

/** 0 ≤ x < 1 */
export function unit(hash: number): number {
  return hash / 0x1_0000_0000;
}

/**
 * A bell curve with mean 0 and deviation about 1: the sum of four bytes of a hash, which is cheap
 * enough for a hundred thousand calls a search day.
 */
export function bell(hash: number): number {
  const sum = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24);
  return (sum - 510) / 147.8;
}

export function pick<Item>(items: readonly Item[], hash: number): Item {
  return items[hash % items.length] as Item;
}
