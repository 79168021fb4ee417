import { operationsOf } from './operation.ts';

export const reviews = operationsOf({});
