import { operationsOf } from './operation.ts';

export const alerts = operationsOf({});
