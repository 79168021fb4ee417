import { operationsOf } from './operation.ts';

export const events = operationsOf({});
