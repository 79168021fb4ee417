/**
 * `npm run lock`, after a dependency changed: removes from package-lock.json what npm compares with
 * its own Node. Our code runs on the Node that package.json pins.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { root } from './rules/source-tree.ts';

const path = `${root}package-lock.json`;
const lock = JSON.parse(readFileSync(path, 'utf8')) as {
  packages: Record<string, { engines?: unknown }>;
};
for (const [name, entry] of Object.entries(lock.packages)) if (name !== '') delete entry.engines;
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
