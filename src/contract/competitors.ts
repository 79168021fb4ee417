import { operationsOf } from './operation.ts';

export const competitors = operationsOf({});
