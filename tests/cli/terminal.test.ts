import { expect, test } from 'vitest';
import { formatTable } from '#cli/terminal/table.ts';
import { cutText, textWidth } from '#cli/terminal/text-width.ts';

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
