import { operationsOf } from './operation.ts';

export const actions = operationsOf({});
