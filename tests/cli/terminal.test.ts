import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { CommandError } from '#lib/command-error.ts';
import { Progress } from '#cli/terminal/progress.ts';
import { processShell } from '#cli/terminal/shell.ts';
import { formatTable } from '#cli/terminal/table.ts';
import { cutText, textWidth } from '#cli/terminal/text-width.ts';
import { allowsColor } from '#config/user-environment.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('full-width characters take two columns, and marks none', () => {
  expect(textWidth('習慣')).toBe(4);
  expect(textWidth('ﾊﾝｶｸ')).toBe(4);
  expect(textWidth('한국')).toBe(4);
  expect(textWidth('e\u0301')).toBe(1);
  expect(textWidth('👩‍👩‍👧')).toBe(2);
  expect(textWidth('❤️')).toBe(2);
  expect(cutText('習慣トラッカー', 6)).toBe('習慣…');
});

test('a table fits the terminal, and a text of others changes no line', () => {
  const columns = [
    {
      title: 'phrase',
      value: ({ phrase }: { phrase: string }) => phrase,
      isFlexible: true as const,
    },
    { title: 'rank', value: () => 7, isRight: true as const },
  ];
  const rows = [{ phrase: '習慣トラッカー' }, { phrase: 'a\u001b[31m\u202eb'.repeat(9) }];
  const lines = formatTable(columns, rows, { columns: 30, hasColor: false }).split('\n');
  expect(lines.map(textWidth)).toEqual([30, 30, 30]);
  expect(lines[1]).toBe(`習慣トラッカー${' '.repeat(15)}7`);
  for (const moving of ['\u001b', '\u202e']) expect(lines.join('')).not.toContain(moving);
});

test('colours are off with NO_COLOR, and on terminals that know none', () => {
  const given = [{}, { NO_COLOR: '' }, { NO_COLOR: '1' }, { TERM: 'dumb' }];
  expect(given.map((environment) => allowsColor(environment))).toEqual([true, true, false, false]);
  const columns = [{ title: 'rank', value: () => 7, isRight: true as const }];
  const heads = [true, false].map((hasColor) =>
    formatTable(columns, [{}], { columns: 30, hasColor }).split('\n')[0]!.includes('\u001b['),
  );
  expect(heads).toEqual([true, false]);
});

test('progress is one line on a terminal, after a second, and is removed at its end', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const show = (showsProgress: boolean) => {
    const lines: string[] = [];
    const shell = { ...processShell, showsProgress, error: (text: string) => lines.push(text) };
    const progress = new Progress(shell);
    progress.update('too early');
    vi.advanceTimersByTime(1_001);
    progress.update('40 of 200');
    progress.update('again at once');
    vi.advanceTimersByTime(201);
    progress.update('80 of\n200');
    progress.end();
    return lines;
  };
  const [first, second, end] = show(true);
  expect(first).toBe('\r\u001b[K40 of 200');
  expect(second).not.toContain('\n');
  expect(end).toBe('\r\u001b[K');
  expect(show(false)).toEqual([]);
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('a prompt that is left with %s ends the command with one line', async (_name, key) => {
  const input = new PassThrough();
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const asked = processShell.ask('API token: ', { isSecret: true });
  input.write(key);
  await expect(asked).rejects.toThrow(CommandError);
});
