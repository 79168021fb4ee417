import './api.fixtures.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importFile, ImportRefusal } from '#web/pages/imports-exports/workspace/import-file.ts';
import { uploadHistory } from '#web/queries/history-imports.ts';
import { uploadPopularityFile } from '#web/queries/popularity-imports.ts';
import { Refusal, stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('FileReader', Reader);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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

/** Node has none. */
class Reader extends EventTarget {
  result = '';

  readAsDataURL(piece: Blob): void {
    void piece.arrayBuffer().then((bytes) => {
      this.result = `data:;base64,${Buffer.from(bytes).toString('base64')}`;
      this.dispatchEvent(new Event('load'));
    });
  }
}

const file = new File(['{}\n'], 'a.ndjson');
test.each<[string, () => Promise<unknown>]>([
  ['a workspace', () => importFile(file, { asPublicFacts: true, onProgress() {} })],
  ['a history', () => uploadHistory(1, file, () => {})],
  ['popularity', () => uploadPopularityFile(file, () => {})],
])(
  'an upload of %s waits when the requests of a minute are used up, and not for a day',
  async (_name, start) => {
    const sent: number[] = [];
    let waitSeconds = 30;
    stubApi((method, path) => {
      if (method !== 'PUT') return { id: 7, tables: [] };
      sent.push(Date.now());
      const more = { code: 'rate_limited', retryAfterSeconds: waitSeconds };
      return sent.length % 2 ? new Refusal(429, path, more) : {};
    });
    const upload = () =>
      start()
        .then(() => 'sent')
        .catch((error: unknown) => error);
    const waiting = upload();
    for (let rounds = 0; sent.length < 2 && rounds < 200; rounds += 1)
      await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toBe('sent');
    expect(sent.at(1)! - sent.at(0)!).toBe(30_000);
    waitSeconds = 3_600;
    expect(await upload()).toMatchObject({ status: 429 });
    expect(sent).toHaveLength(3);
  },
);
