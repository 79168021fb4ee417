import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import { listenOn } from './listen-on.ts';

export const promtool = findProgram('promtool');

export interface TestPrometheus {
  /** The series of an instant query. Throws when Prometheus does not understand it. */
  query(text: string): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** A Prometheus that scrapes an API each second; null where none is installed. */
export async function startPrometheus(
  apiUrl: string,
  token: string,
): Promise<TestPrometheus | null> {
  const program = findProgram('prometheus');
  if (program === undefined) return null;
  const folder = await mkdtemp(join(tmpdir(), `toprung-test-${process.pid}-prometheus-`));
  const { port, close } = await listenOn(createServer());
  await close();
  await writeFile(join(folder, 'prometheus.yml'), configure(new URL(apiUrl).host, token));
  const child = spawn(
    program,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const query = async (text: string) => {
    const search = new URLSearchParams({ query: text });
    const url = `http://127.0.0.1:${port}/api/v1/query?${search}`;
    const response = await fetch(url).catch(() => null);
    // It does not listen yet, or still replays its log.
    if (response === null || response.status === 503) return [];
    const body = (await response.json()) as { status: string; data?: { result: unknown[] } };
    if (body.data === undefined) throw new Error(`${text}: ${JSON.stringify(body)}`);
    return body.data.result;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true });
  };
  return { query, stop };
}

const configure = (host: string, token: string): string =>
  JSON.stringify({
    scrape_configs: [
      {
        job_name: 'toprung',
        scrape_interval: '1s',
        authorization: { credentials: token },
        static_configs: [{ targets: [host] }],
      },
    ],
  });
