import { apps } from './apps.ts';
import { auth } from './auth.ts';
import { jobs } from './jobs.ts';
import { keywords } from './keywords.ts';
import type { Operation } from './operation.ts';
import { rankings } from './rankings.ts';
import { runs } from './runs.ts';
import { serp } from './serp.ts';
import { service } from './service.ts';
import { store } from './store.ts';
import { tokens } from './tokens.ts';
import { workspace } from './workspace.ts';

/** Every route of the API by its key, `METHOD /path/{param}`. */
export const operations = {
  ...service,
  ...auth,
  ...tokens,
  ...workspace,
  ...apps,
  ...store,
  ...keywords,
  ...rankings,
  ...serp,
  ...jobs,
  ...runs,
};

export type OperationMap = typeof operations;
export type OperationKey = keyof OperationMap;
export const operationList = Object.entries(operations) as [OperationKey, Operation][];
export const apiVersion = '0.4.0';
