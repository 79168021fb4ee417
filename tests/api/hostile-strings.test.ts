import { expect, it } from 'vitest';
import { email } from '../../src/contract/auth.ts';
import { bodyBytesMax } from '../../src/contract/body-limits.ts';

it.each(['a', 'a.', '.', '@', 'a@', ' ', '😀', '\ud800'])(
  'an e-mail address of a whole body of %j is refused within 50 ms of processor time',
  (piece) => {
    const text = `a@${piece.repeat(bodyBytesMax / piece.length)}@`;
    const start = process.cpuUsage();
    expect(email.safeParse(text).success).toBe(false);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(50);
  },
);
