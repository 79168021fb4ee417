import { operationsOf } from './operation.ts';

export const annotations = operationsOf({});
