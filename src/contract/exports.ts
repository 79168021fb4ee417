import { operationsOf } from './operation.ts';

export const exports = operationsOf({});
