import { existsSync } from 'node:fs';
import type { Operation } from '../../contract/operation.ts';
import type { Route } from '../route.ts';
import { authRoutes } from './auth.ts';
import { serviceRoutes } from './service.ts';
import { tokensRoutes } from './tokens.ts';
import { workspaceRoutes } from './workspace.ts';

// Until every noun is there, those that are not written yet are left out.
async function optional(noun: string): Promise<Route[]> {
  const file = new URL(`./${noun}.ts`, import.meta.url);
  if (!existsSync(file)) return [];
  try {
    const module = (await import(file.href)) as Record<string, Route[]>;
    return module[`${noun}Routes`] ?? [];
  } catch (error) {
    console.error(`routes/${noun}.ts does not load`, error);
    return [];
  }
}

/** Every route of the API. */
export const routes: readonly Route[] = [
  ...serviceRoutes,
  ...authRoutes,
  ...tokensRoutes,
  ...workspaceRoutes,
  ...(await optional('apps')),
  ...(await optional('store')),
  ...(await optional('keywords')),
  ...(await optional('rankings')),
  ...(await optional('serp')),
  ...(await optional('jobs')),
  ...(await optional('runs')),
];

/** Refuses to start with a gap: a promise without a handler, a handler without a promise, a route without its policy. */
export function checkRoutes(table: readonly Route[], operations: Record<string, Operation>): void {
  const keys = table.map((route) => route.key);
  const faults = [
    ...Object.keys(operations).filter((key) => !keys.includes(key)).map((key) => `${key} has no handler`),
    ...keys.filter((key, index) => !(key in operations) || keys.indexOf(key) !== index).map((key) => `${key} has a handler but no operation, or two`),
    ...table.filter((route) => typeof route.handler !== 'function').map((route) => `${route.key} has no handler`),
    ...table.filter(({ operation }) => !operation.rateClass || typeof operation.readOnlyToken !== 'boolean').map((route) => `${route.key} has no policy`),
    ...table.filter(({ operation }) => Object.keys(operation.responses ?? {}).length === 0).map((route) => `${route.key} documents no answer`),
  ];
  if (faults.length > 0) throw new Error(`The route table has gaps:\n  ${faults.join('\n  ')}`);
}
