import { operationsOf } from './operation.ts';

export const scores = operationsOf({});
