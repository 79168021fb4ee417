import { afterAll } from 'vitest';
import { processorSecondsOf } from './processor-time.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of the worker and of the processes that it started, without the PostgreSQL of the run. */
    processorSeconds?: number;
  }
}

/** `npm test -- --times` runs this before each file. */
const before = processorSecondsOf(process.pid) ?? 0;
// oxlint-disable-next-line no-empty-pattern -- vitest insists on a pattern for fixtures.
afterAll(({}, file) => {
  file.meta.processorSeconds = (processorSecondsOf(process.pid) ?? 0) - before;
});
