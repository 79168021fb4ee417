import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from './programs.ts';

export const readOps = (path: string): Promise<string> => readFile(join(root, 'ops', path), 'utf8');

export const readPage = (name: string): Promise<string> =>
  readFile(join(root, 'docs', name), 'utf8');

export const readYaml = async <T>(path: string): Promise<T> => parse(await readOps(path)) as T;

/** Every document of a file; empty ones are left out. */
export function parseDocuments<T>(text: string): T[] {
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS() as T | null;
    })
    .filter((content) => content !== null);
}
