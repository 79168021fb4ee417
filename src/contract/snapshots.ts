import { operationsOf } from './operation.ts';

export const snapshots = operationsOf({});
