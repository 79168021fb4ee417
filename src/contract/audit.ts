import { operationsOf } from './operation.ts';

export const audit = operationsOf({});
