import { expect, test } from 'vitest';
import { openCsv } from '#web/pages/imports-exports/csv/open-csv.ts';
import {
  parseExportFile,
  readParts,
} from '#web/pages/imports-exports/workspace/parse-export-file.ts';
import { importTextMax } from '#contract/body-limits.ts';

/** A file as the browser gives it for a folder, or for one that was moved since. */
class LostFile extends File {
  override arrayBuffer = () => Promise.reject(new DOMException('Gone.', 'NotFoundError'));
  override stream = () =>
    new ReadableStream({
      start: (controller) => controller.error(new DOMException('Gone.', 'NotFoundError')),
    });
}

test('a file that cannot be read is reported instead of ignored', async () => {
  const lost = new LostFile(['phrase\nfocus'], 'lost.csv');
  expect(await openCsv(lost)).toBe('gone');
  expect(await parseExportFile(lost)).toBe('gone');
});

test('a file that can be read says what it has', async () => {
  const csv = await openCsv(new File(['phrase\nfocus'], 'a.csv'));
  expect(csv).toMatchObject({ name: 'a.csv', table: { columns: ['phrase'], rows: [['focus']] } });
  expect(await openCsv(new File(['phrase'], 'b.csv'))).toBe('unreadable');
  expect(await parseExportFile(new File(['phrase'], 'b.csv'))).toBe('foreign');
});

test('an export is split into the largest parts that cut no character in two', async () => {
  const half = importTextMax / 2;
  for (const text of ['a' + '😀'.repeat(2 * half), '😀'.repeat(half), 'a'.repeat(importTextMax)]) {
    const parts: string[] = [];
    for await (const part of readParts(new Blob([text]))) parts.push(part);
    expect(parts.join('') === text).toBe(true);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
    for (const part of parts.slice(0, -1))
      expect(importTextMax - part.length).toBeLessThanOrEqual(1);
  }
});
