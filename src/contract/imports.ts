import { operationsOf } from './operation.ts';

export const imports = operationsOf({});
