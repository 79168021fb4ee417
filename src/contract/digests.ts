import { operationsOf } from './operation.ts';

export const digests = operationsOf({});
