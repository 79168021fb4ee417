import { operationsOf } from './operation.ts';

export const keywordField = operationsOf({});
