import { operationsOf } from './operation.ts';

export const settings = operationsOf({});
