import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const ip = (...args: string[]) => runFile('ip', args);

/** Whether hosts can be made here; a line says what is missing. */
export function canMakeHosts(): boolean {
  const name = `tr${process.pid}try`;
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
    execFileSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
    return true;
  } catch {
    console.log(
      'no root or no network namespaces here: processes on separate hosts are not tested.',
    );
    return false;
  }
}

/** A host with a network of its own: its loopback is that of no other host. */
export interface NetworkHost {
  address: string;
  /** Goes before a program that runs on it. */
  prefix: readonly string[];
  /** Its packets are lost until `reconnect`, and nobody is notified. */
  cutOff(): Promise<void>;
  reconnect(): Promise<void>;
}

export interface Network {
  /** The address of this machine, where the simulated stores and the balancers are. */
  address: string;
  subnet: string;
  addHost(name: string): Promise<NetworkHost>;
  remove(): Promise<void>;
}

let networks = 0;

/** A bridge, to which each host is connected. */
export async function createNetwork(): Promise<Network> {
  // The kernel removes the interfaces of the last network some time after its hosts.
  const id = `${process.pid % 100_000}x${(networks += 1)}`;
  const bridge = `tr${id}br`;
  const base = `10.213.${(process.pid + networks) % 200}`;
  const names: string[] = [];
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('address', 'add', `${base}.1/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  return {
    address: `${base}.1`,
    subnet: `${base}.0/24`,
    async addHost(name) {
      const namespace = `tr${id}${name}`;
      // The name of an interface has 15 characters at most.
      const cable = `tr${id}v${names.length}`;
      const address = `${base}.${10 + names.length}`;
      names.push(namespace);
      await ip('netns', 'add', namespace);
      await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await ip('link', 'set', cable, 'master', bridge, 'up');
      await ip('-n', namespace, 'link', 'set', 'lo', 'up');
      await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      await ip('-n', namespace, 'link', 'set', 'eth0', 'up');
      return {
        address,
        prefix: ['ip', 'netns', 'exec', namespace],
        cutOff: async () => void (await ip('link', 'set', cable, 'nomaster')),
        reconnect: async () => void (await ip('link', 'set', cable, 'master', bridge)),
      };
    },
    async remove() {
      for (const name of names) await ip('netns', 'del', name).catch(() => undefined);
      await ip('link', 'del', bridge).catch(() => undefined);
    },
  };
}
