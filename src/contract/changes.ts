import { operationsOf } from './operation.ts';

export const changes = operationsOf({});
