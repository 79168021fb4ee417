import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resolveSource } from '#lib/resolve-source.ts';
import type { AdsKey } from '#simulator/apple-ads/apple-ads.ts';

export interface SimulatorProcess {
  baseUrl: string;
  setNow(now: Date): Promise<void>;
  setFaults(rules: object[]): Promise<void>;
  registerAdsKey(key: AdsKey): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs the simulated stores in their own process, so that they and the product share the machine's
 * cores.
 */
export async function startSimulatorProcess(options: string[]): Promise<SimulatorProcess> {
  const main = resolveSource('#simulator/main.ts');
  // When this process ends, the pipe closes and the simulator ends with it.
  const child = spawn(process.execPath, [main, '--port', '0', '--until-stdin-ends', ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const failed = once(child, 'exit').then(() =>
    Promise.reject(new Error('the store simulator exited before it was ready')),
  );
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [
    string,
  ];
  failed.catch(() => undefined);
  const baseUrl = line.slice(line.indexOf('http'));
  const post = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    if (!response.ok)
      throw new Error(`the store simulator responded ${response.status} to ${path}`);
  };
  return {
    baseUrl,
    setNow: (now) => post('/_sim/clock', { now: now.toISOString() }),
    setFaults: (rules) => post('/_sim/faults', { rules }),
    registerAdsKey: (key) => post('/_sim/apple-ads/keys', key),
    close: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
