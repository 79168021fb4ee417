import { createServer, type RequestListener, type Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { ApiError, type Client } from '#client/http.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { silentLogger } from '#lib/logger.ts';
import { createApiClient } from '#client/api-client.ts';
import { describeToolError, formatToolError } from '#mcp/tool-errors.ts';
import { toolTable } from '#mcp/tools/index.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** In place of the API. */
async function startApiStub(
  respond: (...asked: Parameters<RequestListener>) => void | Promise<void>,
): Promise<Client> {
  const server = createServer((request, response) => void respond(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return createApiClient({
    apiUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    token: 'x',
  });
}

const toolOf = (name: string) =>
  Object.values(toolTable)
    .flat()
    .find((tool) => tool.name === name)!;

/** An error in the words of the tool, for a client that is offered no other one. */
const describeFor = (name: string) => (error: unknown) =>
  describeToolError(error, { tool: toolOf(name), listed: new Set([name]) });

const call = (name: string, api: Client, args: object) =>
  toolOf(name).run(api, args, describeFor(name));

test('a caller has four API requests open at most, for any tool', async () => {
  let [open, most] = [0, 0];
  const api = await startApiStub(async ({ url }, response) => {
    most = Math.max(most, (open += 1));
    // Long enough for all concurrent requests to arrive.
    for (let round = 0; round < 50; round += 1) await setImmediate();
    open -= 1;
    const id = Number(url!.split('/').at(-1));
    response.end(
      JSON.stringify(
        url!.includes('/matrix')
          ? { dates: [], rows: [] }
          : { id, appId: 1, phrase: `phrase ${id}`, country: 'us' },
      ),
    );
  });
  const keywordIds = Array.from({ length: 20 }, (_, index) => index + 1);
  const args = { appId: 1, keywordIds, granularity: 'day', limit: 20 };
  await Promise.all([call('get_rankings', api, args), call('get_rankings', api, args)]);
  expect([most > 1, most <= 4]).toEqual([true, true]);
});

test('a keyword without a row in the API is not described as unchecked', async () => {
  const followed = (id: number) => ({ id, appId: 1, phrase: `phrase ${id}`, country: 'us' });
  const api = (async (key: string, { params }: { params: { keywordId: number } }) => {
    if (key === 'GET /keywords/{keywordId}') return followed(params.keywordId);
    if (key === 'GET /keywords/{keywordId}/rankings') return { items: [], segments: [] };
    return { dates: ['2026-11-21'], rows: [{ keywordId: 1, cells: [7], depths: [200] }] };
  }) as unknown as Client;
  const { text, data } = await call('get_rankings', api, {
    appId: 1,
    keywordIds: [1, 2],
    granularity: 'day',
    limit: 20,
  });
  expect(data.rows).toEqual([
    { keywordId: 1, phrase: 'phrase 1', country: 'us', cells: [7], depths: [200], providers: [] },
  ]);
  expect(text).not.toContain('phrase 2');
});

describe('API errors', () => {
  const errorTextOf = async (asked: Promise<unknown>) => {
    const error: unknown = await asked.then(String, (thrown: unknown) => thrown);
    const [first] = formatToolError(error, describeFor('whoami')(error), silentLogger).content;
    return first?.type === 'text' ? first.text : '';
  };

  test.each([
    [502, '{"error":"bad gateway"}'],
    [502, 'null'],
    [502, '"busy"'],
    [502, '[]'],
    [502, '{"statusCode":502,"message":["busy"],"code":"unavailable","path":"/"}'],
    [502, '{"statusCode":502,"message":"busy","code":"unavailable","path":"/","issues":"many"}'],
    [502, '<html>'],
    [200, 'null'],
    [200, '<html>'],
  ])('a response of %i that is not the API’s, %s, is reported as such', async (status, body) => {
    const api = await startApiStub(
      (_request, response) => void response.writeHead(status).end(body),
    );
    expect(await errorTextOf(api('GET /workspace'))).toContain(
      `The server responded ${status} with something that is not Toprung’s.`,
    );
  });

  test('an API that is down or breaks off its response is unreachable', async () => {
    const api = await startApiStub(async (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{');
      await setImmediate();
      response.destroy();
    });
    expect(await errorTextOf(api('GET /workspace'))).toMatch(
      /^Toprung cannot be reached\. Retry in 2 s/,
    );
    const nobody = createApiClient({ apiUrl: 'http://127.0.0.1:1', token: 'x' });
    expect(await errorTextOf(nobody('GET /workspace'))).toMatch(
      /^Toprung cannot be reached\. Retry in 2 s/,
    );
  });

  test('a timeout does not claim that nothing was done', async () => {
    const said = await errorTextOf(
      Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    );
    expect(said).toBe(
      'No response came in time. The change may have been made all the same: ' +
        'check before you try again.',
    );
  });
});

describe('scores requested in sequence', () => {
  const refusal = (code: ErrorCode, statusCode: number) =>
    new ApiError({
      statusCode,
      error: '',
      message: `It is ${code}.`,
      code,
      path: '/',
      timestamp: '',
    });

  /** The third one fails. */
  async function score(failure: Error) {
    const asked: number[] = [];
    const api = (async (_key: string, { params }: { params: { keywordId: number } }) => {
      asked.push(params.keywordId);
      if (asked.length === 3) throw failure;
      return { job: { id: 70 + params.keywordId } };
    }) as unknown as Client;
    const { text, data } = await call('score_keywords', api, { keywordIds: [1, 2, 3, 4, 5] });
    return {
      asked,
      text,
      jobs: data.jobs as { keywordId: number; jobId: number | null; problem: string | null }[],
    };
  }

  test.each([
    ['no response', new DOMException('', 'TimeoutError'), /^No response came in time/],
    ['an allowance that is used up', refusal('on_demand_cap', 429), /^It is on_demand_cap\./],
    ['an API that is down', new TypeError('terminated'), /^Toprung cannot be reached/],
  ])('%s ends it, and those accepted before are reported', async (_name, failure, expected) => {
    const { asked, text, jobs } = await score(failure);
    expect(asked).toEqual([1, 2, 3]);
    expect(text).toMatch(/^2 of 5 keywords will be scored/);
    expect(jobs).toEqual([
      { keywordId: 1, jobId: 71, problem: null },
      { keywordId: 2, jobId: 72, problem: null },
      { keywordId: 3, jobId: null, problem: expect.stringMatching(expected) },
      ...[4, 5].map((keywordId) => ({
        keywordId,
        jobId: null,
        problem: 'Not requested after that.',
      })),
    ]);
  });

  test('a deleted keyword does not stop the others', async () => {
    const { asked, text } = await score(refusal('not_found', 404));
    expect(asked).toEqual([1, 2, 3, 4, 5]);
    expect(text).toMatch(
      /^4 of 5 keywords will be scored.*\n- keyword 3: The requested item does not exist/,
    );
  });
});
