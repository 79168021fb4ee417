import { expect, test } from 'vitest';
import { openCsv } from '#web/pages/imports-exports/csv/open-csv.ts';
import { parseExportFile } from '#web/pages/imports-exports/workspace/parse-export-file.ts';

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
