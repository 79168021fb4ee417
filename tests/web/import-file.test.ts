import './api.fixtures.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importFile, ImportRefusal } from '#web/pages/imports-exports/workspace/import-file.ts';
import { Refusal, stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** Imports a file whose job has these states, one for each poll. */
async function runImport(...states: (object | Error)[]) {
  let polls = 0;
  stubApi((method, path) => {
    if (method === 'PUT') return {};
    if (method === 'POST') return { poll: '/workspace/imports/7' };
    const state = states[polls++];
    if (state instanceof Error) throw state;
    return state ?? new Refusal(404, path);
  });
  const ended = importFile(new Blob(['{}\n']), { asPublicFacts: true, onProgress() {} }).catch(
    (error: unknown) => error,
  );
  for (let rounds = 0; polls < states.length && rounds < 100; rounds += 1)
    await vi.advanceTimersByTimeAsync(1_500);
  return { ended: await ended, polls };
}

const running = { state: 'running', report: null, refusal: null, asPublicFacts: true };

test('an import is followed to its end over a lost connection and a busy server', async () => {
  const report = { tables: [] };
  const { ended } = await runImport(
    running,
    new TypeError('Failed to fetch'),
    new Refusal(503, '/workspace/imports/7'),
    { ...running, state: 'succeeded', report },
  );
  expect(ended).toEqual(report);
});

test('an import ends with the error of the API for the file, or when it is gone', async () => {
  const refusal = { message: 'Line 3 is not valid.', issues: [] };
  const refused = await runImport(running, { ...running, state: 'failed', refusal });
  expect(refused.ended).toBeInstanceOf(ImportRefusal);
  expect(refused.ended).toMatchObject({ message: refusal.message });
  const gone = await runImport(running, new Refusal(404, '/workspace/imports/7'));
  expect(gone.ended).toMatchObject({ status: 404 });
});
