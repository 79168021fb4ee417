import { operationsOf } from './operation.ts';

export const charts = operationsOf({});
