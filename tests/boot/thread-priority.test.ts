import { expect, test } from 'vitest';
import { startProgram, startToprung } from '../harness/process.ts';

/** What a filter of system calls does to a process and its threads, on any machine. */
const preload = `
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.setPriority = () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'ERR_SYSTEM_ERROR' });
  };
  syncBuiltinESMExports();`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(preload)}`;

const nowhere = 'postgres://me:secret@127.0.0.1:1/none';
const module = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** Starts every thread and process that gives way, each with a task that finds no server. */
const program = `
  import { openFileThread } from ${module('boot/file-threads/file-thread.ts')};
  import { runInThread } from ${module('boot/backups/run-in-thread.ts')};
  import { startHeavyReadThreads } from ${module('boot/heavy-reads/start-threads.ts')};
  import { openParquetExporter } from ${module('boot/parquet/open-parquet-exporter.ts')};
  const url = '${nowhere}';
  const signal = AbortSignal.timeout(60_000);
  const config = { LOG_LEVEL: 'silent', PARQUET_AT: 1, PARQUET_DIR: '/nowhere', DATA_DIR: '/' };
  const urls = { urlOf: () => url };
  const clock = { now: () => new Date() };
  const reads = startHeavyReadThreads({ databaseUrl: url, logLevel: 'silent', settings: {} });
  const settings = { endpoint: 'http://127.0.0.1:1', region: 'a', accessKeyId: 'a' };
  const bucket = { ...settings, secretAccessKey: 'a', hasPathStyle: true };
  const backup = { url, path: '/tmp/toprung-none.backup', now: new Date(), keys: null };
  const upload = { settings: bucket, folder: 's3://a/b', path: '/nowhere', now: new Date() };
  const attempts = {
    backup: () => runInThread('backup-thread', backup, { signal }),
    upload: () => runInThread('upload-thread', upload, { signal }),
    history: () => openFileThread('history-thread', config, urls, clock).run({}, signal),
    popularity: () => openFileThread('popularity-thread', config, urls, clock).run({}, signal),
    read: () => reads.run({ key: 'GET /apps/{id}/rankings/matrix' }, signal),
    parquet: () => openParquetExporter(config, urls).write(signal),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    const message = await attempt().catch((error) => error.message);
    console.log(name, 'ended with', message);
  }
  await reads.close();`;

test('work beside the event loop is done where its priority cannot be changed', async () => {
  const child = startProgram('--input-type=module', ['-e', program], { NODE_OPTIONS });
  expect(await child.exited, child.output()).toEqual({ code: 0, signal: null });
  const ended = [...child.output().matchAll(/^(\w+) ended with /gm)].map(([, name]) => name);
  expect(ended).toEqual(['backup', 'upload', 'history', 'popularity', 'read', 'parquet']);
  expect(child.output()).not.toContain('not permitted');
});

test('a backup by command is made where its priority cannot be changed', async () => {
  const child = startToprung(['backup'], { DATABASE_URL: nowhere, NODE_OPTIONS });
  await child.exited;
  expect(child.output()).toContain('ECONNREFUSED');
  expect(child.output()).not.toContain('not permitted');
});
