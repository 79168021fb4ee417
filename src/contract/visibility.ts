import { operationsOf } from './operation.ts';

export const visibility = operationsOf({});
