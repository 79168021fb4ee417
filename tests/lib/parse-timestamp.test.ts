import pg from 'pg';
import { expect, test } from 'vitest';
import { parseTimestamp } from '#db/driver/parse-timestamp.ts';

const parseAsDriver: (text: string) => Date | number = pg.types.getTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
);

test('instants are read as the driver reads them, whatever PostgreSQL writes', () => {
  const parts = Array.from({ length: 1_000 }, (_, ms) => String(ms).padStart(3, '0'));
  const texts = [
    ...parts.flatMap((part) => [`.${part}`, `.${part}001`, `.${part}999`]),
    '',
    '.5',
    '.05',
    '.000001',
    '.99999',
  ].map((part) => `2026-11-27 23:59:59${part}+00`);
  const others = [
    '0001-01-01 00:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '2000-01-01 00:00:00+00',
    '2999-12-31 23:59:59.999999+00',
    '1969-12-31 23:59:59.999+00',
    '2024-02-29 00:00:00+00',
    '9999-12-31 23:59:59.999999+00',
    '12026-11-27 20:56:33+00',
    '2026-11-27 20:56:33+05:30',
    '2026-11-27 20:56:33.5-00:30',
    'infinity',
    '-infinity',
  ];
  const wrong = [...texts, ...others].filter(
    (text) => Number(parseTimestamp(text)) !== Number(parseAsDriver(text)),
  );
  expect(wrong).toEqual([]);
});
