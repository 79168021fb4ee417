import { operationsOf } from './operation.ts';

export const tagOperations = operationsOf({});
