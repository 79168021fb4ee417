import { expect, test } from 'vitest';
import { keepOneFullStop } from '#web/one-full-stop.ts';

test('a sentence that ends with an abbreviated month has one full stop', () => {
  expect(keepOneFullStop('Verglichen mit 13. Nov..')).toBe('Verglichen mit 13. Nov.');
  expect(keepOneFullStop('Seit 13. Nov.. Neuere fehlen.')).toBe('Seit 13. Nov. Neuere fehlen.');
});

test('other texts keep their full stops', () => {
  for (const text of ['Loading...', 'Version 1.0.0', 'See all.', ''])
    expect(keepOneFullStop(text)).toBe(text);
});
