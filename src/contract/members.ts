import { operationsOf } from './operation.ts';

export const members = operationsOf({});
