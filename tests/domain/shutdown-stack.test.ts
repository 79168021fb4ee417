import { describe, expect, it } from 'vitest';
import { ShutdownStack } from '#lib/shutdown-stack.ts';

describe('a shutdown stack', () => {
  it('closes the newest first, each once, and waits for each', async () => {
    const closed: string[] = [];
    const stack = new ShutdownStack();
    for (const name of ['database', 'queue', 'server'])
      stack.add(async () => {
        await Promise.resolve();
        closed.push(name);
      });
    await Promise.all([stack.close(), stack.close()]);
    await stack.close();
    expect(closed).toEqual(['server', 'queue', 'database']);
  });

  it('closes what is added during the shutdown before it ends', async () => {
    const closed: string[] = [];
    const stack = new ShutdownStack();
    stack.add(async () => void closed.push('database'));
    stack.add(async () => {
      stack.add(async () => void closed.push('late'));
      closed.push('server');
    });
    await stack.close();
    expect(closed).toEqual(['server', 'database', 'late']);
  });

  it('closes the rest when one fails, and rejects with its error', async () => {
    const closed: string[] = [];
    const stack = new ShutdownStack();
    stack.add(async () => void closed.push('database'));
    stack.add(() => Promise.reject(new Error('port in use')));
    stack.add(async () => stack.add(async () => void closed.push('late')));
    await expect(stack.close()).rejects.toThrow('port in use');
    expect(closed).toEqual(['database', 'late']);
  });
});
