import { operationsOf } from './operation.ts';

export const webhooks = operationsOf({});
