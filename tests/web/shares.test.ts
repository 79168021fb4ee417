import { expect, test, vi } from 'vitest';

vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('document', { documentElement: { dataset: {} } });
const { formatShare } = await import('#web/format.ts');
vi.unstubAllGlobals();

test.each([
  [0, '0%'],
  [0.0005, '0.05%'],
  [0.042, '4.2%'],
  [0.31, '31%'],
  [0.994, '99%'],
  // 3,998 of 4,000.
  [0.9995, '>99%'],
  [0.999_999_9, '>99%'],
  [1, '100%'],
  [1.004, '100%'],
  [1.2, '120%'],
])('%d is shown as %s', (share, shown) => {
  expect(formatShare(share)).toBe(shown);
});

test('a share below the least that is shown is less than that', () => {
  expect(formatShare(0.0004, 0.001)).toBe('<0.1%');
});
