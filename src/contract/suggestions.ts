import { operationsOf } from './operation.ts';

export const suggestions = operationsOf({});
